/* Before the plan: what changes a context stands where a block begins or ends.
 *
 *   - the call that begins a catch, or terminates the program, is the first op of its block;
 *   - the call that ends a catch is the last op of its block before the branch;
 *   - a branch on a test stands alone in its block;
 *   - blocks of tests and of catches take no values: these wait in memory;
 *   - what is thrown has one type: a throw of several is copied for each edge that brings one. */
#include "lift/lifter.h"

#include "ir/function_entry.h"

static IrBlock *split_in_front(Lift *l, IrOp *op)
{
	IrBlock *b = op->block;
	if (op == b->first)
		return b;
	IrBuilder end = ir_at_end(l->m, b, op->loc);
	IrBlock *rest = ir_block_split(l->m, b, op, op->loc);
	ir_build_br(&end, rest, NULL, 0);
	return rest;
}

static void drop_unwind_edge(Lift *l, IrOp *op)
{
	IrOpSpec spec = ir_op_spec(op, l->mem);
	IrBuilder b = ir_before(l->m, op);
	spec.kind = ir_op_without_edges(op->kind);
	IrOp *made = ir_build_spec(&b, &spec);
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &made->results[i]);
	IrSucc *normal = &op->succs[0];
	IrValue **args = arena_array(l->mem, IrValue *, normal->nargs);
	for (uint32_t i = 0; i < normal->nargs; i++)
		args[i] = ir_succ_arg(normal, i); /* which may be a result */
	ir_build_br(&b, normal->dest, args, normal->nargs);
	ir_op_erase(op);
}

/* The edge for what the end of a catch throws goes: no table has it (docs/internals/exceptions.md). The others throw nothing (Itanium C++
 * ABI: Exception Handling, 2.4.2, 2.5.3). */
static bool loses_edge(LiftRole role)
{
	return role == LIFT_END || role == LIFT_BEGIN || role == LIFT_OBJECT || role == LIFT_ALLOCATE ||
	       role == LIFT_FREE;
}

void lift_drop_unwind_edges(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		if (b->last->nsuccs && loses_edge(lift_role(l->table, b->last)))
			drop_unwind_edge(l, b->last);
}

static void split_at(Lift *l, IrOp *op)
{
	switch (lift_role(l->table, op)) {
	case LIFT_END:
		if (op->next->kind != OP_BR)
			split_in_front(l, op->next);
		break;
	case LIFT_BEGIN:
	case LIFT_TERMINATE:
	case LIFT_UNEXPECTED:
		split_in_front(l, op);
		break;
	default:
		if (op->kind == OP_BRCOND && lift_part(l, ir_operand(op, 0)) == PART_TEST)
			split_in_front(l, op);
	}
}

/* Values */

static bool is_entered_by_unwinding(const IrBlock *b)
{
	return b->first && lift_is_pad(b->first);
}

/* A block on an edge that is one of several, which the edge's values come from. */
static IrSucc *own_edge(Lift *l, IrSucc *s)
{
	IrOp *last = s->op;
	if (last->nsuccs == 1)
		return s;
	IrBlock *b = ir_block_create(l->m, last->loc), *dest = s->dest;
	ir_block_insert_after(last->block, b);
	IrValue **args = arena_array(l->mem, IrValue *, s->nargs);
	uint32_t nargs = s->nargs;
	for (uint32_t i = 0; i < nargs; i++)
		args[i] = ir_succ_arg(s, i);
	ir_succ_set_args(l->m, last, ir_succ_index(s), NULL, 0);
	ir_succ_set_dest(s, b);
	IrBuilder at = ir_at_end(l->m, b, last->loc);
	return &ir_build_br(&at, dest, args, nargs)->succs[0];
}

bool lift_is_lifetime(const IrOp *op)
{
	const Name *callee = op->kind == OP_CALL ? ir_call_callee(op) : NULL;
	return callee && str_begins_with(name_str(callee), STR("llvm.lifetime."));
}

/* In front of an op, where a value is. */
typedef struct Place {
	IrOp *op;
	IrValue *value;
} Place;

/* To the op before, perhaps through the one edge that leads to the block, which brings what the block has as an argument. */
static bool step_back(Place *p)
{
	if (p->op->prev) {
		p->op = p->op->prev;
		return true;
	}
	const IrSucc *edge = p->op->block->preds;
	if (!edge || edge->next)
		return false;
	for (uint32_t i = 0; i < edge->nargs; i++)
		if (edge->dest->args[i] == p->value) {
			p->value = ir_succ_arg(edge, i);
			break;
		}
	p->op = edge->op;
	return true;
}

/* A constant can be anywhere. */
static bool is_defined_by(const IrOp *op, const IrValue *v)
{
	return !v->is_arg && v->def.op == op && op->kind != OP_CONST;
}

static bool does_nothing(const Lift *l, const IrOp *op)
{
	return op->kind == OP_BR || lift_is_plumbing(l, op) || lift_is_lifetime(op) ||
	       op_info[op->kind].flags & OPF_PURE;
}

/* Over the tests of a dispatch, or the end of a catch, where nothing happens between: what unwinds out of a try and out of its handlers
 * has to go to the same cleanup on Windows, and a store alone would make one for each. An edge whose store stands over a test
 * has it to itself (crossed): the store of another edge stays where it is, since among the tests all who come after it would see it. */
static Place earliest(Lift *l, const IrSucc *s, IrValue *v, PtrMap *crossed)
{
	Place found = {s->op, v}, at = found;
	while (step_back(&at) && !is_defined_by(at.op, at.value) && !lift_is_pad(at.op)) {
		if (lift_role(l->table, at.op) == LIFT_END)
			return at;
		bool test = at.op->kind == OP_BRCOND && lift_part(l, ir_operand(at.op, 0)) == PART_TEST;
		if (test && ptrmap_get(crossed, at.op))
			return (Place){s->op, v};
		if (!test && !does_nothing(l, at.op))
			break;
		if (!test)
			continue;
		ptrmap_put(l->mem, crossed, at.op, at.op);
		found = at;
	}
	return found;
}

static IrValue *constant_at(IrBuilder *b, IrValue *v)
{
	bool constant = !v->is_arg && v->def.op->kind == OP_CONST;
	return constant ? ir_build_const(b, ir_op_attr(v->def.op, NAME_value)) : v;
}

static void store_on_edge(Lift *l, IrSucc *s, uint32_t index, IrValue *slot, PtrMap *crossed)
{
	s = own_edge(l, s);
	Place place = earliest(l, s, ir_succ_arg(s, index), crossed);
	IrBuilder at = ir_before(l->m, place.op);
	ir_build_store(&at, constant_at(&at, place.value), slot);
	IrValue **args = arena_array(l->mem, IrValue *, s->nargs);
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->nargs; i++)
		if (i != index)
			args[n++] = ir_succ_arg(s, i);
	ir_succ_set_args(l->m, s->op, ir_succ_index(s), args, n);
}

static void store_on_edges(Lift *l, IrBlock *b, uint32_t index, IrValue *slot)
{
	VEC(IrSucc *) edges = {0};
	PtrMap crossed = {0};
	IR_FOR_PREDS(s, b)
	vec_push(l->mem, &edges, s);
	for (uint32_t i = 0; i < edges.len; i++)
		store_on_edge(l, edges.data[i], index, slot, &crossed);
}

static void send_through_memory(Lift *l, IrBlock *b)
{
	if (is_entered_by_unwinding(b) || b == l->func->regions[0].first)
		return;
	for (uint32_t i = b->nargs; i-- > 0;) {
		IrValue *arg = b->args[i];
		if (lift_vanishes(l, arg))
			continue;
		IrBuilder entry = ir_before(l->m, abi_entry_front(l->func));
		IrValue *slot = ir_build_alloca(&entry, arg->type, STR("__across_pads"), 0);
		store_on_edges(l, b, i, slot);
		IrBuilder at = ir_before(l->m, b->first);
		ir_value_replace(arg, ir_build_load(&at, slot));
		ir_block_remove_arg(b, i);
	}
}

static bool takes_plain_values(const Lift *l, const IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		if (!lift_vanishes(l, b->args[i]))
			return true;
	return false;
}

bool lift_is_branch_on_test(const Lift *l, const IrBlock *b)
{
	return b->first->kind == OP_BRCOND && lift_part(l, ir_operand(b->first, 0)) == PART_TEST;
}

bool lift_begins_catch(const Lift *l, const IrBlock *b)
{
	const IrOp *op = b->first;
	return lift_role(l->table, op) == LIFT_BEGIN && lift_part(l, ir_call_arg(op, 0)) == PART_POINTER;
}

bool lift_is_terminate(const Lift *l, const IrBlock *b)
{
	LiftRole role = lift_role(l->table, b->first);
	return role == LIFT_TERMINATE || role == LIFT_UNEXPECTED;
}

/* The address of a type info that a test asks for. */
static bool is_asked_address(const Lift *l, const IrOp *op)
{
	if ((op->kind != OP_GET_GLOBAL && op->kind != OP_CAST) || !op->results[0].uses)
		return false;
	IR_FOR_USES (u, &op->results[0])
		if (lift_role(l->table, u->user) != LIFT_TYPE &&
		    !(u->user->kind == OP_CAST && is_asked_address(l, u->user)))
			return false;
	return true;
}

bool lift_is_plumbing(const Lift *l, const IrOp *op)
{
	if (is_asked_address(l, op))
		return true;
	if (op->kind == OP_STORE)
		return lift_is_slot(l, ir_operand(op, 1));
	if (op->nsuccs || !op->nresults || lift_is_pad(op))
		return false;
	for (uint32_t i = 0; i < op->nresults; i++)
		if (!lift_vanishes(l, &op->results[i]))
			return false;
	return true;
}

static bool ends_in_test(const Lift *l, const IrBlock *b)
{
	return b->last->kind == OP_BRCOND && lift_part(l, ir_operand(b->last, 0)) == PART_TEST;
}

static bool has_begin(const Lift *l, const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (lift_role(l->table, op) == LIFT_BEGIN)
			return true;
	return false;
}

/* What a test or a catch takes waits in memory; what its branches bring comes from blocks of their own. */
static void send_values(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		if (has_begin(l, b) || ends_in_test(l, b))
			send_through_memory(l, b);
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		for (uint32_t i = 0; ends_in_test(l, b) && i < b->last->nsuccs; i++)
			if (takes_plain_values(l, b->last->succs[i].dest))
				own_edge(l, &b->last->succs[i]);
}

/* A constant stands where it is used, or, if it is brought to a block, at the beginning of the function: code in flight that only makes
 * one would be a cleanup. */
static void bring_constant(Lift *l, IrOp *op, uint32_t operand)
{
	const IrValue *v = ir_operand(op, operand);
	bool brought = operand >= ir_op_nmain(op);
	IrOp *front = abi_entry_front(l->func);
	const IrBlock *wanted = brought ? front->block : op->block;
	if (v->is_arg || v->def.op->kind != OP_CONST || v->def.op->block == wanted)
		return;
	IrBuilder at = ir_before(l->m, brought ? front : op);
	ir_set_operand(op, operand, ir_build_const(&at, ir_op_attr(v->def.op, NAME_value)));
}

static void bring_constants(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b)
			for (uint32_t i = 0; i < op->noperands; i++)
				bring_constant(l, op, i);
}

void lift_split(Lift *l)
{
	send_values(l);
	bring_constants(l);
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		IrOp *next;
		for (IrOp *op = b->first; op; op = next) {
			next = op->next;
			split_at(l, op);
			if (op->block != b)
				break; /* goes on in the next block */
		}
	}
}
