/* Destructions of arrays that clang has written out as loops already, from the last element to the first:
 *
 *	*__array_idx = begin + n
 *	cir.do { %e = *__array_idx - 1; *__array_idx = %e; dtor(%e) } while { *__array_idx != begin }
 *
 * Where a destructor throws, the rest is destroyed as for a cir.array.dtor (array.c):
 *
 *	cir.cleanup.scope { while (*__array_idx != begin) { … } } cleanup eh { the same loop }
 *
 * Older loops, also those that construct, were wrong, and are put right.
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

/* NULL: it is no constant of 64 bits or fewer. */
static const IrAttr *number_of(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *a = op && op->kind == OP_CONST ? ir_op_attr(op, NAME_value) : NULL;
	return a && a->kind == ATTR_INT && !a->words ? a : NULL;
}

static bool is_number(const IrValue *v, uint64_t bits)
{
	const IrAttr *a = number_of(v);
	return a && a->bits == bits;
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
	             is_number(ir_operand(op, 1), UINT64_MAX);
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

/* The only value that is stored in the index outside of the loop; NULL: there are none, or several. */
static const IrValue *find_start(const IrOp *loop, const IrValue *index)
{
	const IrValue *start = NULL;
	IR_FOR_USES (u, index) {
		if (u->user->kind != OP_STORE || ir_op_parent(u->user) == loop)
			continue;
		if (start)
			return NULL;
		start = ir_operand(u->user, 0);
	}
	return start;
}

/* The op that makes v is `begin + n`; NULL: it is not. */
static IrOp *end_of_array(const IrValue *v)
{
	return v && !v->is_arg && v->def.op->kind == OP_PTR_STRIDE ? v->def.op : NULL;
}

/* What the loop asks for: *index, compared with something. NULL: something else. */
static IrOp *find_question(const IrOp *loop, const IrValue *index)
{
	const IrRegion *condition = &loop->regions[1];
	const IrOp *load = condition->first->first;
	IrOp *cmp = load ? load->next : NULL;
	if (condition->first != condition->last || !cmp || load->kind != OP_LOAD ||
	    ir_operand(load, 0) != index || cmp->kind != OP_CMP)
		return NULL;
	bool asks = ir_operand(cmp, 0) == &load->results[0] && cmp->next && cmp->next->kind == OP_CONDITION &&
	            ir_operand(cmp->next, 0) == &cmp->results[0];
	return asks ? cmp : NULL;
}

/* From `begin + n`, while *index != begin. Then the loop may also ask before the first element: where there is none, the
 * step to it had been out of the array. */
static bool ends_at_begin(const IrOp *loop, const IrValue *index)
{
	const IrOp *end = end_of_array(find_start(loop, index)), *cmp = find_question(loop, index);
	return end && cmp && ir_op_enum(cmp, NAME_kind, CMP_EQ) == CMP_NE &&
	       ir_operand(cmp, 1) == ir_operand(end, 0);
}

/* Elsewhere, the index may be what somebody destroys the rest by. */
static bool is_looked_at_elsewhere(const IrOp *loop, const IrValue *index)
{
	IR_FOR_USES (u, index)
		if (u->user->kind != OP_STORE && ir_op_parent(u->user) != loop)
			return true;
	return false;
}

/* The step to the element before or behind, by 1 or -1, which is the last thing that the body does; NULL: none. */
static IrOp *find_late_step(const IrBlock *body, uint64_t by)
{
	const IrOp *load = body->first, *yield = ir_block_terminator(body),
	           *store = yield ? yield->prev : NULL;
	IrOp *step = store ? store->prev : NULL;
	if (!step || load->kind != OP_LOAD || !is_index(ir_operand(load, 0)) || find_step(body))
		return NULL;
	bool steps = step->kind == OP_PTR_STRIDE && ir_operand(step, 0) == &load->results[0] &&
	             is_number(ir_operand(step, 1), by);
	bool stores = steps && store->kind == OP_STORE && ir_operand(store, 0) == &step->results[0] &&
	              ir_operand(store, 1) == ir_operand(load, 0);
	return stores ? step : NULL;
}

/* n - 1 → n; NULL: v is not such a number. */
static IrValue *one_more(IrBuilder *b, const IrValue *v)
{
	const IrAttr *number = number_of(v);
	if (number)
		return ir_build_const(b, ir_attr_int(b->m, number->type, number->bits + 1));
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	return op && op->kind == OP_SUB && is_number(ir_operand(op, 1), 1) ? ir_operand(op, 0) : NULL;
}

/* Of the loop alone, or compared with the begin. */
static bool is_end_of_array(const IrOp *end, const IrValue *index)
{
	IR_FOR_USES (u, &end->results[0]) {
		const IrOp *op = u->user;
		bool stored = op->kind == OP_STORE && ir_operand(op, 1) == index;
		if (!stored && (op->kind != OP_CMP || ir_operand(op, 1) != ir_operand(end, 0)))
			return false;
	}
	return true;
}

static void move_behind(IrOp *where, IrOp *op)
{
	ir_op_remove(op);
	ir_op_insert_before(where->next, op);
}

/* Until April of 2026 clang's loops begin at the last element and step behind its destruction:
 *
 *	*__array_idx = begin + (n - 1)
 *	cir.do { %e = *__array_idx; dtor(%e); *__array_idx = %e - 1 } while { *__array_idx != begin }
 *
 * They leave the first element out, and have no end where it is the only one. They become like the others. */
static void step_first(Flatten *f, const IrOp *loop)
{
	const IrRegion *body = &loop->regions[0];
	IrOp *step = body->first == body->last ? find_late_step(body->first, UINT64_MAX) : NULL;
	if (!step)
		return;
	IrOp *load = body->first->first, *store = step->next;
	const IrValue *index = ir_operand(load, 0), *back = ir_operand(step, 1);
	IrOp *end = end_of_array(find_start(loop, index));
	if (!ends_at_begin(loop, index) || is_looked_at_elsewhere(loop, index) ||
	    !is_end_of_array(end, index))
		return;
	IrBuilder b = ir_before(f->m, end);
	IrValue *n = one_more(&b, ir_operand(end, 1));
	if (!n)
		return;
	ir_set_operand(end, 1, n);
	move_behind(load, store);
	move_behind(load, step);
	if (back->def.op->block == body->first)
		move_behind(load, back->def.op);
	ir_value_replace(&load->results[0], &step->results[0]);
	ir_set_operand(step, 0, &load->results[0]);
}

/* clang's first loops go from `begin` on as long as *__array_idx == begin + n, which it never is, or for ever. */
static void ask_for_the_end(Flatten *f, const IrOp *loop)
{
	const IrBlock *body = loop->regions[0].first;
	if (body != loop->regions[0].last || !find_late_step(body, 1))
		return;
	const IrValue *index = ir_operand(body->first, 0), *begin = find_start(loop, index);
	IrOp *cmp = find_question(loop, index), *end = cmp ? end_of_array(ir_operand(cmp, 1)) : NULL;
	if (begin && end && ir_operand(end, 0) == begin && ir_op_enum(cmp, NAME_kind, CMP_NE) == CMP_EQ)
		ir_set_enum(f->m, cmp, NAME_kind, ENUM_CMP, CMP_NE);
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
	ask_for_the_end(f, op);
	step_first(f, op);
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
