/* call/callconv_result_place.c: can an object be made where the result of its call is stored?
 *
 * Only if nothing can tell: the store follows the call straight, through edges that are the only ones of both their
 * ends, and between the two are only ops that neither read nor write memory. What the address needs of these is
 * computed in front of the call.
 */
#include "call/callconv_internal.h"

enum { BLOCKS = 32 /* on the way */, NEEDED = 64 /* ops that make the address */ };

/* Slots are where they are whenever the function runs. What depends on the floating point environment may end in a trap, and
 * a call may change the environment. */
bool rewrite_is_harmless(const IrOp *op)
{
	return ((op_info[op->kind].flags & OPF_PURE) && !ir_op_has(op, NAME_fenv)) || op->kind == OP_LABEL ||
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

/* The op that came before, on a way that is straight. */
static IrOp *straight_before(const IrOp *op)
{
	return op->prev ? op->prev : op->block->preds->op;
}

typedef struct Needed {
	const IrOp *ops[NEEDED];
	unsigned n;
} Needed;

static bool is_needed(const Needed *needed, const IrOp *op)
{
	for (unsigned i = 0; i < needed->n; i++)
		if (needed->ops[i] == op)
			return true;
	return false;
}

static bool need(Needed *needed, const IrValue *v)
{
	const IrOp *op = maker(v);
	if (!op || is_needed(needed, op))
		return true;
	if (needed->n == NEEDED)
		return false;
	needed->ops[needed->n++] = op;
	return true;
}

/* What the address is computed from, as far as that is behind the call. */
static bool find_needed(Needed *needed, const IrOp *call, const IrOp *sink, const IrValue *memory)
{
	if (!need(needed, memory))
		return false;
	for (const IrOp *op = straight_before(sink); op != call; op = straight_before(op)) {
		for (uint32_t i = 0; is_needed(needed, op) && i < op->noperands; i++)
			if (!need(needed, ir_operand(op, i)))
				return false;
	}
	return !is_needed(needed, call);
}

/* A front end may compute the value first, and then where it goes. */
static bool raise_address(const Rewrite *r, IrOp *call, const IrOp *sink, const IrValue *memory)
{
	Needed needed = {0};
	if (!find_needed(&needed, call, sink, memory))
		return false;
	IrOp *front = call;
	for (IrOp *op = straight_before(sink), *before; op != call; op = before) {
		before = straight_before(op);
		if (!is_needed(&needed, op))
			continue;
		if (op->kind == OP_ALLOCA) {
			rewrite_move_slot(r, &op->results[0]);
		} else {
			ir_op_remove(op);
			ir_op_insert_before(front, op);
			front = op;
		}
	}
	return true;
}

const char *rewrite_place(const Rewrite *r, IrOp *call, const IrOp *sink, IrValue *memory)
{
	Way way = look_at_way(call, sink, memory);
	if (!way.straight)
		return "other operations stand between the call and this store; store the result directly "
		       "after the call";
	if (rewrite_is_slot(memory))
		rewrite_move_slot(r, memory);
	else if (way.makes_address && !raise_address(r, call, sink, memory))
		return "the address is not known before the call; compute it there";
	return NULL;
}
