/* Cleanup scopes: a body, then its cleanup on the normal paths. What runs when unwinding is emitted by
 * unwind.c from a copy of the region, which must be taken before the region itself is flattened. */
#include "flatten/internal.h"

#include "ir/clone.h"

typedef struct Cleanup {
	Scope *normal; /* NULL: not run on normal paths */
	EhState *eh;   /* NULL: not run when unwinding */
	IrRegion *region;
	Dest *falls_to;
	IrBlock *after;                       /* NULL: what follows goes on in the open block */
	uint32_t first_unwind, first_cleanup; /* what was pending before */
} Cleanup;

Frame *cleanup_open(Flatten *f, IrOp *op, unsigned kind, IrRegion *region, void (*body)(Flatten *, Frame *),
                    Dest *falls_to)
{
	Frame *fr = flatten_push(f, op, body);
	Cleanup *c = arena_new(f->mem, Cleanup);
	fr->data = c;
	c->region = region;
	c->falls_to = falls_to;
	c->first_unwind = f->pending_unwinds.len;
	c->first_cleanup = f->pending_cleanups.len;
	kind = cleanup_kind(kind, region);
	if (kind != CLEANUP_EH) {
		c->normal = scope_push_cleanup(f, op);
		if (f->labels.len) /* for gotos */
			ptrmap_put(f->mem, &f->scopes, op, c->normal);
	}
	if (kind != CLEANUP_NORMAL)
		c->eh = eh_push(f, EH_CLEANUP, op);
	return fr;
}

#define COPIES_TOLD UINT64_MAX /* IrModule.copied_ops: there were too many, which is told once a module */

bool flatten_copy_region(Flatten *f, const IrOp *op, const IrRegion *from, IrRegion *to)
{
	IrModule *m = f->m;
	if (m->copied_ops > m->budget.copied_ops) {
		if (m->copied_ops != COPIES_TOLD)
			diag_error(f->d, op->loc,
			           "copies of cleanups exceed %llu operations; nest fewer cleanups, or raise "
			           "%s",
			           (unsigned long long)m->budget.copied_ops,
			           diag_setting(f->d, SETTING_MAX_COPIED_OPS));
		m->copied_ops = COPIES_TOLD;
		f->failed = true;
		return false;
	}
	ArenaMark mark = arena_mark(f->mem);
	m->copied_ops += ir_region_clone(m, from, to, f->mem);
	arena_release(f->mem, mark);
	return true;
}

static void keep_copy_for_unwinding(Flatten *f, Cleanup *c, const IrOp *op)
{
	if (!c->eh || !c->eh->entry)
		return;
	if (f->level >= CLEANUP_NESTING_MAX) {
		if (!f->too_deep) /* the copies of the region are too deep as well */
			diag_error(f->d, op->loc, "cleanup regions are nested too deeply (limit %d)",
			           CLEANUP_NESTING_MAX);
		f->too_deep = f->failed = true;
		return;
	}
	if (flatten_copy_region(f, op, c->region, &c->eh->cleanup))
		vec_push(f->mem, &f->pending_cleanups, c->eh);
}

/* Does anything wait to be emitted, and is this the place? Inside a try, everything waits for its end, so
 * that the blocks come in the order of the design document: unwind blocks, cleanups, dispatch, handlers. */
static bool flush_here(const Flatten *f, const Cleanup *c)
{
	return f->eh->kind != EH_TRY && f->eh->kind != EH_CLEANUP &&
	       (f->pending_unwinds.len > c->first_unwind || f->pending_cleanups.len > c->first_cleanup);
}

static void finish(Flatten *f, Frame *fr)
{
	Cleanup *c = fr->data;
	if (fr->stage == 2 && flush_here(f, c)) {
		if (f->at) {
			if (!c->after)
				c->after = flatten_block(f, fr->op);
			flatten_branch(f, c->after, NULL, fr->op);
		}
		eh_flush(f, fr->op, c->first_unwind, c->first_cleanup); /* stage 3 when it is done */
		return;
	}
	if (c->after)
		flatten_place_join(f, c->after, fr->op);
	IrOp *op = fr->op;
	flatten_pop(f);
	if (op->kind == OP_CLEANUP_SCOPE)
		ir_op_erase(op);
}

static void step_cleanup(Flatten *f, Frame *fr)
{
	Cleanup *c = fr->data;
	if (fr->stage == 1) { /* the cleanup is in the open block */
		f->level--;
		f->leaving = fr->leaving;
		if (c->normal->groups)
			exits_distribute(f, c->normal, fr->op);
		else if (c->falls_to)
			exit_to(f, c->falls_to, fr->op);
		fr->stage = 2;
	}
	finish(f, fr);
}

/* Everything that leaves the body is known now. */
void cleanup_close(Flatten *f, Frame *fr)
{
	Cleanup *c = fr->data;
	Scope *s = c->normal;
	if (s && s->groups && f->at) { /* falling out of the body is one more exit */
		Dest *dest = c->falls_to;
		if (!dest) {
			c->after = s->falls_to = flatten_block(f, fr->op);
			dest = dest_new(f, c->after, s->parent);
		}
		s->falls = dest;
		exit_to(f, dest, fr->op);
	}
	f->scope = fr->scope;
	f->eh = fr->eh;
	if (s && f->labels.len) /* no goto leads into it any more */
		ptrmap_put(f->mem, &f->scopes, fr->op, NULL);
	keep_copy_for_unwinding(f, c, fr->op);
	fr->step = step_cleanup;
	if (f->failed || !s || (!s->groups && !f->at)) {
		if (f->at && c->falls_to)
			exit_to(f, c->falls_to, fr->op);
		fr->stage = 2;
		finish(f, fr);
		return;
	}
	exits_end(s);
	if (s->groups)
		flatten_place(f, s->entry);
	fr->stage = 0;
	f->level++;
	f->leaving = s;
	fr->in_cleanup = true;
	flatten_open_region(f, fr, c->region);
}

static void step_body(Flatten *f, Frame *fr)
{
	cleanup_close(f, fr);
}

void flatten_cleanup_scope(Flatten *f, IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CLEANUP_ALL);
	Frame *fr = cleanup_open(f, op, kind, &op->regions[1], step_body, NULL);
	flatten_open_region(f, fr, &op->regions[0]);
}
