/* Exceptions in the Microsoft form (cir-reference 5.13), op by op. How pads nest and where
 * they lead is verify/funclet.c's part. */
#include "verify/verifier.h"

static bool check_personality(Verifier *v, const IrOp *op)
{
	Personality p = verifier_personality(v->symbol);
	if (p == PERSONALITY_FUNCLET || p == PERSONALITY_FILTER)
		return true;
	if (p == PERSONALITY_NONE)
		verifier_error(v, op,
		               "needs a function with personality '__CxxFrameHandler3' or "
		               "'__C_specific_handler'");
	else
		verifier_error(v, op,
		               "does not work with personality '%s'; pads need '__CxxFrameHandler3' or "
		               "'__C_specific_handler'",
		               ir_op_symbol(v->symbol, NAME_personality)->text);
	return false;
}

/* The op that made the token of operand #0, or NULL: reported. */
static const IrOp *check_maker(Verifier *v, const IrOp *op, OpKind want)
{
	const IrValue *token = ir_operand(op, 0);
	const IrOp *def = token->is_arg ? NULL : token->def.op;
	bool near = def && def->block && def->block->region == op->block->region;
	if (near && def->kind == want)
		return def;
	verifier_error(v, op, ": operand #0 must be the token of '%s'", op_info[want].name);
	if (def)
		verifier_note(v, def->loc, "it is the token of '%s'", op_info[def->kind].name);
	return NULL;
}

/* Pads nest in handlers only. LLVM accepts one inside a cleanup and then leaves it out of the tables. */
static bool check_parent(Verifier *v, const IrOp *op)
{
	if (ir_op_nmain(op) == 0)
		return true;
	const IrValue *token = ir_operand(op, 0);
	if (token->is_arg || token->def.op->kind != OP_CLEANUPPAD)
		return check_maker(v, op, OP_CATCHPAD) != NULL;
	verifier_error(v, op, "cannot be in a cleanup, since Microsoft's tables cannot describe pads there");
	verifier_note(v, token->def.op->loc, "the cleanup begins here");
	return false;
}

/* catchswitch */

static bool check_handler(Verifier *v, const IrOp *op, const IrSucc *s)
{
	const IrOp *pad = s->dest->first;
	if (s->nargs) {
		verifier_error(v, op, "passes arguments to handler #%u; leave them out", ir_succ_index(s));
		return false;
	}
	if (pad && pad->kind == OP_CATCHPAD && pad->noperands && ir_operand(pad, 0) == &op->results[0])
		return true;
	verifier_error(v, op, ": handler #%u must begin with a 'cir.catchpad' of this op", ir_succ_index(s));
	verifier_note(v, s->dest->loc, "the handler is here");
	return false;
}

static bool check_handlers(Verifier *v, const IrOp *op, uint32_t nhandlers)
{
	uint32_t n = 0;
	bool ok = true;
	for (; n < nhandlers && ok; n++) {
		const IrSucc *s = &op->succs[n];
		ok = check_handler(v, op, s);
		if (ok && v->mark[s->dest->id]++) {
			verifier_error(v, op, ": handler #%u is given twice", n);
			ok = false;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		v->mark[op->succs[i].dest->id] = 0;
	return ok;
}

void verify_catchswitch(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->pads, op);
	bool to_caller = ir_op_has(op, NAME_unwind_to_caller);
	uint32_t nhandlers = op->nsuccs - (to_caller ? 0 : 1);
	if (op->nsuccs == 0 || nhandlers == 0)
		verifier_error(v, op, "needs at least one handler, and an unwind destination or 'caller'");
	else if (nhandlers > 1 && verifier_personality(v->symbol) == PERSONALITY_FILTER)
		verifier_error(v, op,
		               ": expected 1 handler in a function with personality '__C_specific_handler', "
		               "found %u",
		               nhandlers);
	else if (verifier_check_landing(v, op) && check_personality(v, op) && check_parent(v, op))
		check_handlers(v, op, nhandlers);
}

/* catchpad */

/* The runtime copies the exception into the object before the handler's frame exists: LLVM finds it in the
 * fixed part of the parent's frame only. */
static bool check_object(Verifier *v, const IrOp *op)
{
	const IrValue *object = op->noperands > 1 ? ir_operand(op, 1) : NULL;
	if (!object)
		return true;
	const IrOp *slot = object->is_arg ? NULL : object->def.op;
	if (slot && slot->kind == OP_ALLOCA && slot->noperands == 0 &&
	    slot->block->region->first == slot->block)
		return true;
	verifier_error(v, op,
	               ": the catch object must be a 'cir.alloca' of constant size in the entry block");
	if (slot)
		verifier_note(v, slot->loc, "the catch object is defined here");
	return false;
}

/* Of structured exceptions, whose tables have nothing else. */
static bool check_filter(Verifier *v, const IrOp *op, const IrAttr *filter)
{
	if (filter->kind != ATTR_SYMBOL)
		verifier_error(v, op, ": expected attribute 'filter' to be a symbol, '@name'");
	else if (ir_op_has(op, NAME_type_descriptor) || ir_op_has(op, NAME_adjectives) || op->noperands > 1)
		verifier_error(v, op,
		               "with a filter cannot have a type descriptor, adjectives or a catch object");
	else
		return verifier_check_symbol(v, op, filter->name, true);
	return false;
}

static bool check_clause(Verifier *v, const IrOp *op)
{
	const IrAttr *filter = ir_op_attr(op, NAME_filter);
	bool filters = verifier_personality(v->symbol) == PERSONALITY_FILTER;
	if (filters != (filter != NULL)) {
		verifier_error(v, op,
		               filters ? "needs '[filter @function]' in a function with personality "
		                         "'__C_specific_handler'"
		                       : "cannot have a filter in a function with personality "
		                         "'__CxxFrameHandler3'");
		return false;
	}
	if (filter)
		return check_filter(v, op, filter);
	enum { ADJECTIVES = 1 | 2 | 4 | 8 | 64, ELLIPSIS = 64 };
	const IrAttr *type = ir_op_attr(op, NAME_type_descriptor);
	uint64_t adjectives = ir_op_uint(op, NAME_adjectives, UINT64_MAX);
	if (type && type->kind != ATTR_SYMBOL)
		verifier_error(v, op, ": expected attribute 'type_descriptor' to be a symbol, '@name'");
	else if (adjectives & ~(uint64_t)ADJECTIVES)
		verifier_error(v, op, ": the adjectives must be a sum of 1, 2, 4, 8 and 64");
	else if (!type != (adjectives == ELLIPSIS))
		verifier_error(v, op,
		               ": a handler without a type descriptor must have the adjectives 64, and no "
		               "other handler may");
	else if (!type && op->noperands > 1)
		verifier_error(v, op, "cannot have a catch object, since it catches all types");
	else
		return !type || verifier_check_symbol(v, op, type->name, false);
	return false;
}

void verify_catchpad(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->pads, op);
	const IrOp *of = check_maker(v, op, OP_CATCHSWITCH);
	if (!of || !verifier_check_landing(v, op) || !check_personality(v, op) || !check_clause(v, op) ||
	    !check_object(v, op))
		return;
	IR_FOR_PREDS(s, op->block)
	{
		if (s->op == of && !verifier_unwinds(s))
			continue;
		verifier_error(v, op, "must be in a block that only its 'cir.eh.catchswitch' leads to");
		verifier_note(v, s->op->loc, "the block is also a successor of this op");
		return;
	}
}

void verify_catchret(Verifier *v, const IrOp *op)
{
	check_maker(v, op, OP_CATCHPAD);
}

/* Cleanups */

void verify_cleanuppad(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->pads, op);
	if (verifier_check_landing(v, op) && check_personality(v, op))
		check_parent(v, op);
}

void verify_cleanupret(Verifier *v, const IrOp *op)
{
	if (op->nsuccs > 1)
		verifier_error(v, op, ": expected at most 1 successor, found %u", op->nsuccs);
	else
		check_maker(v, op, OP_CLEANUPPAD);
}
