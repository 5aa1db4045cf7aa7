/* Loops over arrays that clang wrote in place of cir.array.ctor and cir.array.dtor, from its first version on until 2026. Their
 * index is a variable named `__array_idx`. Three things are wrong with them.
 *
 * The first ones go from `begin` on as long as *__array_idx == begin + n, which it never is, or for ever. They ask for `ne`.
 *
 * Until April of 2026 those that destroy begin at the last element and step only after destroying it, so that they leave the first
 * element out, and have no end where it is the only one:
 *
 *	*__array_idx = begin + (n - 1)
 *	cir.do { %e = *__array_idx; dtor(%e); *__array_idx = %e - 1 } while { *__array_idx != begin }
 *
 * They become like the later ones, which step first:
 *
 *	*__array_idx = begin + n
 *	cir.do { %e = *__array_idx - 1; *__array_idx = %e; dtor(%e) } while { *__array_idx != begin }
 *
 * And where a destructor throws, the rest is to be destroyed: such a loop becomes `cir.array.dtor begin, n { dtor }`. */
#include "repair/internal.h"

#include "ir/catch_region.h"

static bool is_index(const IrValue *v)
{
	return repair_is_variable(v, STR("__array_idx"));
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
static IrOp *find_step(const IrBlock *body)
{
	IrOp *load = body->first, *op = load ? load->next : NULL;
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

/* Does what is done to the element throw, and is it a destructor's call, alone? */
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

/* Is it loaded twice and stored twice, and nothing else? */
static bool has_uses_of_loop(const IrValue *index)
{
	uint32_t loads = 0, stores = 0, uses = 0;
	IR_FOR_USES (u, index) {
		uses++;
		loads += u->user->kind == OP_LOAD;
		stores += u->user->kind == OP_STORE && u == &u->user->operands[1];
	}
	return loads == 2 && stores == 2 && uses == 4;
}

static bool is_one_less(const IrValue *v)
{
	return number_of(v) ||
	       (!v->is_arg && v->def.op->kind == OP_SUB && is_number(ir_operand(v->def.op, 1), 1));
}

/* n - 1 → n, where is_one_less() */
static IrValue *one_more(IrBuilder *b, const IrValue *v)
{
	const IrAttr *number = number_of(v);
	return number ? ir_build_const(b, ir_attr_int(b->m, number->type, number->bits + 1))
	              : ir_operand(v->def.op, 0);
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

/* The step that comes too late in a loop that begins at the last element; NULL: it is not such a loop. */
static IrOp *step_to_move(const IrOp *loop)
{
	const IrBlock *body = loop->regions[0].first;
	IrOp *step = body == loop->regions[0].last ? find_late_step(body, UINT64_MAX) : NULL;
	const IrValue *index = step ? ir_operand(body->first, 0) : NULL;
	const IrOp *end = step ? end_of_array(find_start(loop, index)) : NULL;
	bool fits = end && ends_at_begin(loop, index) && !is_looked_at_elsewhere(loop, index) &&
	            is_end_of_array(end, index) && is_one_less(ir_operand(end, 1));
	return fits ? step : NULL;
}

static void step_first(IrModule *m, const IrOp *loop, IrOp *step)
{
	IrOp *load = loop->regions[0].first->first, *store = step->next;
	const IrValue *back = ir_operand(step, 1);
	IrOp *end = end_of_array(find_start(loop, ir_operand(load, 0)));
	IrBuilder b = ir_before(m, end);
	ir_set_operand(end, 1, one_more(&b, ir_operand(end, 1)));
	move_behind(load, store);
	move_behind(load, step);
	if (back->def.op->block == loop->regions[0].first)
		move_behind(load, back->def.op);
	ir_value_replace(&load->results[0], &step->results[0]);
	ir_set_operand(step, 0, &load->results[0]);
}

/* The question of a loop that goes on while it is at the end; NULL: it is not such a loop. */
static IrOp *question_to_turn(const IrOp *loop)
{
	const IrBlock *body = loop->regions[0].first;
	if (body != loop->regions[0].last || !find_late_step(body, 1))
		return NULL;
	const IrValue *index = ir_operand(body->first, 0), *begin = find_start(loop, index);
	IrOp *cmp = find_question(loop, index), *end = cmp ? end_of_array(ir_operand(cmp, 1)) : NULL;
	bool turns =
	    begin && end && ir_operand(end, 0) == begin && ir_op_enum(cmp, NAME_kind, CMP_NE) == CMP_EQ;
	return turns ? cmp : NULL;
}

/* May a destructor throw, and is the index of no other use? */
static bool needs_rest(const IrModule *m, const IrOp *loop)
{
	const IrBlock *body = loop->regions[0].first;
	if (ir_module_option_is(m, "exceptions", false) || body != loop->regions[0].last ||
	    (loop->nregions > 2 && loop->regions[2].first))
		return false;
	const IrOp *step = find_step(body);
	const IrValue *index = step ? ir_operand(body->first, 0) : NULL;
	return step && ends_at_begin(loop, index) && destruction_throws(step) &&
	       !is_looked_at_elsewhere(loop, index) && has_uses_of_loop(index);
}

/* What only the loop needed: its index, and the end that is stored there. */
static void erase_index(IrOp *variable, IrOp *end)
{
	while (variable->results[0].uses)
		ir_op_erase(variable->results[0].uses->user);
	ir_op_erase(variable);
	if (!end->results[0].uses)
		ir_op_erase(end);
}

/* `cir.array.dtor begin, n`, with what the loop does to each element. */
static void make_dtor(IrModule *m, IrOp *loop)
{
	IrBlock *body = loop->regions[0].first;
	IrOp *load = body->first, *step = find_step(body), *store = step->next;
	IrOp *variable = ir_operand(load, 0)->def.op,
	     *end = end_of_array(find_start(loop, ir_operand(load, 0)));
	IrValue *operands[] = {ir_operand(end, 0), ir_operand(end, 1)};
	IrBuilder b = ir_before(m, loop);
	IrOp *dtor = ir_build_spec(
	    &b, &(IrOpSpec){.kind = OP_ARRAY_DTOR, .operands = operands, .noperands = 2, .nregions = 1});
	ir_region_move_blocks(&loop->regions[0], &dtor->regions[0]);
	ir_value_replace(&step->results[0], ir_block_add_arg(m, body, operands[0]->type));
	IrOp *back = ir_operand(step, 1)->def.op; /* the number -1 */
	ir_op_erase(store);
	ir_op_erase(step);
	ir_op_erase(load);
	ir_op_erase(loop);
	if (!back->results[0].uses)
		ir_op_erase(back);
	erase_index(variable, end);
}

static void repair_loop(Repair *r, IrOp *loop)
{
	IrOp *cmp = question_to_turn(loop), *step = step_to_move(loop);
	if (cmp && repair_at(r, loop->loc))
		ir_set_enum(r->m, cmp, NAME_kind, ENUM_CMP, CMP_NE);
	bool agreed = step && repair_at(r, loop->loc);
	if (agreed)
		step_first(r->m, loop, step);
	if (needs_rest(r->m, loop) && (agreed || repair_at(r, loop->loc)))
		make_dtor(r->m, loop);
}

bool repair_array_loops(Repair *r)
{
	const IrRegion *body = &r->m->body;
	RepairOps loops = {0};
	if (!name_find(&r->m->names, STR("__array_idx")) || !r->m->made[OP_DO])
		return true;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_DO)
			vec_push(r->mem, &loops, op);
	for (uint32_t i = 0; i < loops.len; i++)
		repair_loop(r, loops.data[i]);
	return true;
}
