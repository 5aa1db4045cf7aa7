/* eh/microsoft/funclet_plan.c: one walk from the entry says who owns what; then exits are read
 * off the edges between pads. */
#include "eh/microsoft/funclet_plan.h"

#include "eh/token_flow.h"

/* What lowering to the Microsoft form leaves out: a piece in flight made of these alone is no pad. A cleanup
 * that only tells the optimiser that a variable is dead is not worth one. */
static bool does_nothing(OpKind kind)
{
	switch (kind) {
	case OP_EH_INITIATE:
	case OP_BEGIN_CLEANUP:
	case OP_END_CLEANUP:
	case OP_END_CATCH:
	case OP_FREE_EXCEPTION:
	case OP_LIFETIME_START:
	case OP_LIFETIME_END:
		return true;
	default:
		return false;
	}
}

static const IrOp *first_op(const IrBlock *b)
{
	return b->first->kind == OP_EH_INITIATE ? b->first->next : b->first;
}

static void fail(FuncletPlan *p, const IrOp *op, const char *text)
{
	diag_error(p->d, op->loc, "'%s' %s", op_info[op->kind].name, text);
	p->failed = true;
}

/* Nodes and pads */

static FuncletNode *find_node(const FuncletPlan *p, const IrBlock *b, const FuncletPad *pad)
{
	FuncletNode *n = ptrmap_get(&p->of_block, b);
	while (n && n->pad != pad && !n->stops)
		n = n->other;
	return n;
}

static FuncletNode *add_node(FuncletPlan *p, IrBlock *b, FuncletPad *pad, uint32_t depth)
{
	FuncletNode *first = ptrmap_get(&p->of_block, b), *n = arena_new(p->mem, FuncletNode);
	*n = (FuncletNode){.block = b, .pad = pad, .depth = depth};
	n->stops = b->first->kind == OP_UNREACHABLE && !(pad && pad->block == b);
	if (first) {
		n->other = first->other;
		first->other = n;
		p->nshared++;
	} else {
		ptrmap_put(p->mem, &p->of_block, b, n);
	}
	vec_push(p->mem, &p->nodes, n);
	return n;
}

static FuncletNode *enter(FuncletPlan *p, IrBlock *b, FuncletPad *pad, uint32_t depth)
{
	FuncletNode *n = find_node(p, b, pad);
	return n ? n : add_node(p, b, pad, depth);
}

static FuncletPad *add_pad(FuncletPlan *p, FuncletPad pad)
{
	FuncletPad *made = arena_new(p->mem, FuncletPad);
	*made = pad;
	made->id = p->pads.len;
	vec_push(p->mem, &p->pads, made);
	return made;
}

static FuncletKind kind_in_flight(const IrOp *first)
{
	return first->kind == OP_EH_DISPATCH    ? FUNCLET_DISPATCH
	       : first->kind == OP_EH_TERMINATE ? FUNCLET_TERMINATE
	                                        : FUNCLET_CLEANUP;
}

/* The pad in flight that begins with b inside of `parent`. */
static FuncletNode *enter_pad(FuncletPlan *p, IrBlock *b, FuncletPad *parent, uint32_t depth)
{
	for (FuncletNode *n = ptrmap_get(&p->of_block, b); n; n = n->other)
		if (funclet_in_flight(n->pad) && n->pad->block == b && n->pad->parent == parent)
			return n;
	IrOp *first = b->first->kind == OP_EH_INITIATE ? b->first->next : b->first;
	FuncletPad pad = {.kind = kind_in_flight(first), .block = b, .op = first, .parent = parent};
	return add_node(p, b, add_pad(p, pad), depth);
}

static FuncletNode *enter_handler(FuncletPlan *p, FuncletPad *dispatch, uint32_t clause)
{
	IrBlock *b = dispatch->op->succs[clause].dest;
	FuncletPad pad = {.kind = FUNCLET_HANDLER, .block = b, .op = dispatch->op, .clause = clause};
	pad.dispatch = dispatch;
	pad.parent = dispatch->parent;
	return add_node(p, b, add_pad(p, pad), 0);
}

/* The walk */

typedef struct Place {
	uint32_t depth; /* cleanups open */
	bool ended;     /* a catch: the block ends there (funclet_prepare.c) */
} Place;

static bool unwinds(const IrOp *op, uint32_t succ)
{
	return ir_op_has_unwind_edge(op) && succ == 1;
}

/* A pad begins here whenever an exception in flight comes. */
static bool begins_pad(const IrBlock *b)
{
	OpKind kind = first_op(b)->kind;
	return kind == OP_BEGIN_CLEANUP || kind == OP_EH_DISPATCH || kind == OP_EH_TERMINATE;
}

static bool leads_to_terminate(const IrBlock *b)
{
	const IrOp *first = first_op(b);
	if (first->kind == OP_BR)
		first = first_op(first->succs[0].dest);
	return first->kind == OP_EH_TERMINATE;
}

/* What is thrown while an exception is in flight ends in the runtime's std::terminate as soon
 * as it leaves the cleanup, so that this edge is not needed; outline.c has taken out the
 * cleanups that handle it themselves. */
static void check_thrown_in_flight(FuncletPlan *p, const IrOp *op, uint32_t depth)
{
	if (depth > 0 || leads_to_terminate(op->succs[1].dest))
		return;
	fail(p, op,
	     "unwinds while another exception is in flight; expected it between 'cir.begin_cleanup' and "
	     "'cir.end_cleanup'");
}

static FuncletNode *enter_successor(FuncletPlan *p, const FuncletNode *n, uint32_t succ, Place at)
{
	const IrOp *op = n->block->last;
	IrBlock *dest = op->succs[succ].dest;
	bool in_flight = funclet_in_flight(n->pad);
	FuncletPad *handler = funclet_handler(n->pad);
	if (unwinds(op, succ)) {
		if (!in_flight)
			return enter_pad(p, dest, handler, 0);
		check_thrown_in_flight(p, op, at.depth);
		return NULL;
	}
	if (op->kind == OP_EH_DISPATCH)
		return succ + 1 < op->nsuccs || abi_dispatch_catches_all(op)
		           ? enter_handler(p, n->pad, succ)
		           : enter_pad(p, dest, handler, at.depth);
	if (at.ended)
		return in_flight ? enter_pad(p, dest, handler->parent, at.depth)
		                 : enter(p, dest, handler->parent, at.depth);
	if (in_flight && begins_pad(dest))
		return enter_pad(p, dest, handler, at.depth);
	return enter(p, dest, n->pad, at.depth);
}

/* Ops that speak of the exception in flight, and those that must not while there is one. */
static void check_op(FuncletPlan *p, const FuncletNode *n, const IrOp *op)
{
	bool in_flight = funclet_in_flight(n->pad);
	switch (op->kind) {
	case OP_BEGIN_CLEANUP:
	case OP_EH_DISPATCH:
	case OP_RESUME:
		if (!in_flight)
			fail(p, op, "requires an exception in flight, but this path has caught it");
		break;
	case OP_EH_TERMINATE:
		if (!in_flight && !(n->pad && op == n->pad->block->first))
			fail(p, op, "requires an exception in flight, but this path has caught it");
		break;
	case OP_RETURN:
	case OP_INDIRECT_BR:
		if (in_flight)
			fail(p, op, "is reachable with an exception in flight; catch or resume it before");
		break;
	default:
		break;
	}
}

static void visit(FuncletPlan *p, FuncletNode *n)
{
	Place at = {.depth = n->depth};
	IR_FOR_OPS (op, n->block) {
		check_op(p, n, op);
		at.depth += op->kind == OP_BEGIN_CLEANUP;
		at.depth -= op->kind == OP_END_CLEANUP && at.depth > 0;
		at.ended |= op->kind == OP_END_CATCH;
	}
	CHECK(!at.ended || funclet_handler(n->pad));
	const IrOp *last = n->block->last;
	n->succs = arena_array(p->mem, FuncletNode *, last->nsuccs);
	for (uint32_t i = 0; i < last->nsuccs && !p->failed; i++)
		n->succs[i] = enter_successor(p, n, i, at);
}

/* Pads that only forward */

static bool uses_stay_in(const IrValue *v, const IrBlock *b)
{
	IR_FOR_USES (u, v)
		if (u->user != b->last)
			return false;
	return true;
}

/* May the values that come into b be passed on behind its back? They are its own
 * arguments, or come from before the pad. */
static bool hands_on(const FuncletPlan *p, const FuncletNode *n, bool *takes_values)
{
	const IrBlock *b = n->block;
	for (uint32_t i = 0; i < b->nargs; i++) {
		if (ir_is_token(b->args[i]->type))
			continue;
		*takes_values = true;
		if (!uses_stay_in(b->args[i], b))
			return false;
	}
	const IrSucc *s = b->last->nsuccs ? &b->last->succs[0] : NULL;
	for (uint32_t i = 0; s && i < s->nargs; i++) {
		const IrValue *v = ir_succ_arg(s, i);
		if (ir_is_token(v->type))
			continue;
		*takes_values = true;
		const FuncletNode *def = v->is_arg ? ptrmap_get(&p->of_block, v->def.block) : NULL;
		if (def && def != n && def->pad == n->pad)
			return false;
	}
	return true;
}

/* A computation, as LLVM IR of -O0 has them, whose result nothing outside of the block uses. */
static bool is_of_no_use(const IrOp *op)
{
	if (!(op_info[op->kind].flags & OPF_PURE))
		return false;
	for (uint32_t i = 0; i < op->nresults; i++)
		IR_FOR_USES (u, &op->results[i])
			if (u->user->block != op->block || u->user == op->block->last)
				return false;
	return true;
}

static bool only_leaves(const IrBlock *b)
{
	IR_FOR_OPS (op, b) {
		if (op == b->last)
			return op->kind == OP_BR || op->kind == OP_RESUME;
		if (!does_nothing(op->kind) && !is_of_no_use(op))
			return false;
	}
	return false;
}

/* Follows the path through the pad; it must be one, and end. */
static void find_forward(FuncletPlan *p, FuncletPad *pad, const FuncletNode *n)
{
	bool takes_values = false;
	for (uint32_t steps = 0; steps <= p->nodes.len; steps++) {
		if (!only_leaves(n->block) || !hands_on(p, n, &takes_values))
			return;
		const FuncletNode *to = n->block->last->nsuccs ? n->succs[0] : NULL;
		if (to && to->pad == pad && to->block != pad->block) {
			n = to;
			continue;
		}
		if (to && (to->stops || !funclet_in_flight(to->pad)))
			return;
		pad->kind = FUNCLET_FORWARD;
		pad->next = to ? to->pad : NULL;
		pad->takes_values = takes_values;
		return;
	}
}

static void find_forwards(FuncletPlan *p)
{
	for (uint32_t i = 0; i < p->nodes.len; i++) {
		const FuncletNode *n = p->nodes.data[i];
		if (n->pad && n->pad->block == n->block && n->pad->kind == FUNCLET_CLEANUP)
			find_forward(p, n->pad, n);
	}
}

static bool takes_values(const IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		if (!ir_is_token(b->args[i]->type))
			return true;
	return false;
}

static void merge_terminates(FuncletPlan *p)
{
	for (uint32_t i = 0; i < p->pads.len; i++) {
		FuncletPad *pad = p->pads.data[i];
		if (pad->kind != FUNCLET_TERMINATE || takes_values(pad->block))
			continue;
		FuncletPad **one = pad->parent ? &pad->parent->terminate : &p->terminate;
		if (*one) {
			pad->kind = FUNCLET_FORWARD;
			pad->next = *one;
		} else {
			*one = pad;
		}
	}
}

/* Pads of which each does nothing and leads to the next, for ever: an exception that
 * gets there never gets anywhere. */
static void check_forwards(FuncletPlan *p)
{
	for (uint32_t i = 0; i < p->pads.len; i++) {
		FuncletPad *pad = p->pads.data[i];
		while (pad && pad->kind == FUNCLET_FORWARD && !pad->walk) {
			pad->walk = i + 1;
			pad = pad->next;
		}
		if (pad && pad->kind == FUNCLET_FORWARD && pad->walk == i + 1) {
			fail(p, pad->op, "unwinds in a cycle and never leaves the function; break the cycle");
			return;
		}
	}
}

/* Edges between pads */

bool funclet_leaves(const FuncletNode *n, uint32_t succ)
{
	const FuncletNode *to = n->succs[succ];
	return to && !to->stops && funclet_in_flight(to->pad) &&
	       (to->pad != n->pad || to->block == to->pad->block);
}

/* Skips pads without values to hand on, which most are, and shortens the way for the next one. */
static FuncletPad *skip_forwards(FuncletPad *pad)
{
	FuncletPad *end = pad;
	while (end && end->kind == FUNCLET_FORWARD && !end->takes_values)
		end = end->next;
	while (pad != end) {
		FuncletPad *next = pad->next;
		pad->next = end;
		pad = next;
	}
	return end;
}

static uint32_t edge_values(const FuncletPlan *p, const IrSucc *s, IrValue ***out)
{
	uint32_t n = 0;
	*out = arena_array(p->mem, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		if (!ir_is_token(ir_succ_arg(s, i)->type))
			(*out)[n++] = ir_succ_arg(s, i);
	return n;
}

/* The values of edge s out of a block that was given `args`. */
static uint32_t pass_values(const FuncletPlan *p, const IrBlock *b, IrValue **args, const IrSucc *s,
                            IrValue ***out)
{
	uint32_t n = edge_values(p, s, out);
	for (uint32_t i = 0; i < n; i++) {
		IrValue *v = (*out)[i];
		if (!v->is_arg || v->def.block != b)
			continue;
		uint32_t at = 0;
		for (uint32_t k = 0; k < v->index; k++)
			at += !ir_is_token(b->args[k]->type);
		(*out)[i] = args[at];
	}
	return n;
}

FuncletTarget funclet_follow(const FuncletPlan *p, const FuncletNode *n, uint32_t succ)
{
	const FuncletNode *to = n->succs[succ];
	FuncletTarget t = {.pad = skip_forwards(to->pad)};
	if (to->pad != t.pad) /* what was skipped hands nothing on, but the last edge may */
		to = t.pad ? find_node(p, t.pad->block, t.pad) : NULL;
	else
		t.nargs = edge_values(p, &n->block->last->succs[succ], &t.args);
	while (t.pad && t.pad->kind == FUNCLET_FORWARD) {
		const IrOp *last = to->block->last;
		if (!last->nsuccs)
			return (FuncletTarget){0};
		t.nargs = pass_values(p, to->block, t.args, &last->succs[0], &t.args);
		to = to->succs[0];
		t.pad = to->pad;
	}
	return t;
}

/* Exits */

static const char *exit_name(const FuncletPad *exit)
{
	return exit ? "to another pad" : "to the caller";
}

static const Loc *exit_loc(const FuncletPad *exit)
{
	return exit ? &exit->op->loc : NULL;
}

static void report_exits(FuncletPlan *p, const FuncletPad *pad, const IrOp *by, const FuncletPad *exit)
{
	const char *what = pad->kind == FUNCLET_DISPATCH ? "the handlers of a dispatch" : "a cleanup";
	diag_error(
	    p->d, by->loc,
	    "unwinding leaves %s %s here, but elsewhere %s; expected one unwind destination on windows-msvc",
	    what, exit_name(exit), exit_name(pad->exit));
	diag_note(p->d, pad->op->loc, "%s here",
	          pad->kind == FUNCLET_DISPATCH ? "the dispatch is" : "it begins");
	if (exit_loc(exit))
		diag_note(p->d, *exit_loc(exit), "one path leads to this pad");
	if (exit_loc(pad->exit))
		diag_note(p->d, *exit_loc(pad->exit), "the other path leads to this pad");
	diag_note(p->d, pad->leaves->loc, "the other path leaves here");
	p->failed = true;
}

/* False: nothing new. */
static bool set_exit(FuncletPlan *p, FuncletPad *pad, FuncletPad *exit, const IrOp *by)
{
	if (pad->leaves) {
		if (pad->exit != exit)
			report_exits(p, pad, by, exit);
		return false;
	}
	pad->leaves = by;
	pad->exit = exit;
	return true;
}

/* An exception goes from code of `pad` to `exit`, out of all the handlers between them. */
static void record_exit(FuncletPlan *p, FuncletPad *pad, FuncletPad *exit, const IrOp *by)
{
	const FuncletPad *until = exit ? exit->parent : NULL;
	if (funclet_in_flight(pad)) {
		if (!set_exit(p, pad, exit, by))
			return;
		pad = pad->parent;
	}
	while (pad && pad != until && set_exit(p, pad->dispatch, exit, by))
		pad = pad->parent;
}

static void record_exits(FuncletPlan *p, const FuncletNode *n)
{
	const IrOp *last = n->block->last;
	if (last->kind == OP_RESUME)
		record_exit(p, n->pad, NULL, last);
	for (uint32_t i = 0; i < last->nsuccs && !p->failed; i++)
		if (funclet_leaves(n, i))
			record_exit(p, n->pad, funclet_follow(p, n, i).pad, last);
}

static void check_cycles(FuncletPlan *p)
{
	for (uint32_t i = 0; i < p->pads.len; i++)
		p->pads.data[i]->walk = 0;
	for (uint32_t i = 0; i < p->pads.len; i++) {
		FuncletPad *pad = p->pads.data[i];
		while (pad && !pad->walk) {
			pad->walk = i + 1;
			pad = pad->leaves ? pad->exit : NULL;
		}
		if (pad && pad->walk == i + 1) {
			fail(p, pad->op, "is part of a cycle of pads, each of which unwinds to the next");
			diag_note(p->d, pad->leaves->loc, "it unwinds from here");
			return;
		}
	}
}

static void find_exits(FuncletPlan *p)
{
	find_forwards(p);
	merge_terminates(p);
	check_forwards(p);
	for (uint32_t i = 0; i < p->nodes.len && !p->failed; i++) {
		const FuncletNode *n = p->nodes.data[i];
		if (!n->pad || n->pad->kind != FUNCLET_FORWARD)
			record_exits(p, n);
	}
	if (!p->failed)
		check_cycles(p);
}

static void check_size(FuncletPlan *p)
{
	uint32_t max = FUNCLET_SHARED_MAX + p->nodes.len - p->nshared;
	if (p->nshared <= max || p->failed)
		return;
	diag_error(
	    p->d, p->func->loc,
	    "handlers and cleanups of this function share too much code: more than %u blocks would be copied",
	    max);
	p->failed = true;
}

bool funclet_plan(IrOp *func, Arena *mem, Diags *d, FuncletPlan *out)
{
	*out = (FuncletPlan){.func = func, .mem = mem, .d = d};
	add_node(out, func->regions[0].first, NULL, 0);
	for (uint32_t i = 0; i < out->nodes.len && !out->failed; i++) {
		visit(out, out->nodes.data[i]);
		check_size(out);
	}
	if (!out->failed && !out->nshared)
		find_exits(out);
	return !out->failed;
}
