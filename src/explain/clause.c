#include "explain/clause.h"

#include <inttypes.h>

void explain_type_step(TypeInfos *types, CircStep *step, ObjectTarget type, TypeInfoKind kind)
{
	const CircExplainedType **named = arena_array(&types->e->arena, const CircExplainedType *, 1);
	named[0] = type_info_of(types, type, kind);
	step->types = named;
	step->ntypes = 1;
}

/* Kind, language, and a type or a filter. */
bool explain_clause(TypeInfos *types, CircStep *step, ObjectTarget clause)
{
	enum {
		KIND_TYPE = 1,
		KIND_EXCEPTION_TYPE = 2,
		KIND_WHEN = 3,
		KIND_ALL = 4,
		KIND_WHEN_NESTED = 5,
		WHAT = 8
	};
	const ObjectFile *o = types->o;
	uint64_t kind;
	ObjectTarget what;
	if (!object_read(o, clause.place, 4, &kind) ||
	    !object_pointer(o, (ObjectPlace){clause.place.section, clause.place.offset + WHAT}, 8,
	                    OBJECT_RELOC_ABSOLUTE, &what))
		return false;
	if (kind == KIND_ALL) {
		step->kind = CIRC_STEP_CATCH_ALL;
	} else if (kind == KIND_WHEN || kind == KIND_WHEN_NESTED) {
		step->kind = CIRC_STEP_WHEN;
		if (what.symbol != OBJECT_NONE)
			step->function = explanation_string(types->e, o->symbols[what.symbol].name);
	} else if (kind == KIND_TYPE || kind == KIND_EXCEPTION_TYPE) {
		step->kind = CIRC_STEP_CATCH;
		explain_type_step(types, step, what,
		                  kind == KIND_EXCEPTION_TYPE ? TYPE_INFO_CIRC : TYPE_INFO_NONE);
	} else {
		object_warning(o, clause.place, "expected a clause of kind 1 to 5, found %" PRIu64, kind);
		return false;
	}
	return true;
}
