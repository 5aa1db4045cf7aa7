/* text/print/custom_try.c: cir.try (reference 5.10). Regions: the body, then one per entry of handler_types.
 *
 *	cir.try {
 *	  …
 *	} catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%t: !cir.eh_token) {
 *	  …
 *	} unwind (%t: !cir.eh_token) {
 *	  …
 *	}
 */
#include "text/print/printer.h"

static const uint32_t try_names[] = {NAME_handler_types, NAME_synthetic, NAME_cleanup, NAMES_END};

static bool handler_fits(const IrAttr *use, const IrRegion *r)
{
	bool word = use->kind == ATTR_ENUM && use->enum_class == ENUM_HANDLER;
	bool token = r->first && r->first->nargs == 1 && r->first->args[0]->type->kind == TYPE_EH_TOKEN;
	return token && (word || use->kind == ATTR_GLOBAL_VIEW || use->kind == ATTR_ARRAY);
}

static bool try_fits(const IrOp *op)
{
	const IrAttr *uses = ir_op_attr(op, NAME_handler_types);
	uint32_t n = uses && uses->kind == ATTR_ARRAY ? uses->n : 0;
	if ((uses && uses->kind != ATTR_ARRAY) || op->nregions != n + 1 || !op->regions[0].first ||
	    op->noperands || op->nresults)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!handler_fits(uses->elems[i], &op->regions[i + 1]))
			return false;
	return print_fits_kind(op, NAME_synthetic, ATTR_UNIT) && print_fits_kind(op, NAME_cleanup, ATTR_UNIT);
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

static uint32_t print_try(Printer *p, const IrOp *op, uint32_t step)
{
	if (step == 0) {
		if (ir_op_has(op, NAME_synthetic))
			PUT(p, " synthetic");
		if (ir_op_has(op, NAME_cleanup))
			PUT(p, " cleanup");
		put_char(p, ' ');
		return 0;
	}
	if (step < op->nregions) {
		const IrRegion *r = &op->regions[step];
		print_bind(p, r);
		put_use(p, ir_op_attr(op, NAME_handler_types)->elems[step - 1]);
		PUT(p, " (");
		put_value(p, r->first->args[0]);
		PUT(p, ": ");
		put_type(p, r->first->args[0]->type);
		PUT(p, ") ");
		return step;
	}
	put_dict(p, op, try_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_try = {try_fits, print_try, try_names};
