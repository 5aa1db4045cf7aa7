/* text/print/custom_try.c: cir.try (reference 5.10). Regions: the body, then those that ir/try.h tells of.
 *
 *	cir.try {
 *	  …
 *	} catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%t: !cir.eh_token) {
 *	  …
 *	} catch when (%r: !cir.ptr<!rec_CircRecord>) {
 *	  …
 *	} do (%t: !cir.eh_token) {
 *	  …
 *	} unwind (%t: !cir.eh_token) {
 *	  …
 *	} finally {
 *	  …
 *	}
 */
#include "ir/try.h"
#include "text/print/printer.h"

static const uint32_t try_names[] = {NAME_handler_types, NAME_synthetic, NAME_cleanup,
                                     NAME_async,         NAME_finally,   NAMES_END};

static bool has_argument(const IrRegion *r)
{
	return r->first && r->first->nargs == 1;
}

static bool handler_fits(const TryHandler *h)
{
	return (h->kind != TRY_TYPE || h->use->kind == ATTR_GLOBAL_VIEW) && has_argument(h->region) &&
	       h->region->first->args[0]->type->kind == TYPE_EH_TOKEN &&
	       (!h->filter || has_argument(h->filter));
}

static bool try_fits(const IrOp *op)
{
	const IrRegion *finally = ir_try_finally(op);
	TryHandler h;
	if (!ir_try_is_whole(op) || !op->regions[0].first || (finally && !finally->first) || op->noperands ||
	    op->nresults)
		return false;
	IR_FOR_HANDLERS(&h, op)
	if (!handler_fits(&h))
		return false;
	return print_fits_kind(op, NAME_synthetic, ATTR_UNIT) &&
	       print_fits_kind(op, NAME_cleanup, ATTR_UNIT) && print_fits_kind(op, NAME_async, ATTR_UNIT) &&
	       print_fits_kind(op, NAME_finally, ATTR_UNIT);
}

static void put_types_of(Printer *p, const IrAttr *list)
{
	PUT(p, " filter [");
	for (uint32_t i = 0; i < list->n; i++) {
		if (i)
			PUT(p, ", ");
		put_attr(p, list->elems[i]);
	}
	put_char(p, ']');
}

static void put_use(Printer *p, const IrAttr *use)
{
	if (use->kind == ATTR_ARRAY) {
		put_types_of(p, use);
	} else if (use->kind == ATTR_GLOBAL_VIEW) {
		PUT(p, " catch [type ");
		put_attr(p, use);
		put_char(p, ']');
	} else {
		put(p, use->bits == HANDLER_ALL ? STR(" catch ") : STR(" "));
		put_word(p, use);
	}
}

static void put_argument(Printer *p, const IrRegion *r)
{
	PUT(p, " (");
	put_value(p, r->first->args[0]);
	PUT(p, ": ");
	put_type(p, r->first->args[0]->type);
	PUT(p, ") ");
}

/* What stands before a region behind the body. */
static void put_head(Printer *p, const IrRegion *r)
{
	TryHandler h;
	switch (ir_try_role(r, &h)) {
	case TRY_ROLE_FILTER:
		PUT(p, " catch when");
		break;
	case TRY_ROLE_HANDLER:
		if (h.filter)
			PUT(p, " do");
		else
			put_use(p, h.use);
		break;
	default:
		PUT(p, " finally ");
		return;
	}
	put_argument(p, r);
}

static uint32_t print_try(Printer *p, const IrOp *op, uint32_t step)
{
	if (step == 0) {
		if (ir_op_has(op, NAME_synthetic))
			PUT(p, " synthetic");
		if (ir_op_has(op, NAME_cleanup))
			PUT(p, " cleanup");
		if (ir_op_has(op, NAME_async))
			PUT(p, " async");
		put_char(p, ' ');
		return 0;
	}
	if (step < op->nregions) {
		print_bind(p, &op->regions[step]);
		put_head(p, &op->regions[step]);
		return step;
	}
	put_dict(p, op, try_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_try = {try_fits, print_try, try_names};
