/* eh/microsoft/funclet_throws.c: cleanups of circ's runtime that an exception may leave, which takes the place of the one that they run for. From
 *
 * ^c:
 * 	%1 = cir.cleanuppad within none []
 * 	cir.call @close()
 * 	cir.cleanupret from %1 unwind to ^d
 *
 * to
 *
 * ^c:
 * 	%1 = cir.cleanuppad within none []
 * 	cir.store %true, %inside                             a variable of the function
 * 	%2 = cir.load volatile %inside
 * 	cir.brcond %2 ^rest, ^leave
 * ^leave:                                               never
 * 	cir.cleanupret from %1 unwind to ^behind
 * ^rest:
 * 	cir.try_call @close() ^end, ^behind
 * ^end:
 * 	cir.call @circ_seh_cleanup_ends(%inside)              stores false
 * 	cir.cleanupret from %1 unwind to ^behind
 * ^behind:
 * 	%3 = cir.cleanuppad within none []
 * 	cir.call @circ_seh_behind_cleanup(%inside)
 * 	cir.cleanupret from %3 unwind to ^d
 *
 * The edges of the calls tell LLVM which variables are looked at farther out, since it keeps some in registers. The tables have the scopes around
 * a call; LLVM reads them off the cleanupret, which it drops when it sees that the call always throws. Hence ^leave.
 */
#include "eh/microsoft/funclet.h"
#include "ir/function_entry.h"

FuncletTarget funclet_thrown_by_cleanup(Funclets *f, const FuncletPad *pad, const IrOp *op)
{
	FuncletTarget t = funclet_target_without_values(f, pad->exit);
	if (!t.nargs)
		return t;
	diag_error(f->d, op->loc,
	           "'%s' op may leave a cleanup by an exception, but the block behind the cleanup takes "
	           "values; keep them in a variable on windows-msvc",
	           op_info[op->kind].name);
	diag_note(f->d, pad->exit->op->loc, "the block is here");
	f->circ->rt.ok = false;
	return t;
}

/* One cleanup that may throw. */
typedef struct Watch {
	Funclets *f;
	FuncletPad *pad;
	IrValue *inside; /* the variable */
	IrBlock *behind;
} Watch;

static bool block_may_throw(const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (ir_op_has_unwind_edge(op) || (op->kind == OP_CALL && ir_op_may_throw(op)))
			return true;
	return false;
}

static bool may_throw(const Funclets *f, const FuncletPad *pad)
{
	for (uint32_t i = 0; i < f->plan->nodes.len; i++) {
		const FuncletNode *n = f->plan->nodes.data[i];
		if (n->pad == pad && block_may_throw(n->block))
			return true;
	}
	return false;
}

/* Its exit takes no values: funclet_thrown_by_cleanup() */
static void build_behind(Watch *w)
{
	Funclets *f = w->f;
	IrOp *begin = w->pad->token->def.op;
	w->behind = ir_block_create(f->m, begin->loc);
	ir_block_insert_after(begin->block, w->behind);
	IrBuilder b = ir_at_end(f->m, w->behind, begin->loc);
	IrOp *pad = funclet_build_pad(f, &b, OP_CLEANUPPAD, TYPE_CLEANUP_TOKEN, w->pad->parent, NULL, 0);
	cxa_call(f->circ, &b, CXA_SEH_BEHIND_CLEANUP, &w->inside, 1);
	const FuncletPad *exit = w->pad->exit;
	IrSuccSpec to = {.dest = exit ? exit->block : NULL};
	funclet_build_cleanupret(&b, &pad->results[0], exit ? &to : NULL);
}

/* Where the watched cleanup ends, the exception goes on to the pad after it. */
static void end_behind(const Watch *w)
{
	VEC(IrOp *) ends = {0};
	IR_FOR_USES (u, w->pad->token)
		if (u->user->kind == OP_CLEANUPRET)
			vec_push(w->f->mem, &ends, u->user);
	for (uint32_t i = 0; i < ends.len; i++) {
		IrBuilder b = ir_before(w->f->m, ends.data[i]);
		cxa_call(w->f->circ, &b, CXA_SEH_CLEANUP_ENDS, &(IrValue *){w->inside}, 1);
		funclet_build_cleanupret(&b, w->pad->token, &(IrSuccSpec){.dest = w->behind});
		ir_op_erase(ends.data[i]);
	}
}

static void give_edge(const Watch *w, IrOp *call)
{
	Funclets *f = w->f;
	IrBlock *rest = ir_block_split(f->m, call->block, call->next, call->loc);
	IrSuccSpec edges[] = {{.dest = rest}, {.dest = w->behind}};
	IrBuilder b = ir_at_end(f->m, call->block, call->loc);
	IrOpSpec spec = ir_op_spec(call, f->mem);
	spec.kind = OP_TRY_CALL;
	spec.succs = edges;
	spec.nsuccs = ARRAY_LEN(edges);
	IrOp *made = ir_build_spec(&b, &spec);
	for (uint32_t i = 0; i < call->nresults; i++)
		ir_value_replace(&call->results[i], &made->results[i]);
	ir_op_erase(call);
}

/* Those of calls that have none: of the function that a cleanup with handlers became, of what would leave this one, and in flat text. */
static void give_edges(const Watch *w, IrBlock *block)
{
	if (ir_op_has_unwind_edge(block->last))
		ir_succ_set_dest(&block->last->succs[1], w->behind);
	for (IrOp *op = block->last, *prev; op; op = prev) {
		prev = op->prev;
		if (op->kind == OP_CALL && ir_op_may_throw(op))
			give_edge(w, op);
	}
}

static void begin_inside(const Watch *w)
{
	Funclets *f = w->f;
	IrOp *begin = w->pad->token->def.op;
	IrBuilder b = ir_at_end(f->m, begin->block, begin->loc);
	IrBlock *rest = ir_block_split(f->m, begin->block, begin->next, begin->loc);
	IrBlock *leave = ir_block_create(f->m, begin->loc);
	ir_block_insert_after(begin->block, leave);
	ir_build_store(&b, ir_build_const(&b, ir_attr_bool(f->m, true)), w->inside);
	IrValue *inside = ir_build_load(&b, w->inside);
	ir_set_flag(f->m, inside->def.op, NAME_is_volatile_flag);
	ir_build_brcond(&b, inside, (IrSuccSpec){.dest = rest}, (IrSuccSpec){.dest = leave});
	b = ir_at_end(f->m, leave, begin->loc);
	funclet_build_cleanupret(&b, w->pad->token, &(IrSuccSpec){.dest = w->behind});
}

static void watch(Funclets *f, FuncletPad *pad)
{
	IrBuilder entry = ir_before(f->m, abi_entry_front(f->func));
	Watch w = {.f = f, .pad = pad};
	w.inside = ir_build_alloca(&entry, ir_type_simple(f->m, TYPE_BOOL), STR("__inside"), 0);
	build_behind(&w);
	end_behind(&w);
	for (uint32_t i = 0; i < f->plan->nodes.len; i++)
		if (f->plan->nodes.data[i]->pad == pad)
			give_edges(&w, f->plan->nodes.data[i]->block);
	begin_inside(&w);
}

void funclet_watch_cleanups(Funclets *f)
{
	for (uint32_t i = 0; i < f->plan->pads.len; i++) {
		FuncletPad *pad = f->plan->pads.data[i];
		if (pad->kind == FUNCLET_CLEANUP && may_throw(f, pad))
			watch(f, pad);
	}
}
