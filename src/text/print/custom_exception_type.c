/* text/print/custom_exception_type.c: circ.exception_type @E extends @Base, @Other : !rec_E {release = @f} */
#include "text/print/printer.h"

static const uint32_t exception_type_names[] = {NAME_sym_name, NAME_sym_type, NAME_bases, NAMES_END};

static bool are_symbols(const IrAttr *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->elems[i]->kind != ATTR_SYMBOL)
			return false;
	return list->n > 0;
}

static bool exception_type_fits(const IrOp *op)
{
	const IrAttr *bases = ir_op_attr(op, NAME_bases);
	return ir_symbol_name(op) && ir_symbol_type(op) && print_fits_kind(op, NAME_bases, ATTR_ARRAY) &&
	       (!bases || are_symbols(bases));
}

static uint32_t print_exception_type(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrAttr *bases = ir_op_attr(op, NAME_bases);
	put_char(p, ' ');
	put_symbol(p, ir_symbol_name(op));
	for (uint32_t i = 0; bases && i < bases->n; i++) {
		put(p, i ? STR(", ") : STR(" extends "));
		put_symbol(p, bases->elems[i]->name);
	}
	PUT(p, " : ");
	put_type(p, ir_symbol_type(op));
	put_dict(p, op, exception_type_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_exception_type = {exception_type_fits, print_exception_type,
                                                   exception_type_names};
