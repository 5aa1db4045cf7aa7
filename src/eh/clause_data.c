#include "eh/clause_data.h"

#include "ir/data.h"
#include "ir/eh_runtime.h"

/* CircClauseKind of include/circ/runtime.h. */
enum { KIND_TYPE = 1, KIND_EXCEPTION_TYPE = 2, KIND_WHEN = 3 };

static unsigned kind_of(const IrOp *symbol)
{
	if (symbol->kind == OP_FUNC)
		return KIND_WHEN;
	return ir_op_has(symbol, NAME_circ_exception_type) ? KIND_EXCEPTION_TYPE : KIND_TYPE;
}

static const IrAttr *address(IrModule *m, Name *symbol)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_GLOBAL_VIEW, .name = symbol, .type = m->voidp});
}

Name *clause_data(IrModule *m, Name *what, Loc loc)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Name *name = ir_name(m, str_of(arena_printf(&m->scratch, ".circ.clause.%s", what->text)));
	arena_release(&m->scratch, mark);
	if (ir_symbol(name))
		return name;
	uint32_t language = 0;
	ir_module_eh_language(m, &language);
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, kind_of(ir_symbol(what))),
	                         ir_attr_int(m, m->u32, language), address(m, what)};
	ir_data_define(m, name, ir_data_record(m, elems, ARRAY_LEN(elems)), IR_DATA_CONSTANT, loc);
	return name;
}
