#include "eh/clause_data.h"

#include "ir/data.h"
#include "ir/eh_runtime.h"

/* CircClauseKind of include/circ/runtime.h. */
enum {
	KIND_TYPE = 1,
	KIND_EXCEPTION_TYPE = 2,
	KIND_WHEN = 3,
	KIND_ALL = 4,
	KIND_WHEN_NESTED = 5,
	KIND_CXX = 6
};

/* CIRC_LANGUAGE_CXX of include/circ/runtime.h: C++'s exceptions are foreign to others. */
#define LANGUAGE_CXX UINT32_C(0x432b2b00)

static unsigned kind_of(const IrModule *m, const IrOp *symbol)
{
	if (symbol->kind == OP_FUNC)
		return ir_module_nests_filters(m) ? KIND_WHEN_NESTED : KIND_WHEN;
	return ir_op_has(symbol, NAME_circ_exception_type) ? KIND_EXCEPTION_TYPE : KIND_TYPE;
}

static Name *define(IrModule *m, Name *name, unsigned kind, const IrAttr *what, Loc loc)
{
	uint32_t language = LANGUAGE_CXX;
	if (kind != KIND_CXX)
		ir_module_eh_language(m, &language);
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, kind), ir_attr_int(m, m->u32, language), what};
	ir_data_define(m, name, ir_data_record(m, elems, ARRAY_LEN(elems)), IR_DATA_CONSTANT, loc);
	return name;
}

Name *clause_data(IrModule *m, Name *what, Loc loc)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Name *name = ir_name(m, str_of(arena_printf(&m->scratch, ".circ.clause.%s", what->text)));
	arena_release(&m->scratch, mark);
	return ir_symbol(name) ? name
	                       : define(m, name, kind_of(m, ir_symbol(what)), ir_data_address(m, what), loc);
}

Name *clause_data_cxx(IrModule *m, Name *type_info, Loc loc)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Name *name = ir_name(m, str_of(arena_printf(&m->scratch, ".circ.cxx.%s", type_info->text)));
	arena_release(&m->scratch, mark);
	return ir_symbol(name) ? name : define(m, name, KIND_CXX, ir_data_address(m, type_info), loc);
}

Name *clause_data_all(IrModule *m, Loc loc)
{
	Name *name = ir_name(m, STR(".circ.catch_all"));
	return ir_symbol(name) ? name : define(m, name, KIND_ALL, ir_attr_null(m, m->voidp), loc);
}
