/* cir.try and what stands in its handlers (cir-reference 5.10). */
#include "ir/nearest_region.h"
#include "verify/verifier.h"

/* What a region of a cir.try is for. */
typedef enum HandlerUse { USE_NONE, USE_CATCH, USE_UNWIND, USE_UNEXPECTED } HandlerUse;

static HandlerUse use_of(const IrAttr *a)
{
	if (a->kind == ATTR_GLOBAL_VIEW || (a->kind == ATTR_ENUM && a->bits == HANDLER_ALL))
		return USE_CATCH;
	return a->kind == ATTR_ENUM && a->bits == HANDLER_UNEXPECTED ? USE_UNEXPECTED : USE_UNWIND;
}

static HandlerUse region_use(const IrRegion *r)
{
	const IrOp *op = r->op;
	uint32_t i = op ? (uint32_t)(r - op->regions) : 0;
	const IrAttr *uses = i && op->kind == OP_TRY ? ir_op_attr(op, NAME_handler_types) : NULL;
	return uses && uses->kind == ATTR_ARRAY && i <= uses->n ? use_of(uses->elems[i - 1]) : USE_NONE;
}

bool verifier_goes_on_unwinding(const IrRegion *r)
{
	HandlerUse use = region_use(r);
	return use == USE_UNWIND || use == USE_UNEXPECTED;
}

static bool check_filled(Verifier *v, const IrOp *op, uint32_t region, const char *name)
{
	if (op->regions[region].first)
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

static bool check_handler_region(Verifier *v, const IrOp *op, uint32_t i, HandlerUse use)
{
	const IrBlock *b = op->regions[i].first;
	if (!check_filled(v, op, i, "handler"))
		return false;
	if (b->nargs != 1 || b->args[0]->type->kind != TYPE_EH_TOKEN)
		verifier_error(v, op, ": handler #%u must have one argument of type '!cir.eh_token'", i - 1);
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

static bool note_handler(Verifier *v, Handlers *h, const IrAttr *use)
{
	const IrAttr **slot = NULL;
	if (use->kind == ATTR_GLOBAL_VIEW && use->n == 0) {
		h->types++;
		if (!verifier_check_type_info(v, h->op, use->name))
			return false;
	} else if (use->kind == ATTR_ARRAY) {
		slot = &h->filter;
		if (!check_filter(v, h->op, use))
			return false;
	} else if (use->kind == ATTR_ENUM && use->enum_class == ENUM_HANDLER) {
		slot = use->bits == HANDLER_ALL      ? &h->all
		       : use->bits == HANDLER_UNWIND ? &h->unwind
		                                     : &h->unexpected;
	} else {
		return report_type_info(v, h->op, use);
	}
	if (slot && *slot) {
		verifier_error(v, h->op,
		               slot == &h->all ? "has more than one handler 'all'"
		                               : "has two handlers of the same kind");
		return false;
	}
	if (h->all) {
		verifier_error(v, h->op, ": handler 'all' must be the last one");
		return false;
	}
	if (slot)
		*slot = use;
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

void verify_try(Verifier *v, const IrOp *op)
{
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	uint32_t n = uses && uses->kind == ATTR_ARRAY ? uses->n : 0;
	Handlers h = {.op = op};
	if (op->nregions != n + 1 || (uses && uses->kind != ATTR_ARRAY)) {
		verifier_error(v, op, "needs one entry of 'handler_types' for each handler region");
		return;
	}
	if (!check_filled(v, op, 0, "try"))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const IrAttr *use = uses->elems[i];
		if (!note_handler(v, &h, use) || !check_handler_region(v, op, i + 1, use_of(use)))
			return;
	}
	check_combination(v, &h);
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
