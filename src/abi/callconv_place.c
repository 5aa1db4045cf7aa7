/* abi/callconv_place.c: can an object be made where the result of its call is stored?
 *
 * Only if nothing can tell: the store follows the call straight, through edges that are the only ones of both their
 * ends, and between the two are only ops that neither read nor write memory. What the address needs of these is
 * computed in front of the call.
 */
#include "abi/rewrite.h"

enum { BLOCKS = 32 /* on the way */, LEFT = 32 /* ops that need the result */ };

/* Slots are where they are whenever the function runs. */
bool rewrite_is_harmless(const IrOp *op)
{
	return (op_info[op->kind].flags & OPF_PURE) || op->kind == OP_LABEL ||
	       (op->kind == OP_ALLOCA && op->noperands == 0);
}

/* What runs behind op whenever op has ended, and only then; NULL: nothing does. */
static IrOp *straight_behind(const IrOp *op, unsigned *blocks)
{
	if (!op->nsuccs)
		return op->next;
	IrBlock *dest = op->succs[0].dest;
	bool only = dest->preds && !dest->preds->next && !dest->nargs;
	return only && (*blocks)++ < BLOCKS ? dest->first : NULL;
}

static const IrOp *maker(const IrValue *v)
{
	return v->is_arg ? NULL : v->def.op;
}

typedef struct Way {
	bool straight, makes_address;
} Way;

static Way look_at_way(const IrOp *call, const IrOp *sink, const IrValue *memory)
{
	Way way = {0};
	unsigned blocks = 0;
	const IrOp *op = straight_behind(call, &blocks);
	for (; op && op != sink; op = straight_behind(op, &blocks)) {
		way.makes_address |= op == maker(memory);
		if (op->kind != OP_BR && !rewrite_is_harmless(op))
			return way;
	}
	way.straight = op == sink;
	return way;
}

typedef struct Left {
	const IrOp *ops[LEFT];
	unsigned n;
} Left;

static bool is_left(const Left *left, const IrOp *op)
{
	for (unsigned i = 0; op && i < left->n; i++)
		if (left->ops[i] == op)
			return true;
	return false;
}

static bool needs_left(const Left *left, const IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++)
		if (is_left(left, maker(ir_operand(op, i))))
			return true;
	return false;
}

/* A front end may compute the value first, and then where it goes. */
static bool raise_address(const Rewrite *r, IrOp *call, const IrOp *sink, const IrValue *memory)
{
	Left left = {.ops = {call}, .n = 1};
	unsigned blocks = 0;
	for (IrOp *op = straight_behind(call, &blocks), *next; op != sink; op = next) {
		next = straight_behind(op, &blocks);
		if (op->kind == OP_ALLOCA) {
			rewrite_move_slot(r, &op->results[0]);
		} else if (needs_left(&left, op)) {
			if (left.n == LEFT)
				return false;
			left.ops[left.n++] = op;
		} else if (op_info[op->kind].flags & OPF_PURE) {
			ir_op_remove(op);
			ir_op_insert_before(call, op);
		}
	}
	return !is_left(&left, maker(memory));
}

const char *rewrite_place(const Rewrite *r, IrOp *call, const IrOp *sink, IrValue *memory)
{
	Way way = look_at_way(call, sink, memory);
	if (!way.straight)
		return "cannot be made here: the call is not followed by this at once";
	if (rewrite_is_slot(memory))
		rewrite_move_slot(r, memory);
	else if (way.makes_address && !raise_address(r, call, sink, memory))
		return "cannot be made here: the address is not known when the call is made";
	return NULL;
}
