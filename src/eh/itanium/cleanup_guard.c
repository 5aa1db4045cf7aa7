/* eh/itanium/cleanup_guard.c: what is thrown out of a cleanup that runs because of unwinding terminates
 * (design.md section 5, point 5).
 *
 * Flattening writes such calls as cir.try_call to a cir.eh.terminate. In a cleanup that was written by hand,
 * and in the design document's, they are plain: from
 *
 * 	%c = cir.begin_cleanup %t : !cir.eh_token -> !cir.cleanup_token
 * 	cir.call @close(%x) : (!cir.ptr<!rec_S>) -> ()
 * 	cir.end_cleanup %c : !cir.cleanup_token
 *
 * to
 *
 * 	%c = cir.begin_cleanup %t : !cir.eh_token -> !cir.cleanup_token
 * 	cir.try_call @close(%x) ^rest, ^terminate : (!cir.ptr<!rec_S>) -> ()
 * ^rest:
 * 	cir.end_cleanup %c : !cir.cleanup_token
 *
 * Where an exception goes that the cleanup itself unwinds (a try_call) is the input's own
 * affair: unwind edges are not followed.
 */
#include "eh/itanium/cleanup_guard.h"

/* The block that b is in ends at its place; what stands behind goes on in a new one, and so does b. */
static IrBlock *split_block(LandingPads *l, IrBuilder *b)
{
	return b->block = ir_block_split(l->m, b->block, b->before, b->loc);
}

IrOp *guard_build_call(LandingPads *l, IrBuilder *b, IrOpSpec call)
{
	IrBuilder end = ir_at_end(l->m, b->block, b->loc);
	IrSuccSpec edges[] = {{.dest = split_block(l, b)}, {.dest = landingpad_terminate_block(l, b->loc)}};
	call.kind = call.kind == OP_THROW ? OP_TRY_THROW : OP_TRY_CALL;
	call.succs = edges;
	call.nsuccs = 2;
	IrOp *guarded = ir_build_spec(&end, &call);
	ir_op_set_attr(l->m, guarded, ir_known_name(l->m, NAME_musttail), NULL);
	return guarded;
}

/* Collecting */

typedef struct Cleanups {
	LandingPads *l;
	PtrMap seen;         /* cir.begin_cleanup ops, and blocks entered inside a cleanup; key = value */
	VEC(IrBlock *) work; /* blocks to walk from their beginning, `depth` cleanups deep */
	VEC(uint32_t) depth;
	VEC(IrOp *) calls; /* in the order of their block */
} Cleanups;

static bool first_visit(Cleanups *c, const void *what)
{
	if (ptrmap_get(&c->seen, what))
		return false;
	ptrmap_put(c->l->mem, &c->seen, what, (void *)(uintptr_t)what);
	return true;
}

static bool is_plain_throw(const IrOp *op)
{
	return (op->kind == OP_CALL || op->kind == OP_THROW) && ir_op_may_throw(op);
}

static void enter_successors(Cleanups *c, const IrOp *terminator, uint32_t depth)
{
	bool unwinds = op_info[terminator->kind].flags & OPF_THROWS; /* its last edge does */
	for (uint32_t i = 0; i + unwinds < terminator->nsuccs; i++) {
		IrBlock *dest = terminator->succs[i].dest;
		if (!first_visit(c, dest))
			continue;
		vec_push(c->l->mem, &c->work, dest);
		vec_push(c->l->mem, &c->depth, depth);
	}
}

/* Cleanups are well nested (verify/cleanup_path.c), so that counting says when the outermost one ends. */
static void walk(Cleanups *c, IrOp *op, uint32_t depth)
{
	for (; op; op = op->next) {
		if (op->kind == OP_BEGIN_CLEANUP) {
			first_visit(c, op);
			depth++;
		} else if (op->kind == OP_END_CLEANUP && --depth == 0) {
			return;
		} else if (is_plain_throw(op)) {
			vec_push(c->l->mem, &c->calls, op);
		} else if (op->nsuccs) {
			enter_successors(c, op, depth);
		}
	}
}

static void collect(Cleanups *c, IrOp *begin_cleanup)
{
	if (ptrmap_get(&c->seen, begin_cleanup)) /* inside another one */
		return;
	walk(c, begin_cleanup, 0);
	while (c->work.len) {
		IrBlock *b = c->work.data[--c->work.len];
		walk(c, b->first, c->depth.data[--c->depth.len]);
	}
}

/* Guarding */

static void guard(LandingPads *l, IrOp *op)
{
	IrBuilder b = ir_before(l->m, op);
	IrOp *guarded = guard_build_call(l, &b, ir_op_spec(op, l->mem));
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &guarded->results[i]);
	ir_op_erase(op);
}

void guard_cleanups(LandingPads *l)
{
	Cleanups c = {.l = l};
	const AbiFlow *flow = &l->plan->flow;
	for (uint32_t v = 0; v < flow->ntokens; v++) {
		IR_FOR_USES (u, flow->vertices.data[v].token) {
			if (u->user->kind == OP_BEGIN_CLEANUP)
				collect(&c, u->user);
		}
	}
	/* From the last to the first, so that no op of a block moves twice. */
	for (uint32_t i = c.calls.len; i > 0; i--)
		guard(l, c.calls.data[i - 1]);
}
