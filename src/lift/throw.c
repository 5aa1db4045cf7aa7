/* What a program throws. */
#include "lift/lifter.h"

#include "ir/clone.h"

static const IrValue *without_casts(const IrValue *v)
{
	while (!v->is_arg && v->def.op->kind == OP_CAST)
		v = ir_operand(v->def.op, 0);
	return v;
}

/* The symbol whose address it is; NULL: it is another value. */
static Name *symbol_of(const IrValue *v)
{
	v = without_casts(v);
	return !v->is_arg && v->def.op->kind == OP_GET_GLOBAL ? ir_op_symbol(v->def.op, NAME_symbol) : NULL;
}

static bool is_null(const IrValue *v)
{
	v = without_casts(v);
	const IrAttr *a =
	    !v->is_arg && v->def.op->kind == OP_CONST ? ir_op_attr(v->def.op, NAME_value) : NULL;
	return a && (a->kind == ATTR_ZERO || (a->kind == ATTR_PTR && a->bits == 0));
}

/* Throws of several types, or of objects that were allocated at several places: tables tell sizes */

static bool is_of_edges(const IrValue *v, const IrBlock *b)
{
	v = without_casts(v);
	return v->is_arg && v->def.block == b;
}

static bool is_used_elsewhere(const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		for (uint32_t i = 0; i < op->nresults; i++)
			IR_FOR_USES (u, &op->results[i])
				if (u->user->block != b)
					return true;
	for (uint32_t i = 0; i < b->nargs; i++)
		IR_FOR_USES (u, b->args[i])
			if (u->user->block != b)
				return true;
	return false;
}

static void copy_for_edge(Lift *l, IrBlock *b, IrSucc *s)
{
	PtrMap values = {0};
	IrBlock *copy = ir_block_create(l->m, b->loc);
	ir_block_insert_after(b, copy);
	for (uint32_t i = 0; i < b->nargs; i++)
		ptrmap_put(l->mem, &values, b->args[i], ir_succ_arg(s, i));
	IR_FOR_OPS (op, b) {
		IrOp *made = ir_op_clone(l->m, op, NULL, copy);
		for (uint32_t i = 0; i < op->noperands; i++) {
			IrValue *v = ptrmap_get(&values, ir_operand(op, i));
			if (v)
				ir_set_operand(made, i, v);
		}
		for (uint32_t i = 0; i < op->nresults; i++)
			ptrmap_put(l->mem, &values, &op->results[i], &made->results[i]);
	}
	ir_succ_set_args(l->m, s->op, ir_succ_index(s), NULL, 0);
	ir_succ_set_dest(s, copy);
}

static bool is_entered_by_unwinding(const IrBlock *b)
{
	IR_FOR_PREDS(s, b)
	if (ir_op_has_unwind_edge(s->op) && ir_succ_index(s) == 1)
		return true;
	return false;
}

static const IrOp *find_throw(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (lift_role(l->table, op) == LIFT_THROW)
			return op;
	return NULL;
}

static void split_throw(Lift *l, IrBlock *b)
{
	const IrOp *op = find_throw(l, b);
	if (!op || is_used_elsewhere(b) || is_entered_by_unwinding(b))
		return;
	if (is_of_edges(ir_call_arg(op, 0), b) || is_of_edges(ir_call_arg(op, 1), b) ||
	    is_of_edges(ir_call_arg(op, 2), b))
		while (b->preds)
			copy_for_edge(l, b, b->preds);
}

static const IrOp *select_of(const IrValue *v)
{
	v = without_casts(v);
	return !v->is_arg && v->def.op->kind == OP_SELECT ? v->def.op : NULL;
}

/* Type and destructor that a condition chooses become those of its branch, 1 or 2. */
static void choose(Lift *l, IrOp *op, const IrValue *condition, unsigned branch)
{
	for (unsigned i = 1; i < 3; i++) {
		const IrOp *select = select_of(ir_call_arg(op, i));
		if (!select || ir_operand(select, 0) != condition)
			continue;
		IrBuilder build = ir_before(l->m, op);
		IrValue *chosen = ir_operand(select, branch);
		ir_set_operand(op, i, ir_build_bitcast(&build, chosen, ir_call_arg(op, i)->type));
	}
}

/* Optimizers make one throw of two. */
static void branch_to_throws(Lift *l, IrBlock *b)
{
	IrOp *op = (IrOp *)(uintptr_t)find_throw(l, b);
	const IrOp *select = op ? select_of(ir_call_arg(op, 1)) : NULL;
	if (op && !select)
		select = select_of(ir_call_arg(op, 2));
	if (!select)
		return;
	IrValue *condition = ir_operand(select, 0);
	IrBlock *one = ir_block_split(l->m, b, op, op->loc), *other = ir_block_create(l->m, op->loc);
	ir_block_insert_after(one, other);
	IR_FOR_OPS (copied, one)
		ir_op_clone(l->m, copied, NULL, other);
	choose(l, one->first, condition, 1);
	choose(l, other->first, condition, 2);
	IrBuilder end = ir_at_end(l->m, b, op->loc);
	ir_build_brcond(&end, condition, (IrSuccSpec){.dest = one}, (IrSuccSpec){.dest = other});
}

/* Nothing follows a throw, where the module goes on, too. */
static void end_block(Lift *l, IrBlock *b)
{
	IrOp *op = b->first;
	while (op && lift_role(l->table, op) != LIFT_THROW && lift_role(l->table, op) != LIFT_RETHROW)
		op = op->next;
	const IrOp *next = !op ? NULL : op->nsuccs ? op->succs[0].dest->first : op->next;
	if (!next || next->kind == OP_UNREACHABLE)
		return;
	IrBlock *end = op->nsuccs ? ir_block_create(l->m, op->loc) : b;
	if (op->nsuccs) {
		ir_block_insert_after(b, end);
		ir_succ_set_args(l->m, op, 0, NULL, 0);
		ir_succ_set_dest(&op->succs[0], end);
	} else {
		ir_block_split(l->m, b, op->next, op->loc); /* nothing leads to the rest */
	}
	IrBuilder at = ir_at_end(l->m, end, op->loc);
	ir_build(&at, OP_UNREACHABLE, NULL, NULL, 0);
}

/* False: it is not constant. */
static bool allocated_size(const IrOp *call, uint64_t *size)
{
	const IrValue *v = without_casts(ir_call_arg(call, 0));
	return !v->is_arg && v->def.op->kind == OP_CONST &&
	       ir_attr_get_u64(ir_op_attr(v->def.op, NAME_value), size);
}

/* An object is as many bytes as were allocated, which tells tables how large it is. Its type says so from here on: where code is copied,
 * the address comes from memory. */
static void type_object(Lift *l, IrBlock *b)
{
	IrOp *op = (IrOp *)(uintptr_t)find_throw(l, b);
	const IrValue *v = op ? without_casts(ir_call_arg(op, 0)) : NULL;
	uint64_t size = 0;
	if (!v || v->is_arg || lift_role(l->table, v->def.op) != LIFT_ALLOCATE ||
	    !allocated_size(v->def.op, &size) || !size)
		return;
	IrBuilder build = ir_before(l->m, op);
	IrType *bytes = ir_type_ptr(l->m, ir_type_array(l->m, l->m->u8, size));
	ir_set_operand(op, 0, ir_build_bitcast(&build, ir_call_arg(op, 0), bytes));
}

/* The type and the destructor are symbols in the block of the throw, for the same reason. */
static void bring_symbols(Lift *l, IrBlock *b)
{
	IrOp *op = (IrOp *)(uintptr_t)find_throw(l, b);
	for (uint32_t i = 1; op && i < 3; i++) {
		const IrValue *v = ir_call_arg(op, i);
		Name *symbol = symbol_of(v);
		if (!symbol || without_casts(v)->def.op->block == b)
			continue;
		IrBuilder build = ir_before(l->m, op);
		ir_set_operand(op, i, ir_build_bitcast(&build, ir_build_get_global(&build, symbol), v->type));
	}
}

void lift_prepare_throws(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		end_block(l, b);
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		branch_to_throws(l, b);
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		split_throw(l, b);
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		type_object(l, b);
		bring_symbols(l, b);
	}
}

static void allocate(Lift *l, IrOp *op)
{
	uint64_t size = 0;
	if (!allocated_size(op, &size)) {
		lift_error(l, op, "allocates an exception of a size that is not constant");
		return;
	}
	IrBuilder b = ir_before(l->m, op);
	IrOp *made = ir_build(&b, OP_ALLOC_EXCEPTION, op->results[0].type, NULL, 0);
	ir_op_set_attr(l->m, made, ir_known_name(l->m, NAME_size), ir_attr_i64(l->m, (int64_t)size));
	ir_value_replace(&op->results[0], &made->results[0]);
}

static void build_throw(Lift *l, IrOp *op, IrBuilder *b, IrValue *object, const IrNamedAttr *attrs,
                        uint32_t n)
{
	IrSuccSpec edges[2];
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		IrSucc *s = &op->succs[i];
		IrValue **args = arena_array(l->mem, IrValue *, s->nargs);
		for (uint32_t k = 0; k < s->nargs; k++)
			args[k] = ir_succ_arg(s, k);
		edges[i] = (IrSuccSpec){s->dest, args, s->nargs};
	}
	IrOpSpec spec = {.kind = op->nsuccs ? OP_TRY_THROW : OP_THROW,
	                 .operands = &object,
	                 .noperands = object != NULL,
	                 .attrs = attrs,
	                 .nattrs = n,
	                 .succs = edges,
	                 .nsuccs = op->nsuccs};
	ir_build_spec(b, &spec);
}

static void throw_object(Lift *l, IrOp *op)
{
	Name *type = symbol_of(ir_call_arg(op, 1));
	if (!type) {
		lift_error(l, op, "throws an exception whose type is no symbol");
		return;
	}
	IrValue *dtor = ir_call_arg(op, 2);
	if (!symbol_of(dtor) && !is_null(dtor)) {
		lift_error(
		    l, op,
		    "throws an exception whose destructor is neither a function of the module nor null");
		return;
	}
	IrBuilder b = ir_before(l->m, op);
	IrNamedAttr attrs[] = {{ir_known_name(l->m, NAME_type_info), ir_attr_symbol(l->m, type)},
	                       {ir_known_name(l->m, NAME_dtor), NULL}};
	if (symbol_of(dtor))
		attrs[1].value = ir_attr_symbol(l->m, symbol_of(dtor));
	build_throw(l, op, &b, ir_call_arg(op, 0), attrs, 1 + (symbol_of(dtor) != NULL));
}

static void free_object(Lift *l, IrOp *op)
{
	IrBuilder b = ir_before(l->m, op);
	IrValue *object = ir_call_arg(op, 0);
	ir_build(&b, OP_FREE_EXCEPTION, NULL, &object, 1);
}

void lift_throw(Lift *l, IrOp *op)
{
	IrBuilder b = ir_before(l->m, op);
	switch (lift_role(l->table, op)) {
	case LIFT_ALLOCATE:
		allocate(l, op);
		break;
	case LIFT_FREE:
		free_object(l, op);
		break;
	case LIFT_THROW:
		throw_object(l, op);
		break;
	case LIFT_RETHROW:
		build_throw(l, op, &b, NULL, NULL, 0);
		break;
	default:
		return;
	}
	vec_push(l->mem, &l->gone, op);
}
