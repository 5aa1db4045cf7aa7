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

static IrOp *build_pad(Funclets *f, IrBuilder *b, OpKind kind, TypeKind type, const FuncletPad *parent,
                       const IrSuccSpec *succs, uint32_t nsuccs)
{
	IrType *result = ir_type_simple(f->m, type);
	IrOpSpec spec = {
	    .kind = kind, .result_types = &result, .nresults = 1, .succs = succs, .nsuccs = nsuccs};
	spec.operands = parent ? &parent->token : NULL;
	spec.noperands = parent != NULL;
	f->has_pads = true;
	return ir_build_spec(b, &spec);
}

static IrSuccSpec edge_to(FuncletTarget t)
{
	return (IrSuccSpec){t.pad->block, t.args, t.nargs};
}

static IrValue *build_undef(IrBuilder *b, IrType *type)
{
	return ir_build_const(b, ir_attr_intern(b->m, &(IrAttr){.kind = ATTR_UNDEF, .type = type}));
}

/* No exception passes a catch-all, but those that leave its handlers must find the exit at their dispatch.
 * The values are never looked at; in the block of a catchswitch there is no room for them. */
static IrSuccSpec edge_never_taken(Funclets *f, const FuncletPad *exit)
{
	const IrBlock *dest = exit->block;
	IrValue **args = arena_array(f->mem, IrValue *, dest->nargs);
	uint32_t n = 0;
	IrBuilder entry = ir_before(f->m, abi_entry_front(f->func));
	for (uint32_t i = 0; i < dest->nargs; i++)
		if (!ir_is_token(dest->args[i]->type))
			args[n++] = build_undef(&entry, dest->args[i]->type);
	return (IrSuccSpec){exit->block, args, n};
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
	if (pad->leaves && pad->exit)
		succs[n++] =
		    all ? edge_never_taken(f, pad->exit) : edge_to(funclet_follow(f->plan, node, nhandlers));
	IrBuilder b = ir_before(f->m, op);
	IrOp *made = build_pad(f, &b, OP_CATCHSWITCH, TYPE_CATCH_TOKEN, pad->parent, succs, n);
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
	IrOp *made = build_pad(f, &b, OP_CATCHSWITCH, TYPE_CATCH_TOKEN, pad->parent, &to, 1);
	ir_set_flag(f->m, made, NAME_unwind_to_caller);
	pad->token = &made->results[0];
	b = ir_at_end(f->m, handler, pad->op->loc);
	IrOp *catchpad = build_pad(f, &b, OP_CATCHPAD, TYPE_CATCH_TOKEN, pad, NULL, 0);
	ir_op_set_attr(f->m, catchpad, ir_known_name(f->m, NAME_adjectives), ir_attr_i64(f->m, MS_CATCH_ALL));
	ms_end_in_terminate(f->rt, &b);
	replace(f, pad->op);
}

static void make_cleanup(Funclets *f, FuncletPad *pad)
{
	IrBuilder b = ir_before(f->m, pad->block->first);
	b.loc = pad->op->loc;
	pad->token = &build_pad(f, &b, OP_CLEANUPPAD, TYPE_CLEANUP_TOKEN, pad->parent, NULL, 0)->results[0];
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

/* What the callee throws is handled by nothing here: a call without edges stands in front, and the normal edge. */
static void make_plain(Funclets *f, IrOp *op)
{
	IrBuilder b = ir_before(f->m, op);
	IrOpSpec spec = ir_op_spec(op, f->mem);
	spec.kind = OP_CALL;
	IrOp *call = ir_build_spec(&b, &spec);
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

/* edge: NULL: to the caller. */
static void build_cleanupret_along(IrBuilder *b, const FuncletPad *from, const IrSuccSpec *edge)
{
	IrOpSpec spec = {.kind = OP_CLEANUPRET, .operands = &from->token, .noperands = 1};
	spec.succs = edge;
	spec.nsuccs = edge != NULL;
	ir_build_spec(b, &spec);
}

/* What may fault must do so at its place also where nothing here sees it, so its edge stays, to a cleanup that does nothing. A plain
 * access may be moved, or deleted where its value is not used. */
static void pass_faults(Funclets *f, const FuncletNode *n, IrOp *op)
{
	IrBlock *block = ir_block_create(f->m, op->loc);
	ir_block_insert_after(n->block, block);
	IrBuilder b = ir_at_end(f->m, block, op->loc);
	IrOp *made = build_pad(f, &b, OP_CLEANUPPAD, TYPE_CLEANUP_TOKEN, n->pad, NULL, 0);
	FuncletPad pad = {.kind = FUNCLET_CLEANUP, .block = block, .token = &made->results[0]};
	build_cleanupret_along(&b, &pad, NULL);
	strip_tokens(f, op, 0);
	retarget(f, op, 1, (FuncletTarget){.pad = &pad});
}

static void lower_try_call(Funclets *f, const FuncletNode *n, IrOp *op)
{
	FuncletTarget t = {0};
	if (n->succs[1])
		t = funclet_follow(f->plan, n, 1);
	if (t.pad) {
		strip_tokens(f, op, 0);
		retarget(f, op, 1, t);
	} else if (op->kind == OP_TRY_CALL) {
		make_plain(f, op);
	} else {
		pass_faults(f, n, op);
	}
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
	FuncletTarget t = {0};
	if (n->succs[1])
		t = funclet_follow(f->plan, n, 1);
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

static void build_cleanupret(IrBuilder *b, const FuncletPad *from, FuncletTarget t)
{
	IrSuccSpec edge = t.pad ? edge_to(t) : (IrSuccSpec){0};
	build_cleanupret_along(b, from, t.pad ? &edge : NULL);
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

/* Cleanups that always throw */

static bool may_throw(const Funclets *f, const FuncletPad *pad)
{
	for (uint32_t i = 0; i < f->plan->nodes.len; i++) {
		const FuncletNode *n = f->plan->nodes.data[i];
		if (n->pad == pad)
			IR_FOR_OPS (op, n->block)
				if (op->kind == OP_CALL && ir_op_may_throw(op))
					return true;
	}
	return false;
}

static IrValue *load_never(Funclets *f, IrBuilder *b)
{
	IrType *type = ir_type_simple(f->m, TYPE_BOOL);
	IrBuilder entry = ir_before(f->m, abi_entry_front(f->func));
	IrValue *slot = ir_build_alloca(&entry, type, STR("__never"), 0);
	ir_build_store(&entry, ir_build_const(&entry, ir_attr_bool(f->m, false)), slot);
	IrValue *never = ir_build_load(b, slot);
	ir_set_flag(f->m, never->def.op, NAME_is_volatile_flag);
	return never;
}

/* What a cleanup of circ's runtime throws goes on where the cleanup would have: the tables have the scopes around the call. LLVM
 * reads them off the cleanupret, which it drops when it sees that the call always throws. So there is another way to one. */
static void keep_exit(Funclets *f, FuncletPad *pad)
{
	IrOp *op = pad->token->def.op;
	IrBlock *leave = ir_block_create(f->m, op->loc);
	IrBuilder b = ir_at_end(f->m, op->block, op->loc);
	IrBlock *rest = ir_block_split(f->m, op->block, op->next, op->loc);
	ir_block_insert_after(op->block, leave);
	ir_build_brcond(&b, load_never(f, &b), (IrSuccSpec){.dest = leave}, (IrSuccSpec){.dest = rest});
	b = ir_at_end(f->m, leave, op->loc);
	IrSuccSpec edge = edge_never_taken(f, pad->exit);
	build_cleanupret_along(&b, pad, &edge);
}

static void keep_exits(Funclets *f)
{
	for (uint32_t i = 0; i < f->plan->pads.len; i++) {
		FuncletPad *pad = f->plan->pads.data[i];
		if (pad->kind == FUNCLET_CLEANUP && pad->exit && may_throw(f, pad))
			keep_exit(f, pad);
	}
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
		keep_exits(f);
	if (!f->has_pads) {
		ir_func_drop_circ_personality(f->m, func);
		return true;
	}
	return set_personality(f) && is_ok(f);
}
