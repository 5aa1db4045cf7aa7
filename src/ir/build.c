#include "ir/build.h"

IrBuilder ir_at_end(IrModule *m, IrBlock *b, Loc loc)
{
	return (IrBuilder){.m = m, .block = b, .loc = loc};
}

IrBuilder ir_before(IrModule *m, IrOp *op)
{
	return (IrBuilder){.m = m, .block = op->block, .before = op, .loc = op->loc};
}

IrOp *ir_build_spec(IrBuilder *b, const IrOpSpec *spec)
{
	IrOpSpec placed = *spec;
	placed.loc = b->loc;
	IrOp *op = ir_op_create(b->m, &placed);
	if (b->before)
		ir_op_insert_before(b->before, op);
	else
		ir_op_append(b->block, op);
	return op;
}

IrOp *ir_build(IrBuilder *b, OpKind kind, IrType *result, IrValue *const *operands, uint32_t n)
{
	IrOpSpec spec = {.kind = kind, .operands = operands, .noperands = n};
	spec.result_types = &result;
	spec.nresults = result != NULL;
	return ir_build_spec(b, &spec);
}

IrOp *ir_build_br(IrBuilder *b, IrBlock *dest, IrValue *const *args, uint32_t nargs)
{
	IrSuccSpec edge = {dest, args, nargs};
	return ir_build_spec(b, &(IrOpSpec){.kind = OP_BR, .succs = &edge, .nsuccs = 1});
}

IrOp *ir_build_brcond(IrBuilder *b, IrValue *cond, IrSuccSpec then_edge, IrSuccSpec else_edge)
{
	IrSuccSpec edges[] = {then_edge, else_edge};
	IrOpSpec spec = {.kind = OP_BRCOND, .operands = &cond, .noperands = 1, .succs = edges, .nsuccs = 2};
	return ir_build_spec(b, &spec);
}

static IrOp *build_with_attr(IrBuilder *b, OpKind kind, NameId name, const IrAttr *value, IrType *result,
                             IrValue *const *operands, uint32_t n)
{
	IrNamedAttr attr = {ir_known_name(b->m, name), value};
	IrOpSpec spec = {.kind = kind, .operands = operands, .noperands = n, .attrs = &attr, .nattrs = 1};
	spec.result_types = &result;
	spec.nresults = result != NULL;
	return ir_build_spec(b, &spec);
}

IrValue *ir_build_const(IrBuilder *b, const IrAttr *value)
{
	return &build_with_attr(b, OP_CONST, NAME_value, value, value->type, NULL, 0)->results[0];
}

IrValue *ir_build_const_int(IrBuilder *b, IrType *type, uint64_t value)
{
	return ir_build_const(b, ir_attr_int(b->m, type, value));
}

IrValue *ir_build_cast(IrBuilder *b, unsigned kind, IrValue *v, IrType *to)
{
	return &build_with_attr(b, OP_CAST, NAME_kind, ir_attr_enum(b->m, ENUM_CAST, kind), to, &v, 1)
	            ->results[0];
}

IrValue *ir_build_cmp(IrBuilder *b, unsigned kind, IrValue *lhs, IrValue *rhs)
{
	IrValue *operands[] = {lhs, rhs};
	return &build_with_attr(b, OP_CMP, NAME_kind, ir_attr_enum(b->m, ENUM_CMP, kind),
	                        ir_type_simple(b->m, TYPE_BOOL), operands, 2)
	            ->results[0];
}

IrValue *ir_build_alloca(IrBuilder *b, IrType *type, Str name, uint64_t align)
{
	IrNamedAttr attrs[] = {
	    {ir_known_name(b->m, NAME_name), ir_attr_string(b->m, name)},
	    {ir_known_name(b->m, NAME_alignment), ir_attr_i64(b->m, (int64_t)align)},
	};
	IrType *result = ir_type_ptr(b->m, type);
	IrOpSpec spec = {.kind = OP_ALLOCA,
	                 .attrs = attrs,
	                 .nattrs = align ? 2 : 1,
	                 .result_types = &result,
	                 .nresults = 1};
	return &ir_build_spec(b, &spec)->results[0];
}

IrValue *ir_build_load(IrBuilder *b, IrValue *ptr)
{
	return &ir_build(b, OP_LOAD, ptr->type->elem, &ptr, 1)->results[0];
}

void ir_build_store(IrBuilder *b, IrValue *v, IrValue *ptr)
{
	IrValue *operands[] = {v, ptr};
	ir_build(b, OP_STORE, NULL, operands, 2);
}

static IrType *value_result(IrType *result)
{
	return result && result->kind != TYPE_VOID ? result : NULL;
}

IrOp *ir_build_call(IrBuilder *b, Name *callee, IrType *result, IrValue *const *args, uint32_t nargs)
{
	return build_with_attr(b, OP_CALL, NAME_callee, ir_attr_symbol(b->m, callee), value_result(result),
	                       args, nargs);
}

void ir_set_flag(IrModule *m, IrOp *op, NameId name)
{
	ir_op_set_attr(m, op, ir_known_name(m, name), ir_attr_unit(m));
}

void ir_set_enum(IrModule *m, IrOp *op, NameId name, EnumClass c, unsigned word)
{
	ir_op_set_attr(m, op, ir_known_name(m, name), ir_attr_enum(m, c, word));
}

IrValue *ir_build_get_global(IrBuilder *b, Name *symbol)
{
	const IrOp *found = ir_symbol(symbol);
	const IrAttr *space = ir_op_attr(found, NAME_addr_space);
	IrOp *op = build_with_attr(b, OP_GET_GLOBAL, NAME_symbol, ir_attr_symbol(b->m, symbol),
	                           ir_type_ptr_in(b->m, ir_symbol_type(found), space), NULL, 0);
	if (ir_op_has(found, NAME_tls_model))
		ir_set_flag(b->m, op, NAME_thread_local);
	if (ir_op_has(found, NAME_static_local_guard))
		ir_set_flag(b->m, op, NAME_static_local);
	return &op->results[0];
}

IrValue *ir_build_bitcast(IrBuilder *b, IrValue *v, IrType *to)
{
	return v->type == to ? v : ir_build_cast(b, CAST_BITCAST, v, to);
}

IrOp *ir_build_regions(IrBuilder *b, OpKind kind, IrValue *operand, IrType *result, uint32_t nregions)
{
	IrOpSpec spec = {
	    .kind = kind, .operands = &operand, .noperands = operand != NULL, .nregions = nregions};
	spec.result_types = &result;
	spec.nresults = result != NULL;
	return ir_build_spec(b, &spec);
}

IrBuilder ir_in_region(const IrBuilder *b, IrRegion *r)
{
	IrBlock *block = ir_block_create(b->m, b->loc);
	ir_block_append(r, block);
	return ir_at_end(b->m, block, b->loc);
}

void ir_build_yield(IrBuilder *b, IrValue *v)
{
	ir_build(b, OP_YIELD, NULL, &v, v != NULL);
}

IrOp *ir_func_create(IrModule *m, Name *name, IrType *type, Loc loc)
{
	IrNamedAttr attrs[] = {
	    {ir_known_name(m, NAME_sym_name), ir_attr_symbol(m, name)},
	    {ir_known_name(m, NAME_function_type), ir_attr_type(m, type)},
	};
	IrOpSpec spec = {
	    .kind = OP_FUNC, .loc = loc, .nregions = 1, .attrs = attrs, .nattrs = ARRAY_LEN(attrs)};
	IrOp *op = ir_op_create(m, &spec);
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
	return op;
}

/* What says how code is made of a function, not what it is called or called with. */
static bool is_about_code(const IrNamedAttr *a)
{
	static const NameId known[] = {NAME_optnone,           NAME_optimize_none, NAME_optsize,
	                               NAME_minsize,           NAME_strictfp,      NAME_frame_pointer,
	                               NAME_default_func_attrs};
	for (unsigned i = 0; i < ARRAY_LEN(known); i++)
		if (a->name->id == (uint32_t)known[i])
			return true;
	return a->name->id >= NAME_COUNT && a->value->kind == ATTR_STRING;
}

IrOp *ir_func_create_part(IrModule *m, const IrOp *whole, const char *what, IrType *type, Loc loc)
{
	ArenaMark mark = arena_mark(&m->scratch);
	const char *stem = arena_printf(&m->scratch, "%s.%s", ir_symbol_name(whole)->text, what);
	IrOp *func = ir_func_create(m, ir_free_name(m, str_of(stem)), type, loc);
	arena_release(&m->scratch, mark);
	ir_set_enum(m, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	for (uint32_t i = 0; i < whole->nattrs; i++)
		if (is_about_code(&whole->attrs[i]))
			ir_op_set_attr(m, func, whole->attrs[i].name, whole->attrs[i].value);
	return func;
}

IrOp *ir_func_declare(IrModule *m, Str name, IrType *type)
{
	Name *n = ir_name(m, name);
	IrOp *found = ir_symbol(n);
	if (found)
		return found;
	IrOp *op = ir_func_create(m, n, type, (Loc){0});
	ir_op_set_attr(m, op, ir_known_name(m, NAME_sym_visibility),
	               ir_attr_enum(m, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE));
	return op;
}

IrBlock *ir_func_add_entry(IrModule *m, IrOp *func)
{
	CHECK(ir_func_is_declaration(func));
	IrBlock *b = ir_block_create(m, func->loc);
	ir_block_append(&func->regions[0], b);
	IrType *type = ir_func_type(func);
	for (uint32_t i = 0; i < type->nmembers; i++)
		ir_block_add_arg(m, b, type->members[i]);
	return b;
}

IrOp *ir_global_create(IrModule *m, Name *name, IrType *type, Loc loc)
{
	IrNamedAttr attrs[] = {
	    {ir_known_name(m, NAME_sym_name), ir_attr_symbol(m, name)},
	    {ir_known_name(m, NAME_sym_type), ir_attr_type(m, type)},
	    {ir_known_name(m, NAME_linkage), ir_attr_enum(m, ENUM_LINKAGE, LINKAGE_EXTERNAL)},
	};
	IrOp *op = ir_op_create(
	    m, &(IrOpSpec){
	           .kind = OP_GLOBAL, .loc = loc, .nregions = 2, .attrs = attrs, .nattrs = ARRAY_LEN(attrs)});
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
	return op;
}
