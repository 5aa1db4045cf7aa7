/* pick.c: what a change takes at random. */
#include "edit.h"

#include "base/vec.h"
#include "ir/build.h"

uint32_t pick_below(Edit *e, uint32_t n)
{
	e->random = e->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((e->random >> 33) % n);
}

IrOp *pick_op(Edit *e, bool (*wanted)(const IrOp *op))
{
	VEC(IrOp *) ops = {0};
	for (IrOp *op = ir_walk_first(&e->m->body); op; op = ir_walk_next(op, &e->m->body))
		if (!wanted || wanted(op))
			vec_push(e->arena, &ops, op);
	return ops.len ? ops.data[pick_below(e, ops.len)] : NULL;
}

bool pick_is_inner(const IrOp *op)
{
	return ir_op_parent(op) != NULL;
}

bool pick_is_middle(const IrOp *op)
{
	return pick_is_inner(op) && !(op_info[op->kind].flags & OPF_TERM);
}

bool pick_is_function(const IrOp *op)
{
	const IrType *type = op->kind == OP_FUNC && ir_symbol_name(op) ? ir_func_type(op) : NULL;
	return type && type->kind == TYPE_FUNC;
}

IrOp *pick_function_of(IrOp *op)
{
	for (IrOp *up = ir_op_parent(op); up; up = ir_op_parent(op))
		op = up;
	return op->nregions ? op : NULL;
}

typedef VEC(IrValue *) Values;

static void add_of_type(Edit *e, Values *values, IrValue *v, const IrType *type)
{
	if (v->type == type)
		vec_push(e->arena, values, v);
}

/* In the order of the text, which is near enough to "visible". */
static Values values_before(Edit *e, IrOp *at, const IrType *type)
{
	Values values = {0};
	IrOp *func = pick_function_of(at);
	for (uint32_t r = 0; func && r < func->nregions; r++) {
		const IrRegion *root = &func->regions[r];
		for (IrOp *op = ir_walk_first(root); op; op = ir_walk_next(op, root)) {
			if (op == op->block->first)
				for (uint32_t i = 0; i < op->block->nargs; i++)
					add_of_type(e, &values, op->block->args[i], type);
			if (op == at)
				return values;
			for (uint32_t i = 0; i < op->nresults; i++)
				add_of_type(e, &values, &op->results[i], type);
		}
	}
	return values;
}

static const IrAttr *some_constant(Edit *e, IrType *type)
{
	static const AttrKind kinds[] = {ATTR_ZERO, ATTR_ZERO, ATTR_UNDEF, ATTR_POISON};
	unsigned choice = pick_below(e, 2 * ARRAY_LEN(kinds));
	if (type->kind == TYPE_BOOL)
		return ir_attr_bool(e->m, choice & 1);
	if (type->kind == TYPE_INT && type->width <= 64 && choice < 6)
		return ir_attr_int(e->m, type, choice == 5 ? UINT64_MAX : choice);
	if (type->kind == TYPE_PTR)
		return ir_attr_null(e->m, type);
	return ir_attr_intern(e->m,
	                      &(IrAttr){.kind = kinds[choice % ARRAY_LEN(kinds)], .type = type, .depth = 1});
}

IrValue *pick_value(Edit *e, IrOp *at, IrType *type)
{
	Values values = values_before(e, at, type);
	if (values.len && !pick_one_in(e, 12)) {
		/* The last ones are visible more often. */
		uint32_t from = pick_one_in(e, 2) && values.len > 4 ? values.len - 4 : 0;
		return values.data[from + pick_below(e, values.len - from)];
	}
	IrBuilder b = ir_before(e->m, at);
	if (type->kind == TYPE_PTR && !type->attr && pick_one_in(e, 2))
		return ir_build_alloca(&b, type->elem, STR("new"), 8);
	return ir_build_const(&b, some_constant(e, type));
}

static IrType *existing_type(Edit *e)
{
	const TypeTable *types = &e->m->types;
	return types->held[pick_below(e, types->len)];
}

IrType *pick_type(Edit *e)
{
	static const uint32_t widths[] = {1, 7, 8, 16, 31, 32, 64, 65, 128, 129, 256, 1000};
	static const uint64_t counts[] = {0, 1, 2, 3, 4, 5, 8, 16, 17, 32};
	uint64_t count = counts[pick_below(e, ARRAY_LEN(counts))];
	IrType *t = existing_type(e);
	switch (pick_below(e, 14)) {
	case 0:
		return ir_type_int(e->m, widths[pick_below(e, ARRAY_LEN(widths))], pick_one_in(e, 2),
		                   pick_one_in(e, 3));
	case 1:
		return ir_type_simple(e->m, TYPE_HALF + pick_below(e, TYPE_F128 - TYPE_HALF + 1));
	case 2:
		return ir_type_ptr(e->m, t);
	case 3:
		return ir_type_array(e->m, t, count);
	case 4:
		return ir_type_vector(e->m, t, count ? count : 1, false);
	case 5:
		return ir_type_complex(e->m, t);
	case 6:
		return ir_type_func(e->m, &t, count & 1, pick_one_in(e, 2) ? t : e->m->s32,
		                    pick_one_in(e, 4));
	case 7: {
		IrType *members[] = {t, existing_type(e), e->m->s32};
		RecordBody body = {
		    .members = members, .nmembers = 1 + (uint32_t)count % 3, .packed = pick_one_in(e, 4)};
		return ir_type_anon_record(e->m, pick_one_in(e, 3) ? RECORD_UNION : RECORD_STRUCT, &body);
	}
	case 8:
		return ir_type_simple(e->m, TYPE_BOOL);
	default:
		return t;
	}
}

Name *pick_symbol(Edit *e)
{
	VEC(Name *) names = {0};
	IR_FOR_OPS (op, ir_module_block(e->m))
		if (op_info[op->kind].flags & OPF_SYMBOL)
			vec_push(e->arena, &names, ir_symbol_name(op));
	return names.len ? names.data[pick_below(e, names.len)] : NULL;
}
