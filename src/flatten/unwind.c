/* Leaving scopes by exceptions. Each scope state has at most one unwind block, made when the first call needs
 * it, and one entry, which takes the token: of a cleanup, the block that runs it; of a try, its dispatch.
 * Nothing is emitted for a scope in which nothing throws. */
#include "flatten/internal.h"

#include "ir/try.h"

EhState *eh_push(Flatten *f, EhKind kind, IrOp *op)
{
	EhState *eh = arena_new(f->mem, EhState);
	*eh = (EhState){.kind = kind, .parent = f->eh, .op = op, .scope = f->scope, .level = f->level};
	return f->eh = eh;
}

static EhState *terminate_state(Flatten *f)
{
	if (!f->terminate) {
		f->terminate = arena_new(f->mem, EhState);
		f->terminate->kind = EH_TERMINATE;
	}
	return f->terminate;
}

/* What an exception meets that is thrown in a cleanup and leaves it. */
static EhState *inside_cleanup(Flatten *f, EhState *cleanup)
{
	if (!f->replaces)
		return terminate_state(f);
	EhState *eh = arena_new(f->mem, EhState);
	*eh = (EhState){.kind = EH_REPLACE, .parent = cleanup->parent, .op = cleanup->op};
	return cleanup->replace = eh;
}

/* What clang prints of `noexcept` is `nothrow` alone, and [except.spec]/5 has what would leave such a function
 * end in std::terminate. */
bool eh_is_noexcept(const Flatten *f, const IrOp *func)
{
	return f->cxx_exceptions && ir_op_is_nothrow(func);
}

void eh_push_function(Flatten *f)
{
	if (eh_is_noexcept(f, f->func))
		f->eh = terminate_state(f);
	else
		f->eh = arena_new(f->mem, EhState); /* EH_CALLER */
}

static bool catches_everything(const IrOp *try_op)
{
	TryHandler h;
	bool all = false;
	IR_FOR_HANDLERS(&h, try_op)
	all = h.kind == TRY_ALL;
	return all;
}

/* An exception will get to this state: it needs an entry, and so do those that it goes on to. */
static void request_entry(Flatten *f, EhState *eh)
{
	while ((eh->kind == EH_CLEANUP || eh->kind == EH_TRY || eh->kind == EH_REPLACE) && !eh->entry) {
		eh->entry = flatten_block(f, eh->op);
		ir_block_add_arg(f->m, eh->entry, ir_type_simple(f->m, TYPE_EH_TOKEN));
		if (eh->kind == EH_TRY && catches_everything(eh->op))
			return;
		eh = eh->parent;
	}
}

IrBlock *eh_unwind_block(Flatten *f, const IrOp *op)
{
	EhState *eh = f->eh;
	if (eh->kind == EH_CALLER)
		return NULL;
	if (eh->unwind)
		return eh->unwind;
	request_entry(f, eh);
	eh->unwind = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, eh->unwind, eh->op ? eh->op->loc : op->loc);
	IrOp *initiate = ir_build(&b, OP_EH_INITIATE, ir_type_simple(f->m, TYPE_EH_TOKEN), NULL, 0);
	IrValue *token = &initiate->results[0];
	if (eh->kind == EH_CLEANUP || eh->kind == EH_REPLACE)
		ir_set_flag(f->m, initiate, NAME_cleanup);
	if (eh->kind == EH_TERMINATE)
		ir_build(&b, OP_EH_TERMINATE, NULL, &token, 1);
	else
		ir_build_br(&b, eh->entry, &token, 1);
	vec_push(f->mem, &f->pending_unwinds, eh);
	return eh->unwind;
}

void eh_resume(Flatten *f, IrValue *token, const IrOp *op)
{
	if (!f->at)
		return;
	EhState *eh = f->eh;
	IrBuilder b = flatten_here(f, op);
	if (eh->kind == EH_CALLER)
		ir_build(&b, OP_RESUME, NULL, &token, 1);
	else if (eh->kind == EH_TERMINATE)
		ir_build(&b, OP_EH_TERMINATE, NULL, &token, 1);
	else {
		request_entry(f, eh);
		ir_build_br(&b, eh->entry, &token, 1);
	}
	f->at = NULL;
}

void flatten_resume(Flatten *f, IrOp *op)
{
	IrValue *token = op->noperands ? ir_operand(op, 0) : f->token;
	/* the document ends the cleanup region of an `eh` scope so: a yield */
	if (!op->noperands && f->frame->in_cleanup)
		;
	else if (token)
		eh_resume(f, token, op);
	else {
		diag_error(f->d, op->loc,
		           "'cir.resume' op has no token, and no enclosing handler or cleanup has one; give "
		           "it the token");
		f->failed = true;
		f->at = NULL; /* its block ends all the same */
	}
	ir_op_erase(op);
}

/* A call or throw that may unwind here ends its block (cir-reference 5.14, step 2). */
static IrOp *make_try(Flatten *f, IrOp *op, IrBlock *unwind, IrBlock *normal)
{
	ArenaMark mark = arena_mark(&f->m->scratch);
	IrSuccSpec succs[] = {{.dest = normal}, {.dest = unwind}};
	IrOpSpec spec = ir_op_spec(op, &f->m->scratch);
	spec.kind = op->kind == OP_THROW ? OP_TRY_THROW : OP_TRY_CALL;
	spec.succs = succs;
	spec.nsuccs = ARRAY_LEN(succs);
	IrBuilder b = flatten_here(f, op);
	IrOp *made = ir_build_spec(&b, &spec);
	arena_release(&f->m->scratch, mark);
	return made;
}

/* Of a tail call of a noexcept function the callee's exceptions are no more than the caller's: its frame is gone. */
bool eh_unwinds_here(const IrOp *op)
{
	return ir_op_may_throw(op) && !ir_op_has(op, NAME_musttail);
}

void flatten_throwing(Flatten *f, IrOp *op)
{
	IrBlock *unwind = eh_unwinds_here(op) ? eh_unwind_block(f, op) : NULL;
	if (!unwind) {
		flatten_append(f, op);
		return;
	}
	IrBlock *normal = flatten_block(f, op);
	IrOp *made = make_try(f, op, unwind, normal);
	if (op->nresults && op->results[0].uses)
		ir_value_replace(&op->results[0], &made->results[0]);
	ir_op_erase(op);
	f->at = NULL;
	flatten_place(f, normal);
}

/* Emitting what waits */

typedef struct Flush {
	EhState **cleanups; /* own copy: the pending list is reused by what is inside */
	uint32_t n, done;
	uint32_t first_unwind;
	PtrMap labels;
} Flush;

static void place_unwinds(Flatten *f, uint32_t first)
{
	for (uint32_t i = first; i < f->pending_unwinds.len; i++)
		ir_block_append(f->out, f->pending_unwinds.data[i]->unwind);
	f->pending_unwinds.len = first;
}

void eh_place_rest(Flatten *f)
{
	place_unwinds(f, 0);
}

static void begin_cleanup(Flatten *f, Frame *fr, EhState *eh)
{
	f->eh = inside_cleanup(f, eh);
	f->leaving = NULL;
	f->scope = NULL;
	f->scope = scope_push(f);
	f->level = eh->level + 1;
	flatten_place(f, eh->entry);
	f->token = eh->entry->args[0];
	IrBuilder b = flatten_here(f, eh->op);
	ir_build(&b, OP_BEGIN_CLEANUP, ir_type_simple(f->m, TYPE_CLEANUP_TOKEN), &f->token, 1);
	flatten_find_labels(f, &eh->cleanup);
	fr->in_cleanup = true;
	flatten_open_region(f, fr, &eh->cleanup);
}

/* eh->end: where; stays NULL for a cleanup that has no end. */
static void end_cleanup(Flatten *f, EhState *eh)
{
	if (!f->at)
		return;
	eh->end = f->at;
	IrValue *cleanup_token = &eh->entry->first->results[0];
	IrBuilder b = ir_at_end(f->m, f->at, eh->entry->first->loc);
	IrOp *end = ir_build(&b, OP_END_CLEANUP, NULL, &cleanup_token, 1);
	f->eh = eh->parent;
	eh_resume(f, eh->entry->args[0], end);
}

/* The cleanup ends by an exception of its own, which goes on in place of the one that it ran for. */
static void end_replaced(Flatten *f, EhState *cleanup)
{
	EhState *eh = cleanup->replace;
	if (!eh || !eh->entry)
		return;
	flatten_place(f, eh->entry);
	IrValue *old = cleanup->entry->args[0], *token = &cleanup->entry->first->results[0];
	IrBuilder b = flatten_here(f, eh->op);
	ir_build(&b, OP_EH_DROP, NULL, &old, 1);
	IrOp *end = ir_build(&b, OP_END_CLEANUP, NULL, &token, 1);
	f->eh = eh->parent;
	eh_resume(f, eh->entry->args[0], end);
}

/* A cleanup that never ends (it always throws, or loops) must not hide the handlers around it: they are found
 * before it runs (design.md section 5, points 2 and 3). So a way on stays in the graph, which is never taken:
 *
 * 	begin_cleanup; brcond true ^ops, ^on        ^on: end_cleanup and so forth
 *
 * It leads behind the end of the catch where that is what the cleanup begins with: a catch ends on every way.
 */
void eh_keep_way_on(Flatten *f, EhState *eh)
{
	IrBlock *entry = eh->entry, *on = flatten_block(f, eh->op);
	IrOp *first = entry->first->next;
	for (IrOp *op = first; op; op = op->next)
		if (op->kind == OP_END_CATCH)
			first = op->next;
	IrBlock *rest = ir_block_split(f->m, entry, first, eh->op->loc);
	IrBuilder b = ir_at_end(f->m, entry, entry->first->loc);
	IrValue *always = ir_build_const(&b, ir_attr_bool(f->m, true));
	ir_build_brcond(&b, always, (IrSuccSpec){.dest = rest}, (IrSuccSpec){.dest = on});
	flatten_place(f, on);
	end_cleanup(f, eh);
}

static void step_flush(Flatten *f, Frame *fr)
{
	Flush *fl = fr->data;
	if (fr->stage > 0) {
		end_cleanup(f, fl->cleanups[fl->done]);
		end_replaced(f, fl->cleanups[fl->done]);
		vec_push(f->mem, &f->emitted, fl->cleanups[fl->done++]);
	}
	if (fl->done < fl->n) {
		begin_cleanup(f, fr, fl->cleanups[fl->done]);
		return;
	}
	place_unwinds(f, fl->first_unwind);
	f->labels = fl->labels;
	flatten_pop(f);
	Frame *outer = f->frame; /* it waits in the stage after the one that asked for the flush */
	outer->stage++;
	outer->step(f, outer);
}

void eh_flush(Flatten *f, IrOp *op, uint32_t first_unwind, uint32_t first_cleanup)
{
	Frame *fr = flatten_push(f, op, step_flush);
	Flush *fl = arena_new(f->mem, Flush);
	fr->data = fl;
	fl->n = f->pending_cleanups.len - first_cleanup;
	fl->cleanups = arena_array(f->mem, EhState *, fl->n);
	if (fl->n)
		memcpy(fl->cleanups, f->pending_cleanups.data + first_cleanup, fl->n * sizeof(EhState *));
	f->pending_cleanups.len = first_cleanup;
	fl->first_unwind = first_unwind;
	fl->labels = f->labels;
	place_unwinds(f, first_unwind);
	step_flush(f, fr);
}
