/* cir.try and what stands in its handlers (cir-reference 5.10). */
#include "ir/try.h"
#include "ir/nearest_region.h"
#include "verify/verifier.h"

/* What a region of a cir.try is for, as far as the rules of what stands in it differ. */
typedef enum HandlerUse { USE_NONE, USE_CATCH, USE_UNWIND, USE_UNEXPECTED } HandlerUse;

static HandlerUse use_of(TryHandlerKind kind)
{
	if (ir_try_catches(kind))
		return USE_CATCH;
	return kind == TRY_UNEXPECTED ? USE_UNEXPECTED : USE_UNWIND;
}

static HandlerUse region_use(const IrRegion *r)
{
	TryHandler h;
	return ir_try_role(r, &h) == TRY_ROLE_HANDLER ? use_of(h.kind) : USE_NONE;
}

bool verifier_goes_on_unwinding(const IrRegion *r)
{
	HandlerUse use = region_use(r);
	return use == USE_UNWIND || use == USE_UNEXPECTED;
}

bool verifier_is_filter(const IrRegion *r)
{
	TryHandler h;
	return ir_try_role(r, &h) == TRY_ROLE_FILTER;
}

static bool check_filled(Verifier *v, const IrOp *op, const IrRegion *region, const char *name)
{
	if (region->first)
		return true;
	verifier_error(v, op, ": the %s region is empty", name);
	return false;
}

/* The handlers */

typedef struct Handlers {
	const IrOp *op;
	const IrAttr *all, *unwind, *filter, *unexpected;
	uint32_t types;
} Handlers;

static bool begins_catch(const IrBlock *b)
{
	const IrOp *op = b->first;
	while (op && op->kind == OP_CONSTRUCT_CATCH_PARAM)
		op = op->next;
	if (op && op == b->first && op->kind == OP_CATCH_PARAM)
		return true;
	return op && (op->kind == OP_BEGIN_CATCH || op->kind == OP_EH_TERMINATE);
}

static bool check_filter_region(Verifier *v, const TryHandler *h)
{
	const IrBlock *b = h->filter->first;
	if (!check_filled(v, h->op, h->filter, "filter"))
		return false;
	if (b->nargs == 1 && ir_is_ptr(b->args[0]->type))
		return true;
	verifier_error(v, h->op,
	               ": the filter of handler #%u must have one argument, a pointer to the record of the "
	               "exception",
	               h->index);
	return false;
}

static bool check_handler_region(Verifier *v, const TryHandler *h)
{
	const IrOp *op = h->op;
	const IrBlock *b = h->region->first;
	HandlerUse use = use_of(h->kind);
	if (h->filter && !check_filter_region(v, h))
		return false;
	if (!check_filled(v, op, h->region, "handler"))
		return false;
	if (b->nargs != 1 || b->args[0]->type->kind != TYPE_EH_TOKEN)
		verifier_error(v, op, ": handler #%u must have one argument of type '!cir.eh_token'",
		               h->index);
	else if (use == USE_CATCH && !begins_catch(b))
		diag_error(v->d, b->first ? b->first->loc : op->loc,
		           "'cir.try' op: a catch handler must begin with 'cir.begin_catch'");
	else if (use == USE_UNEXPECTED && (!b->first || b->first->kind != OP_EH_UNEXPECTED))
		diag_error(v->d, b->first ? b->first->loc : op->loc,
		           "'cir.try' op: the unexpected region must consist of 'cir.eh.unexpected'");
	else
		return true;
	return false;
}

static bool report_type_info(Verifier *v, const IrOp *op, const IrAttr *a)
{
	verifier_error(v, op, ": expected the address of a type info, found '%s'", ir_attr_str(v->arena, a));
	return false;
}

static bool check_filter(Verifier *v, const IrOp *op, const IrAttr *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const IrAttr *a = list->elems[i];
		if (a->kind != ATTR_SYMBOL && (a->kind != ATTR_GLOBAL_VIEW || a->n))
			return report_type_info(v, op, a);
		if (!verifier_check_type_info(v, op, a->name))
			return false;
	}
	return true;
}

/* Where a handler of that kind is noted that there may be one of; NULL: any number. */
static const IrAttr **slot_of(Handlers *hs, TryHandlerKind kind)
{
	switch (kind) {
	case TRY_ALL:
		return &hs->all;
	case TRY_UNWIND:
		return &hs->unwind;
	case TRY_FILTER:
		return &hs->filter;
	case TRY_UNEXPECTED:
		return &hs->unexpected;
	default:
		return NULL;
	}
}

static bool check_type(Verifier *v, const IrOp *op, const IrAttr *use)
{
	if (use->kind != ATTR_GLOBAL_VIEW || use->n)
		return report_type_info(v, op, use);
	return verifier_check_type_info(v, op, use->name);
}

static bool note_handler(Verifier *v, Handlers *hs, const TryHandler *h)
{
	const IrAttr **slot = slot_of(hs, h->kind);
	if (h->kind == TRY_TYPE && !check_type(v, h->op, h->use))
		return false;
	if (h->kind == TRY_FILTER && !check_filter(v, h->op, h->use))
		return false;
	if (h->kind == TRY_WHEN && !verifier_check_circ(v, h->op, "handler 'when'"))
		return false;
	hs->types += h->kind == TRY_TYPE || h->kind == TRY_WHEN;
	if (slot && *slot) {
		verifier_error(v, h->op,
		               slot == &hs->all ? "has more than one handler 'all'"
		                                : "has two handlers of the same kind");
		return false;
	}
	if (hs->all) {
		verifier_error(v, h->op, ": handler 'all' must be the last one");
		return false;
	}
	if (slot)
		*slot = h->use;
	return true;
}

static void check_combination(Verifier *v, const Handlers *h)
{
	if (h->all && h->unwind)
		verifier_error(v, h->op, ": handlers 'all' and 'unwind' exclude each other");
	else if ((h->filter != NULL) != (h->unexpected != NULL))
		verifier_error(v, h->op, ": 'filter' and 'unexpected' must be given together");
	else if (h->filter && (h->types || h->all || h->unwind))
		verifier_error(v, h->op, ": 'filter' and 'unexpected' allow no other handler");
}

static void check_order(Verifier *v, const Handlers *hs)
{
	const IrAttr *uses = ir_op_attr(hs->op, NAME_handler_types);
	if (verifier_is_circ(v) && (hs->filter || hs->unexpected))
		verifier_error(v, hs->op,
		               ": 'filter' and 'unexpected' work only with exceptions of C++; use 'when'");
	else if (uses)
		verifier_check_order(v, hs->op, uses);
}

void verify_try(Verifier *v, const IrOp *op)
{
	Handlers hs = {.op = op};
	TryHandler h;
	if (!ir_try_is_whole(op)) {
		verifier_error(v, op, "needs one entry of 'handler_types' for each handler region");
		return;
	}
	if (!check_filled(v, op, &op->regions[0], "try"))
		return;
	if (ir_op_has(op, NAME_async))
		v->async_in = v->symbol;
	IR_FOR_HANDLERS(&h, op)
	if (!note_handler(v, &hs, &h) || !check_handler_region(v, &h))
		return;
	check_combination(v, &hs);
	check_order(v, &hs);
	if (ir_try_finally(op))
		check_filled(v, op, ir_try_finally(op), "finally");
}

/* Inside the handlers */

/* First op of the handler of a catch? */
static bool begins_handler(const IrOp *op)
{
	const IrRegion *r = op->block->region;
	return !op->prev && r->first == op->block && region_use(r) == USE_CATCH;
}

void verify_catch_param(Verifier *v, const IrOp *op)
{
	if (!begins_handler(op))
		verifier_error(v, op, "must be the first operation of a catch handler of 'cir.try'");
}

bool verifier_check_handler(Verifier *v, const IrOp *begin)
{
	const IrRegion *r = begin->block->region;
	if (r->first == begin->block && region_use(r) == USE_CATCH)
		return true;
	verifier_error(v, begin, "must be in a catch handler of 'cir.try'");
	return false;
}

void verify_eh_terminate(Verifier *v, const IrOp *op)
{
	if (v->stage == STAGE_STRUCTURED && !begins_handler(op))
		verifier_error(v, op, "must be the only operation of a catch handler of 'cir.try'");
}

void verify_eh_unexpected(Verifier *v, const IrOp *op)
{
	if (v->stage == STAGE_STRUCTURED && (op->prev || region_use(op->block->region) != USE_UNEXPECTED))
		verifier_error(v, op, "must be the only operation of an unexpected region of 'cir.try'");
}

static bool is_end_of(const IrOp *begin, const IrOp *op)
{
	return op && op->kind == OP_END_CATCH && ir_operand(op, 0) == &begin->results[0];
}

/* Is the catch that a handler begins open behind `at`, an op of the handler's region, or in the body of it?
 * The catch ends in the block of its begin, or first in the cleanup of a scope there (verify/region_exit.c). The walk goes down
 * that block, so the next question is about an op further down, or the same. */
static bool is_open_at(Verifier *v, const IrRegion *handler, const IrOp *at, bool in_body)
{
	const IrOp *begin = handler->first->first;
	while (begin && begin->kind == OP_CONSTRUCT_CATCH_PARAM)
		begin = begin->next;
	if (!begin || begin->kind != OP_BEGIN_CATCH || at->block != handler->first)
		return false;
	const IrOp *from = ptrmap_get(&v->open_catches, handler);
	for (const IrOp *op = from ? from : begin->next; op; op = op->next) {
		const IrBlock *cleanup = op->kind == OP_CLEANUP_SCOPE ? op->regions[1].first : NULL;
		bool ends = is_end_of(begin, op) || (cleanup && is_end_of(begin, cleanup->first));
		if (op == at || ends)
			ptrmap_put(v->arena, &v->open_catches, handler, (void *)(uintptr_t)op);
		if (op == at)
			return !ends || in_body;
		if (ends)
			return false;
	}
	return false;
}

static bool is_in_open_catch(Verifier *v, const IrOp *op, bool in_body)
{
	return region_use(op->block->region) == USE_CATCH && is_open_at(v, op->block->region, op, in_body);
}

static bool is_of_op_in_catch(void *user, const IrRegion *r)
{
	return r->op && r->op->block && is_in_open_catch(user, r->op, r == &r->op->regions[0]);
}

/* Stands op in a catch that some handler around it has begun and not ended? */
bool verifier_in_catch(Verifier *v, const IrOp *op)
{
	return is_in_open_catch(v, op, false) ||
	       ir_nearest(v->arena, &v->nearest[NEAREST_CATCH], op, is_of_op_in_catch, v);
}
