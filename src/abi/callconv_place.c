/* abi/callconv_place.c: is where a result is stored known when the call is made? */
#include "abi/rewrite.h"

enum { BLOCKS = 32, OPS = 4096 /* looked at */, STEPS = 8 /* to an address */ };

typedef struct At {
	Rewrite *r;
	IrOp *call;
	const IrOp *sink;
} At;

typedef enum Place { BEFORE_CALL, BEHIND_CALL, UNKNOWN_PLACE } Place;

static IrBlock *behind(const IrOp *call)
{
	return call->nsuccs ? call->succs[0].dest : call->block;
}

/* Is `above` b, or a block that every way to b comes through last? */
static bool leads_straight(const IrBlock *above, const IrBlock *b)
{
	for (unsigned n = 0; b != above && n < BLOCKS; n++) {
		if (!b->preds || b->preds->next)
			return false;
		b = b->preds->op->block;
	}
	return b == above;
}

/* Of what is made in the block of the call. */
static Place place_in_block(const IrOp *call, const IrOp *sink, const IrOp *made)
{
	const IrOp *op = call;
	unsigned n = 0;
	while (op && op != sink && op != made && n++ < OPS)
		op = op->next;
	return op == made ? BEHIND_CALL : n < OPS ? BEFORE_CALL : UNKNOWN_PLACE;
}

/* Address and result both come before the sink. An address that is not computed between the call and the sink is
 * there when the call is, however far away that is. */
static Place place_of(const At *at, const IrValue *v)
{
	const IrOp *call = at->call;
	const IrBlock *made = v->is_arg ? v->def.block : v->def.op->block;
	if (made == call->block)
		return v->is_arg || call->nsuccs ? BEFORE_CALL : place_in_block(call, at->sink, v->def.op);
	if (made == at->r->func->regions[0].first || leads_straight(made, call->block))
		return BEFORE_CALL;
	if (!leads_straight(behind(call), at->sink->block))
		return UNKNOWN_PLACE;
	return leads_straight(made, at->sink->block) && leads_straight(behind(call), made) ? BEHIND_CALL
	                                                                                   : BEFORE_CALL;
}

/* A front end may compute the value first, and then where it goes. Steps from address to address can as well be made
 * in front of the call. */
static bool raise_address(const At *at, IrValue *v, unsigned depth)
{
	Place place = place_of(at, v);
	IrOp *op = v->is_arg ? NULL : v->def.op;
	if (place != BEHIND_CALL)
		return place == BEFORE_CALL;
	bool step =
	    op && (op_info[op->kind].flags & OPF_PURE) && (v->type->kind == TYPE_PTR || op->kind == OP_CONST);
	for (uint32_t i = 0; step && i < op->noperands; i++)
		step = depth > 0 && raise_address(at, ir_operand(op, i), depth - 1);
	if (!step)
		return false;
	ir_op_remove(op);
	ir_op_insert_before(at->call, op);
	return true;
}

bool rewrite_is_there(Rewrite *r, IrOp *call, const IrOp *sink, IrValue *memory)
{
	At at = {r, call, sink};
	if (!rewrite_is_slot(memory))
		return raise_address(&at, memory, STEPS);
	rewrite_move_slot(r, memory);
	return true;
}
