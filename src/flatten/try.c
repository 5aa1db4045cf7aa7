/* cir.try: its body, and, if anything in it can throw, the dispatch and the handlers
 * (cir-reference 5.10, 5.14). */
#include "flatten/internal.h"

typedef struct Try {
	EhState *eh;
	IrBlock *join;      /* where the body and the handlers meet */
	IrBlock **handlers; /* by region, from 1 */
	uint32_t handler;   /* region being emitted */
	uint32_t first_unwind, first_cleanup;
} Try;

/* What a handler region is for. */
typedef enum HandlerUse { USE_TYPE, USE_CATCH_ALL, USE_UNWIND, USE_FILTER, USE_UNEXPECTED } HandlerUse;

static HandlerUse use_of(const IrAttr *a)
{
	if (a->kind == ATTR_ARRAY)
		return USE_FILTER;
	if (a->kind != ATTR_ENUM)
		return USE_TYPE;
	return a->bits == HANDLER_ALL      ? USE_CATCH_ALL
	       : a->bits == HANDLER_UNWIND ? USE_UNWIND
	                                   : USE_UNEXPECTED;
}

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
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	for (uint32_t i = 0; uses && i < uses->n; i++) {
		IrBlock *b = t->handlers[i + 1] = token_block(f, op);
		switch (use_of(uses->elems[i])) {
		case USE_TYPE:
			vec_push(f->mem, &d->types, uses->elems[i]);
			vec_push(f->mem, &d->succs, ((IrSuccSpec){.dest = b}));
			break;
		case USE_FILTER: /* its region sees what the list allows: it goes on unwinding */
			d->filter = uses->elems[i];
			d->fallback = b;
			break;
		case USE_UNEXPECTED:
			d->violation = b;
			break;
		case USE_CATCH_ALL:
			d->catch_all = true;
			d->fallback = b;
			break;
		case USE_UNWIND:
			d->fallback = b;
			break;
		}
	}
}

/* Where an exception is told from others: at the first handler, behind the body. */
static Loc place_of_handlers(const IrOp *op)
{
	const IrOp *first = op->regions[1].first->first;
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
		d.fallback = t->handlers[0] = token_block(f, op);
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
	IrBlock *b = t->handlers[t->handler];
	IrRegion *region = &fr->op->regions[t->handler];
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
	if (t->handlers[0]) {
		flatten_place(f, t->handlers[0]);
		eh_resume(f, t->handlers[0]->args[0], op);
	}
	flatten_place_join(f, t->join, op);
	flatten_pop(f);
	ir_op_erase(op);
}

/* stage 1: the body is done; 2: what waited inside is emitted; from 3: a handler is done. */
static void step_try(Flatten *f, Frame *fr)
{
	Try *t = fr->data;
	IrOp *op = fr->op;
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
	if (fr->stage == 2) {
		t->handlers = arena_array(f->mem, IrBlock *, op->nregions);
		build_dispatch(f, t, op);
	} else {
		flatten_end(f, fr, t->join, NULL);
	}
	if (++t->handler < op->nregions)
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
	if (op->nregions > 1)
		t->eh = eh_push(f, EH_TRY, op);
	flatten_open_region(f, fr, &op->regions[0]);
}
