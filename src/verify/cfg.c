/* Blocks and the edges between them. */
#include "verify/verifier.h"

/* Blocks */

static bool is_entry(const IrBlock *b)
{
	return b->region && b->region->first == b;
}

/* Tokens are block arguments only as long as they are not LLVM's, which no phi may take. */
static void check_arg_types(Verifier *v, const IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++) {
		const IrType *t = b->args[i]->type;
		if (ir_is_token(t) && (v->stage == STAGE_ITANIUM || v->stage == STAGE_MICROSOFT)) {
			diag_error(v->d, b->loc,
			           "block argument #%u is a token, '%s'; tokens cannot be block arguments "
			           "after ABI lowering",
			           i, verifier_type(v, t));
			return;
		}
		if (!verifier_type_fits(v, t)) {
			diag_error(v->d, b->loc, "block argument #%u has type '%s', which no value can have",
			           i, verifier_type(v, t));
			return;
		}
	}
}

void verifier_check_block(Verifier *v, const IrBlock *b)
{
	check_arg_types(v, b);
	if (!b->first)
		diag_error(v->d, b->loc, "block is empty; add a terminator");
	else if (!ir_block_terminator(b))
		diag_error(v->d, b->last->loc,
		           "block has no terminator after '%s'; add one, such as 'cir.return' or 'cir.yield'",
		           op_info[b->last->kind].name);
}

/* Entering a block by unwinding */

bool verifier_unwinds(const IrSucc *s)
{
	const IrOp *op = s->op;
	uint32_t i = ir_succ_index(s);
	if (ir_op_has_unwind_edge(op))
		return i == 1;
	switch (op->kind) {
	case OP_CATCHSWITCH:
		return i + 1 == op->nsuccs && !ir_op_has(op, NAME_unwind_to_caller);
	case OP_CLEANUPRET:
		return true;
	default:
		return false;
	}
}

const IrOp *verifier_landing(const IrBlock *b)
{
	if (!b->first)
		return NULL;
	switch (b->first->kind) {
	case OP_EH_INITIATE:
	case OP_EH_INFLIGHT:
	case OP_LANDING_PAD:
	case OP_CATCHSWITCH:
	case OP_CLEANUPPAD:
		return b->first;
	default:
		return NULL;
	}
}

bool verifier_check_landing(Verifier *v, const IrOp *op)
{
	if (op->prev) {
		verifier_error(v, op, "must be the first operation of its block");
		return false;
	}
	if (is_entry(op->block)) {
		verifier_error(v, op, "cannot be in the entry block, which unwinding does not reach");
		return false;
	}
	return true;
}

static const char *landing_ops(Stage s)
{
	switch (s) {
	case STAGE_ITANIUM:
		return "'cir.eh.inflight_exception'";
	case STAGE_MICROSOFT:
		return "'cir.eh.catchswitch' or 'cir.cleanuppad'";
	default:
		return "'cir.eh.initiate'";
	}
}

static bool check_unwinding(Verifier *v, const IrOp *op, const IrSucc *s)
{
	const IrOp *landing = verifier_landing(s->dest);
	if (verifier_unwinds(s) == (landing != NULL))
		return true;
	if (landing) {
		verifier_error(v, op, "branches to a block that only unwinding can enter");
		verifier_note(v, landing->loc, "it begins with '%s'", op_info[landing->kind].name);
	} else {
		verifier_error(v, op, ": the unwind destination must begin with %s", landing_ops(v->stage));
		verifier_note(v, s->dest->loc, "the unwind destination is here");
	}
	return false;
}

/* Edges */

static bool check_dest(Verifier *v, const IrOp *op, const IrSucc *s)
{
	if (op->block && s->dest->region == op->block->region)
		return true;
	verifier_error(v, op, "branches to a block of another region");
	return false;
}

static void note_dest(Verifier *v, const IrSucc *s)
{
	verifier_note(v, s->dest->loc, "the block is here");
}

static bool check_args(Verifier *v, const IrOp *op, const IrSucc *s)
{
	uint32_t k = ir_succ_index(s);
	if (s->nargs != s->dest->nargs) {
		verifier_error(v, op, ": successor #%u takes %u argument%s, but %u %s given", k,
		               s->dest->nargs, s->dest->nargs == 1 ? "" : "s", s->nargs,
		               s->nargs == 1 ? "is" : "are");
		note_dest(v, s);
		return false;
	}
	for (uint32_t i = 0; i < s->nargs; i++) {
		if (ir_succ_arg(s, i)->type == s->dest->args[i]->type)
			continue;
		verifier_error(v, op, ": argument #%u of successor #%u must be '%s', found '%s'", i, k,
		               verifier_type(v, s->dest->args[i]->type),
		               verifier_type(v, ir_succ_arg(s, i)->type));
		note_dest(v, s);
		return false;
	}
	return true;
}

/* cir.eh.dispatch passes its token implicitly. */
static bool check_dispatched(Verifier *v, const IrOp *op, const IrSucc *s)
{
	uint32_t k = ir_succ_index(s);
	if (s->nargs) {
		verifier_error(
		    v, op,
		    "passes arguments to successor #%u; leave them out, since the token is passed implicitly",
		    k);
		return false;
	}
	if (s->dest->nargs != 1 || s->dest->args[0]->type->kind != TYPE_EH_TOKEN) {
		verifier_error(v, op, ": successor #%u must take one argument of type '!cir.eh_token'", k);
		verifier_note(v, s->dest->loc, "the destination is here");
		return false;
	}
	return true;
}

void verifier_check_edges(Verifier *v, const IrOp *op)
{
	if ((op_info[op->kind].flags & OPF_TERM) && op->next)
		verifier_error(v, op, "must be the last operation of its block");
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *s = &op->succs[i];
		if (!check_dest(v, op, s))
			return;
		bool args = op->kind == OP_EH_DISPATCH ? check_dispatched(v, op, s) : check_args(v, op, s);
		if (!args || !check_unwinding(v, op, s))
			return;
	}
}
