/* cir.try: its body, and, if anything in it can throw, the dispatch and the handlers
 * (cir-reference 5.10, 5.14). */
#include "flatten/internal.h"

#include "ir/try.h"

typedef struct Try {
	EhState *eh;
	IrBlock *join;      /* where the body and the handlers meet */
	IrBlock **handlers; /* of each */
	IrBlock *implied;   /* goes on unwinding, where no handler does */
	TryHandler handler; /* the one being emitted */
	Scope *exits;       /* of a finally: what leaves the body; NULL: there is none */
	IrBlock *after; /* of a finally: where falling out of the body leads; NULL: on with what follows */
	uint32_t first_unwind, first_cleanup;
} Try;

typedef struct Dispatch {
	VEC(IrSuccSpec) succs;
	VEC(const IrAttr *) types;
	const IrAttr *filter;
	IrBlock *violation, *fallback;
	bool catch_all;
} Dispatch;

static IrBlock *token_block(Flatten *f, const IrOp *op)
{
	IrBlock *b = flatten_block(f, op);
	ir_block_add_arg(f->m, b, ir_type_simple(f->m, TYPE_EH_TOKEN));
	return b;
}

static void sort_handlers(Flatten *f, Try *t, const IrOp *op, Dispatch *d)
{
	TryHandler h;
	IR_FOR_HANDLERS(&h, op)
	{
		IrBlock *b = t->handlers[h.index] = token_block(f, op);
		switch (h.kind) {
		case TRY_WHEN: /* its filter is a function now: when.c */
		case TRY_TYPE:
			vec_push(f->mem, &d->types, h.use);
			vec_push(f->mem, &d->succs, ((IrSuccSpec){.dest = b}));
			break;
		case TRY_FILTER: /* its region sees what the list allows: it goes on unwinding */
			d->filter = h.use;
			d->fallback = b;
			break;
		case TRY_UNEXPECTED:
			d->violation = b;
			break;
		case TRY_ALL:
			d->catch_all = true;
			d->fallback = b;
			break;
		case TRY_UNWIND:
			d->fallback = b;
			break;
		}
	}
}

/* Where an exception is told from others: at the first handler, behind the body. */
static Loc place_of_handlers(const IrOp *op)
{
	TryHandler h;
	const IrOp *first = ir_try_first(op, &h) ? h.region->first->first : NULL;
	Loc loc = op->loc;
	if (first && (first->loc.info || !loc.info)) {
		loc.pos = first->loc.pos;
		loc.info = first->loc.info;
	}
	return loc;
}

static void build_dispatch(Flatten *f, Try *t, const IrOp *op)
{
	Dispatch d = {0};
	IrNamedAttr attrs[3];
	uint32_t n = 0;
	sort_handlers(f, t, op, &d);
	if (d.filter)
		vec_push(f->mem, &d.succs, ((IrSuccSpec){.dest = d.violation}));
	if (!d.fallback) /* as with an unwind region that resumes */
		d.fallback = t->implied = token_block(f, op);
	vec_push(f->mem, &d.succs, ((IrSuccSpec){.dest = d.fallback}));
	attrs[n++] = (IrNamedAttr){ir_known_name(f->m, NAME_catch_types),
	                           ir_attr_array(f->m, d.types.data, d.types.len)};
	if (d.filter)
		attrs[n++] = (IrNamedAttr){ir_known_name(f->m, NAME_filter_types), d.filter};
	if (d.catch_all)
		attrs[n++] =
		    (IrNamedAttr){ir_known_name(f->m, NAME_default_is_catch_all), ir_attr_unit(f->m)};
	flatten_place(f, t->eh->entry);
	IrBuilder b = ir_at_end(f->m, f->at, place_of_handlers(op));
	ir_build_spec(&b, &(IrOpSpec){.kind = OP_EH_DISPATCH,
	                              .operands = t->eh->entry->args,
	                              .noperands = 1,
	                              .succs = d.succs.data,
	                              .nsuccs = d.succs.len,
	                              .attrs = attrs,
	                              .nattrs = n});
	f->at = NULL;
}

static void open_handler(Flatten *f, Frame *fr, Try *t)
{
	IrBlock *b = t->handlers[t->handler.index];
	IrRegion *region = t->handler.region;
	IrBlock *entry = region->first;
	flatten_place(f, b);
	f->token = b->args[0];
	if (entry->nargs)
		ir_value_replace(entry->args[0], b->args[0]);
	flatten_open_region(f, fr, region);
}

static void end_handlers(Flatten *f, Frame *fr, Try *t)
{
	IrOp *op = fr->op;
	if (t->implied) {
		flatten_place(f, t->implied);
		eh_resume(f, t->implied->args[0], op);
	}
	flatten_place_join(f, t->join, op);
	flatten_pop(f);
	ir_op_erase(op);
}

static void step_try(Flatten *f, Frame *fr);

/* The finally (finally.c), on the ways out of the body that are not exceptions */

/* The walk in the region of `finally` is done: the exits go on. */
static void step_finally(Flatten *f, Frame *fr)
{
	Try *t = fr->data;
	f->level--;
	f->leaving = fr->leaving;
	if (t->exits->groups)
		exits_distribute(f, t->exits, fr->op);
	if (t->after)
		flatten_place_join(f, t->after, fr->op);
	t->exits = NULL;
	fr->step = step_try;
	fr->stage = 1;
	step_try(f, fr);
}

/* Everything that leaves the body is known now. */
static void open_finally(Flatten *f, Frame *fr, Try *t)
{
	Scope *s = t->exits;
	if (s->groups && f->at) { /* falling out of the body is one more exit */
		t->after = s->falls_to = flatten_block(f, fr->op);
		Dest *dest = dest_new(f, t->after, s->parent);
		s->falls = dest;
		exit_to(f, dest, fr->op);
	}
	f->scope = fr->scope;
	f->eh = fr->eh;
	if (f->labels.len) /* no goto leads into it any more */
		ptrmap_put(f->mem, &f->scopes, fr->op, NULL);
	exits_end(s);
	if (s->groups)
		flatten_place(f, s->entry);
	fr->step = step_finally;
	f->level++;
	f->leaving = s;
	if (f->at)
		flatten_open_region(f, fr, ir_try_finally(fr->op));
	else
		step_finally(f, fr);
}

/* stage 1: the body is done; 2: what waited inside is emitted; from 3: a handler is done. */
static void step_try(Flatten *f, Frame *fr)
{
	Try *t = fr->data;
	IrOp *op = fr->op;
	if (fr->stage == 1 && t->exits) {
		open_finally(f, fr, t);
		return;
	}
	f->scope = fr->scope;
	f->eh = fr->eh;
	if (fr->stage == 1) {
		if (!t->eh || !t->eh->entry) { /* it cannot throw, and loses its handlers */
			flatten_pop(f);
			ir_op_erase(op);
			return;
		}
		t->join = flatten_block(f, op);
		flatten_end(f, fr, t->join, NULL);
		eh_flush(f, op, t->first_unwind, t->first_cleanup);
		return;
	}
	bool more;
	if (fr->stage == 2) {
		t->handlers = arena_array(f->mem, IrBlock *, ir_try_nhandlers(op));
		build_dispatch(f, t, op);
		more = ir_try_first(op, &t->handler);
	} else {
		flatten_end(f, fr, t->join, NULL);
		more = ir_try_next(&t->handler);
	}
	if (more)
		open_handler(f, fr, t);
	else
		end_handlers(f, fr, t);
}

void flatten_try(Flatten *f, IrOp *op)
{
	Frame *fr = flatten_push(f, op, step_try);
	Try *t = arena_new(f->mem, Try);
	fr->data = t;
	t->first_unwind = f->pending_unwinds.len;
	t->first_cleanup = f->pending_cleanups.len;
	if (ir_try_finally(op)) {
		t->exits = scope_push_cleanup(f, op);
		if (f->labels.len) /* for gotos */
			ptrmap_put(f->mem, &f->scopes, op, t->exits);
	}
	if (ir_try_nhandlers(op))
		t->eh = eh_push(f, EH_TRY, op);
	flatten_open_region(f, fr, &op->regions[0]);
}
