/* eh/microsoft/funclet.c: from
 *
 * 	cir.try_call @f() ^ok, ^u
 * ^u:
 * 	%t = cir.eh.initiate cleanup : !cir.eh_token
 * 	cir.br ^c(%t : !cir.eh_token)
 * ^c(%t1: !cir.eh_token):
 * 	%ct = cir.begin_cleanup %t1
 * 	cir.call @close()
 * 	cir.end_cleanup %ct
 * 	cir.br ^d(%t1 : !cir.eh_token)
 * ^d(%t2: !cir.eh_token):
 * 	cir.eh.dispatch %t2 [catch(@A) : ^a, unwind : ^w]
 * ^a(%t3: !cir.eh_token):
 * 	%k, %p = cir.begin_catch %t3
 * 	cir.end_catch %k
 * 	cir.br ^ok
 * ^w(%t4: !cir.eh_token):
 * 	cir.resume %t4
 *
 * to
 *
 * 	cir.try_call @f() ^ok, ^c
 * ^c:
 * 	%1 = cir.cleanuppad within none []
 * 	cir.call @close()                                    inside of %1: lowering gives it the bundle
 * 	cir.cleanupret from %1 unwind to ^d
 * ^d:
 * 	%2 = cir.eh.catchswitch within none [^a] unwind to caller
 * ^a:
 * 	%3 = cir.catchpad within %2 [ptr @"??_R0…@8", i32 8, ptr %slot]
 * 	cir.catchret from %3 to ^ok
 *
 * Three steps: make the pads, outer ones first; turn each edge into what leaves or
 * enters a pad; drop what was replaced.
 */
#include "eh/microsoft/funclet.h"

#include "eh/catch_init.h"
#include "eh/cxa_op.h"
#include "eh/token_flow.h"
#include "ir/eh_runtime.h"
#include "ir/function_entry.h"
#include "verify/verifier.h"

static void replace(Funclets *f, IrOp *op)
{
	vec_push(f->mem, &f->replaced, op);
}

/* Pads */

static IrSuccSpec edge_to(FuncletTarget t)
{
	return (IrSuccSpec){t.pad->block, t.args, t.nargs};
}

static void make_dispatch(Funclets *f, FuncletPad *pad)
{
	IrOp *op = pad->op;
	bool all = abi_dispatch_catches_all(op);
	uint32_t nhandlers = op->nsuccs - !all, n = nhandlers;
	IrSuccSpec *succs = arena_array(f->mem, IrSuccSpec, (size_t)nhandlers + 1);
	for (uint32_t i = 0; i < nhandlers; i++)
		succs[i] = (IrSuccSpec){.dest = op->succs[i].dest};
	const FuncletNode *node = ptrmap_get(&f->plan->of_block, pad->block);
	/* no exception passes a catch-all, but those that leave its handlers must find the exit here */
	if (pad->leaves && pad->exit)
		succs[n++] = edge_to(all ? funclet_target_without_values(f, pad->exit)
		                         : funclet_follow(f->plan, node, nhandlers));
	IrBuilder b = ir_before(f->m, op);
	IrOp *made = funclet_build_pad(f, &b, OP_CATCHSWITCH, TYPE_CATCH_TOKEN, pad->parent, succs, n);
	if (n == nhandlers)
		ir_set_flag(f->m, made, NAME_unwind_to_caller);
	pad->token = &made->results[0];
	replace(f, op);
}

/* A catch-all whose handler does not return: a cleanup may never run, since phase one
 * may find nobody to catch. */
static void make_terminate(Funclets *f, FuncletPad *pad)
{
	IrBlock *handler = ir_block_create(f->m, pad->op->loc);
	ir_block_insert_after(pad->block, handler);
	IrBuilder b = ir_before(f->m, pad->op);
	IrSuccSpec to = {.dest = handler};
	IrOp *made = funclet_build_pad(f, &b, OP_CATCHSWITCH, TYPE_CATCH_TOKEN, pad->parent, &to, 1);
	ir_set_flag(f->m, made, NAME_unwind_to_caller);
	pad->token = &made->results[0];
	b = ir_at_end(f->m, handler, pad->op->loc);
	IrOp *catchpad = funclet_build_pad(f, &b, OP_CATCHPAD, TYPE_CATCH_TOKEN, pad, NULL, 0);
	ir_op_set_attr(f->m, catchpad, ir_known_name(f->m, NAME_adjectives), ir_attr_i64(f->m, MS_CATCH_ALL));
	ms_end_in_terminate(f->rt, &b);
	replace(f, pad->op);
}

static void make_cleanup(Funclets *f, FuncletPad *pad)
{
	IrBuilder b = ir_before(f->m, pad->block->first);
	b.loc = pad->op->loc;
	pad->token =
	    &funclet_build_pad(f, &b, OP_CLEANUPPAD, TYPE_CLEANUP_TOKEN, pad->parent, NULL, 0)->results[0];
}

static void make_pad(Funclets *f, FuncletPad *pad)
{
	switch (pad->kind) {
	case FUNCLET_CLEANUP:
		make_cleanup(f, pad);
		break;
	case FUNCLET_DISPATCH:
		make_dispatch(f, pad);
		break;
	case FUNCLET_HANDLER:
		funclet_make_handler(f, pad);
		f->has_pads = true;
		break;
	case FUNCLET_TERMINATE:
		make_terminate(f, pad);
		break;
	case FUNCLET_FORWARD:
		break;
	}
}

/* Edges */

/* Replaces the arguments of edge i, which carry no tokens any more. */
static void strip_tokens(Funclets *f, IrOp *op, uint32_t i)
{
	const IrSucc *s = &op->succs[i];
	IrValue **args = arena_array(f->mem, IrValue *, s->nargs);
	uint32_t n = 0;
	for (uint32_t k = 0; k < s->nargs; k++)
		if (!ir_is_token(ir_succ_arg(s, k)->type))
			args[n++] = ir_succ_arg(s, k);
	if (n < s->nargs)
		ir_succ_set_args(f->m, op, i, args, n);
}

static void retarget(const Funclets *f, IrOp *op, uint32_t i, FuncletTarget t)
{
	ir_succ_set_args(f->m, op, i, t.args, t.nargs);
	ir_succ_set_dest(&op->succs[i], t.pad->block);
}

/* What is thrown here is handled by nothing here: the same op without edges stands in front of it, and its normal edge. What may fault is marked: else
 * LLVM may move it, or delete it. */
static void make_plain(Funclets *f, IrOp *op)
{
	IrBuilder b = ir_before(f->m, op);
	IrOpSpec spec = ir_op_spec(op, f->mem);
	spec.kind = ir_op_without_edges(op->kind);
	IrOp *call = ir_build_spec(&b, &spec);
	if (op->kind != OP_TRY_CALL)
		ir_set_flag(f->m, call, NAME_async);
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &call->results[i]);
	const IrSucc *normal = &op->succs[0];
	IrValue **args = arena_array(f->mem, IrValue *, normal->nargs);
	uint32_t nargs = 0;
	for (uint32_t i = 0; i < normal->nargs; i++)
		if (!ir_is_token(ir_succ_arg(normal, i)->type))
			args[nargs++] = ir_succ_arg(normal, i);
	ir_build_br(&b, normal->dest, args, nargs);
	replace(f, op);
}

/* Where an exception out of the last op of a block goes. */
static FuncletTarget unwind_target(Funclets *f, const FuncletNode *n)
{
	if (n->succs[1])
		return funclet_follow(f->plan, n, 1);
	if (!f->is_circ || !n->pad || n->pad->kind != FUNCLET_CLEANUP || !n->pad->exit)
		return (FuncletTarget){0};
	return funclet_thrown_by_cleanup(f, n->pad, n->block->last);
}

static void lower_try_call(Funclets *f, const FuncletNode *n, IrOp *op)
{
	FuncletTarget t = unwind_target(f, n);
	if (!t.pad) {
		make_plain(f, op);
		return;
	}
	strip_tokens(f, op, 0);
	retarget(f, op, 1, t);
}

/* A filter may answer that the program continues after the throw, so the edge to what follows it stays. */
static void lower_circ_throw(Funclets *f, IrOp *op, FuncletTarget t)
{
	strip_tokens(f, op, 0);
	const IrSucc *s = &op->succs[0];
	IrValue **args = arena_array(f->mem, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		args[i] = ir_succ_arg(s, i);
	IrSuccSpec edges[] = {{s->dest, args, s->nargs}, {0}};
	if (t.pad)
		edges[1] = edge_to(t);
	cxa_lower_throw(f->circ, op, t.pad ? edges : NULL);
	if (t.pad)
		return;
	IrBuilder b = ir_before(f->m, op);
	ir_build_br(&b, s->dest, args, s->nargs);
}

static void lower_try_throw(Funclets *f, const FuncletNode *n, IrOp *op)
{
	FuncletTarget t = unwind_target(f, n);
	if (f->is_circ) {
		lower_circ_throw(f, op, t);
	} else if (t.pad) {
		IrSuccSpec edges[] = {{.dest = op->succs[0].dest}, edge_to(t)};
		strip_tokens(f, op, 0);
		ms_lower_throw(f->rt, op, edges);
	} else {
		ms_lower_throw(f->rt, op, NULL);
		IrBuilder b = ir_before(f->m, op);
		ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	}
	replace(f, op);
}

/* t.pad NULL: to the caller. */
static void build_cleanupret(IrBuilder *b, const FuncletPad *from, FuncletTarget t)
{
	IrSuccSpec edge = t.pad ? edge_to(t) : (IrSuccSpec){0};
	funclet_build_cleanupret(b, from->token, t.pad ? &edge : NULL);
}

/* Out of a cleanup that branches more ways: one edge gets a block in which the cleanup ends. */
static void leave_by_block(Funclets *f, const FuncletNode *n, uint32_t i)
{
	IrOp *op = n->block->last;
	IrBlock *between = ir_block_create(f->m, op->loc);
	ir_block_insert_after(n->block, between);
	IrBuilder b = ir_at_end(f->m, between, op->loc);
	build_cleanupret(&b, n->pad, funclet_follow(f->plan, n, i));
	ir_succ_set_args(f->m, op, i, NULL, 0);
	ir_succ_set_dest(&op->succs[i], between);
}

static void lower_branch(Funclets *f, const FuncletNode *n, IrOp *op)
{
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		if (!funclet_leaves(n, i)) {
			strip_tokens(f, op, i);
		} else if (op->nsuccs > 1) {
			leave_by_block(f, n, i);
		} else {
			IrBuilder b = ir_before(f->m, op);
			build_cleanupret(&b, n->pad, funclet_follow(f->plan, n, i));
			replace(f, op);
		}
	}
}

static void build_catchret(Funclets *f, const FuncletPad *handler, IrOp *br)
{
	strip_tokens(f, br, 0);
	const IrSucc *s = &br->succs[0];
	IrValue **args = arena_array(f->mem, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		args[i] = ir_succ_arg(s, i);
	IrSuccSpec edge = {s->dest, args, s->nargs};
	IrBuilder b = ir_before(f->m, br);
	IrOpSpec spec = {
	    .kind = OP_CATCHRET, .operands = &handler->token, .noperands = 1, .succs = &edge, .nsuccs = 1};
	ir_build_spec(&b, &spec);
	replace(f, br);
}

static void lower_terminator(Funclets *f, const FuncletNode *n, IrOp *op)
{
	switch (op->kind) {
	case OP_TRY_CALL:
	case OP_TRY_LOAD:
	case OP_TRY_STORE:
	case OP_TRY_COPY:
	case OP_TRY_SET:
	case OP_TRY_DIV:
	case OP_TRY_REM:
		lower_try_call(f, n, op);
		break;
	case OP_TRY_THROW:
		lower_try_throw(f, n, op);
		break;
	case OP_RESUME: {
		IrBuilder b = ir_before(f->m, op);
		build_cleanupret(&b, n->pad, (FuncletTarget){0});
		replace(f, op);
		break;
	}
	case OP_EH_DISPATCH:
	case OP_EH_TERMINATE:
		break; /* done with their pads */
	case OP_BR:
		if (op->prev && op->prev->kind == OP_END_CATCH && !funclet_in_flight(n->pad)) {
			build_catchret(f, n->pad, op);
			break;
		}
		lower_branch(f, n, op);
		break;
	default:
		lower_branch(f, n, op);
	}
}

/* Ops */

/* What is a call of circ's runtime. */
static bool lower_circ_op(Funclets *f, IrOp *op)
{
	switch (op->kind) {
	case OP_FREE_EXCEPTION:
		cxa_lower_free_exception(f->circ, op);
		return true;
	case OP_THROW:
		cxa_lower_throw(f->circ, op, NULL);
		return true;
	case OP_ALLOC_EXCEPTION:
		cxa_lower_alloc_exception(f->circ, op);
		return true;
	default:
		return false;
	}
}

static void lower_op(Funclets *f, IrOp *op)
{
	if (f->is_circ && lower_circ_op(f, op)) {
		replace(f, op);
		return;
	}
	switch (op->kind) {
	case OP_EH_INITIATE:
	case OP_BEGIN_CLEANUP:
	case OP_END_CLEANUP:
	case OP_BEGIN_CATCH:
	case OP_END_CATCH:
	case OP_CONSTRUCT_CATCH_PARAM:
	case OP_FREE_EXCEPTION:
		replace(f, op);
		break;
	case OP_INIT_CATCH_PARAM:
		catch_init_lower(&f->rt->rt, op);
		replace(f, op);
		break;
	case OP_THROW:
		ms_lower_throw(f->rt, op, NULL);
		replace(f, op);
		break;
	case OP_ALLOC_EXCEPTION:
		ms_lower_alloc_exception(f->rt, f->func, op);
		replace(f, op);
		break;
	default:
		break;
	}
}

static void lower_block(Funclets *f, const FuncletNode *n)
{
	if (n->pad && n->pad->kind == FUNCLET_FORWARD)
		return;
	IrOp *last = n->block->last;
	for (IrOp *op = n->block->first; op != last; op = op->next)
		lower_op(f, op);
	lower_terminator(f, n, last);
}

/* Dropping */

/* A block of a pad that only forwards, or one that only a throw out of a cleanup led to. */
static bool is_dead(const Funclets *f, const IrBlock *b, uint32_t nblocks)
{
	const FuncletNode *n = ptrmap_get(&f->plan->of_block, b);
	return n ? n->pad && n->pad->kind == FUNCLET_FORWARD : b->id < nblocks && b->first->kind != OP_LABEL;
}

static void drop(Funclets *f, uint32_t nblocks)
{
	IrRegion *body = &f->func->regions[0];
	IR_FOR_BLOCKS (b, body)
		if (is_dead(f, b, nblocks))
			ir_block_drop_references(b);
	abi_erase_token_ops(f->replaced.data, f->replaced.len);
	for (IrBlock *b = body->first, *next; b; b = next) {
		next = b->next;
		if (is_dead(f, b, nblocks))
			ir_block_erase(b);
	}
}

static void drop_token_arguments(IrRegion *body)
{
	IR_FOR_BLOCKS (b, body)
		for (uint32_t i = b->nargs; i-- > 0;)
			if (ir_is_token(b->args[i]->type))
				ir_block_remove_arg(b, i);
}

/* A function may have one of its own, as long as it goes with funclets. That of another
 * target is only a front end's default. */
static bool set_personality(Funclets *f)
{
	IrOp *func = f->func;
	Runtime *rt = f->is_circ ? &f->circ->rt : &f->rt->rt;
	const Name *own = ir_op_symbol(func, NAME_personality);
	if (!own || abi_is_default_personality(name_str(own)) || ir_is_circ_personality(own)) {
		ir_op_set_attr(f->m, func, ir_known_name(f->m, NAME_personality),
		               ir_attr_symbol(f->m, runtime_personality(rt)));
		return true;
	}
	if (verifier_personality(func) == (f->is_circ ? PERSONALITY_FILTER : PERSONALITY_FUNCLET))
		return true;
	diag_error(f->d, func->loc,
	           "'cir.func' op personality '%s' does not work with funclets; expected '%s'",
	           ir_op_symbol(func, NAME_personality)->text, rt->personality_routine);
	return false;
}

static bool is_ok(const Funclets *f)
{
	return f->rt->rt.ok && f->circ->rt.ok;
}

bool funclet_lower_func(Funclets *f, IrOp *func, const FuncletPlan *plan, Arena *mem)
{
	uint32_t nblocks = f->m->nblocks;
	f->func = func;
	f->plan = plan;
	f->mem = mem;
	f->replaced.data = NULL;
	f->replaced.len = f->replaced.cap = 0;
	f->has_pads = false;
	for (uint32_t i = 0; i < plan->pads.len && is_ok(f); i++)
		make_pad(f, plan->pads.data[i]);
	for (uint32_t i = 0; i < plan->nodes.len && is_ok(f); i++)
		lower_block(f, plan->nodes.data[i]);
	if (!is_ok(f))
		return false;
	drop(f, nblocks);
	drop_token_arguments(&func->regions[0]);
	if (f->is_circ)
		funclet_watch_cleanups(f);
	if (!f->has_pads) {
		ir_func_drop_circ_personality(f->m, func);
		return true;
	}
	return set_personality(f) && is_ok(f);
}
