/* Destructions of arrays that clang has written out as loops already, from the last element to the first:
 *
 *	*__array_idx = begin + n
 *	cir.do { %e = *__array_idx - 1; *__array_idx = %e; dtor(%e) } while { *__array_idx != begin }
 *
 * Where a destructor throws, the rest is destroyed as for a cir.array.dtor (array.c):
 *
 *	cir.cleanup.scope { while (*__array_idx != begin) { … } } cleanup eh { the same loop }
 */
#include "flatten/internal.h"

#include "ir/catch.h"
#include "ir/clone.h"

static bool is_index(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *name = op && op->kind == OP_ALLOCA ? ir_op_attr(op, NAME_name) : NULL;
	return name && str_equal(name_str(name->name), STR("__array_idx"));
}

static bool is_minus_one(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *a = op && op->kind == OP_CONST ? ir_op_attr(op, NAME_value) : NULL;
	return a && a->kind == ATTR_INT && !a->words && a->bits == UINT64_MAX;
}

/* The step to the element before, which is stored before anything else happens; NULL: none. */
static const IrOp *find_step(const IrBlock *body)
{
	const IrOp *load = body->first, *op = load ? load->next : NULL;
	if (!load || load->kind != OP_LOAD || !is_index(ir_operand(load, 0)))
		return NULL;
	while (op && op->kind == OP_CONST)
		op = op->next;
	bool steps = op && op->kind == OP_PTR_STRIDE && ir_operand(op, 0) == &load->results[0] &&
	             is_minus_one(ir_operand(op, 1));
	const IrOp *store = steps ? op->next : NULL;
	bool stores = store && store->kind == OP_STORE && ir_operand(store, 0) == &op->results[0] &&
	              ir_operand(store, 1) == ir_operand(load, 0);
	return stores ? op : NULL;
}

/* Does what is done to the element throw, and is it a destructor's call, which can be copied? */
static bool destruction_throws(const IrOp *step)
{
	bool throws = false;
	for (const IrOp *op = step->next; op && op->kind != OP_YIELD; op = op->next) {
		if (op->nregions || op->kind == OP_LABEL || (op_info[op->kind].flags & OPF_TERM))
			return false;
		throws |= ir_op_may_throw(op);
	}
	return throws;
}

/* The index begins at `begin + n`, and nothing else is stored in it outside of the loop. NULL: it does not. */
static const IrValue *find_begin(const IrOp *loop, const IrValue *index)
{
	const IrOp *end = NULL;
	IR_FOR_USES (u, index) {
		if (u->user->kind != OP_STORE || ir_op_parent(u->user) == loop)
			continue;
		const IrValue *stored = ir_operand(u->user, 0);
		if (end || stored->is_arg || stored->def.op->kind != OP_PTR_STRIDE)
			return NULL;
		end = stored->def.op;
	}
	return end ? ir_operand(end, 0) : NULL;
}

/* *index != begin. Then the loop may also ask before the first element: where there is none, the step to it had been out
 * of the array. */
static bool ends_at_begin(const IrOp *loop, const IrValue *index)
{
	const IrRegion *condition = &loop->regions[1];
	const IrValue *begin = find_begin(loop, index);
	const IrOp *load = condition->first->first, *cmp = load ? load->next : NULL;
	if (!begin || condition->first != condition->last || !cmp || load->kind != OP_LOAD ||
	    ir_operand(load, 0) != index || cmp->kind != OP_CMP)
		return false;
	return ir_op_enum(cmp, NAME_kind, CMP_EQ) == CMP_NE && ir_operand(cmp, 0) == &load->results[0] &&
	       ir_operand(cmp, 1) == begin && cmp->next && cmp->next->kind == OP_CONDITION &&
	       ir_operand(cmp->next, 0) == &cmp->results[0];
}

/* Elsewhere, the index may be what somebody destroys the rest by. */
static bool is_looked_at_elsewhere(const IrOp *loop, const IrValue *index)
{
	IR_FOR_USES (u, index)
		if (u->user->kind != OP_STORE && ir_op_parent(u->user) != loop)
			return true;
	return false;
}

static bool needs_guard(const Flatten *f, const IrOp *loop)
{
	const IrRegion *body = &loop->regions[0];
	if (f->eh->kind == EH_TERMINATE || ir_module_option_is(f->m, "exceptions", false) ||
	    body->first != body->last)
		return false;
	const IrOp *step = find_step(body->first);
	const IrValue *index = step ? ir_operand(body->first->first, 0) : NULL;
	return step && ends_at_begin(loop, index) && destruction_throws(step) &&
	       !is_looked_at_elsewhere(loop, index);
}

static void copy(Flatten *f, const IrRegion *from, IrRegion *to)
{
	ArenaMark mark = arena_mark(f->mem);
	ir_region_clone(f->m, from, to, f->mem);
	arena_release(f->mem, mark);
}

bool flatten_array_loop(Flatten *f, IrOp *op)
{
	if (!needs_guard(f, op))
		return false;
	IrBlock *made = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, made, op->loc);
	IrOp *scope = expand_cleanup_scope(&b, CLEANUP_EH);
	IrBuilder body = expand_region(f, op, &scope->regions[0]);
	IrBuilder cleanup = expand_region(f, op, &scope->regions[1]);
	IrOp *loop = expand_region_op(&body, OP_WHILE, NULL, 3);
	IrOp *rest = expand_region_op(&cleanup, OP_WHILE, NULL, 3);
	for (uint32_t i = 0; i < 2; i++) {
		copy(f, &op->regions[i], &rest->regions[1 - i]);
		ir_region_move_blocks(&op->regions[i], &loop->regions[1 - i]);
	}
	expand_yield(&body);
	expand_yield(&cleanup);
	expand_done(f, made, op);
	return true;
}
