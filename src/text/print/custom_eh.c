/* text/print/custom_eh.c: dispatches, and the pads of the Microsoft form (reference 5.11, 5.13). */
#include "ir/try.h"
#include "text/print/printer.h"

static bool no_edge_has_arguments(const IrOp *op)
{
	return ir_op_nmain(op) == op->noperands;
}

static bool operand_is(const IrOp *op, uint32_t i, TypeKind kind)
{
	return i >= ir_op_nmain(op) || ir_operand(op, i)->type->kind == kind;
}

static bool is_pad(const IrType *t)
{
	return t->kind == TYPE_CATCH_TOKEN || t->kind == TYPE_CLEANUP_TOKEN;
}

static bool parent_is_pad(const IrOp *op)
{
	return ir_op_nmain(op) == 0 || is_pad(ir_operand(op, 0)->type);
}

/* cir.eh.dispatch %t : !cir.eh_token [
 *   catch(#cir.global_view<@_ZTIi> : P) : ^a,
 *   when(@f.when.0) : ^w,
 *   filter(…) : ^b,
 *   unwind : ^c
 * ] */

static const uint32_t eh_dispatch_names[] = {NAME_catch_types, NAME_filter_types, NAME_default_is_catch_all,
                                             NAMES_END};

static bool is_type_info(const IrAttr *a)
{
	return a->kind == ATTR_GLOBAL_VIEW && ir_is_ptr(a->type);
}

static bool are_type_infos(const IrAttr *list)
{
	for (uint32_t i = 0; list && i < list->n; i++)
		if (!is_type_info(list->elems[i]))
			return false;
	return true;
}

static bool are_catches(const IrAttr *list)
{
	for (uint32_t i = 0; list && i < list->n; i++)
		if (!is_type_info(list->elems[i]) && !ir_catch_filter(list->elems[i]))
			return false;
	return true;
}

static bool eh_dispatch_fits(const IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types);
	const IrAttr *filter = ir_op_attr(op, NAME_filter_types);
	return print_fits_kind(op, NAME_catch_types, ATTR_ARRAY) &&
	       print_fits_kind(op, NAME_filter_types, ATTR_ARRAY) &&
	       print_fits_kind(op, NAME_default_is_catch_all, ATTR_UNIT) && are_catches(types) &&
	       are_type_infos(filter) && operand_is(op, 0, TYPE_EH_TOKEN) && no_edge_has_arguments(op) &&
	       op->nsuccs == (types ? types->n : 0) + (filter != NULL) + 1;
}

static void put_dest(Printer *p, const IrOp *op, uint32_t i)
{
	PUT(p, " : ");
	put_succ(p, &op->succs[i]);
	if (i + 1 < op->nsuccs)
		put_char(p, ',');
}

static uint32_t print_eh_dispatch(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrAttr *types = ir_op_attr(op, NAME_catch_types);
	const IrAttr *filter = ir_op_attr(op, NAME_filter_types);
	uint32_t i = 0;
	put_char(p, ' ');
	put_value(p, ir_operand(op, 0));
	PUT(p, " : ");
	put_type(p, ir_operand(op, 0)->type);
	PUT(p, " [");
	for (; types && i < types->n; i++) {
		put_newline(p, 1);
		put(p, ir_catch_filter(types->elems[i]) ? STR("when(") : STR("catch("));
		put_attr(p, types->elems[i]);
		put_char(p, ')');
		put_dest(p, op, i);
	}
	if (filter) {
		put_newline(p, 1);
		PUT(p, "filter(");
		for (uint32_t k = 0; k < filter->n; k++) {
			if (k)
				PUT(p, ", ");
			put_attr(p, filter->elems[k]);
		}
		put_char(p, ')');
		put_dest(p, op, i++);
	}
	put_newline(p, 1);
	put(p, ir_op_has(op, NAME_default_is_catch_all) ? STR("catch_all") : STR("unwind"));
	put_dest(p, op, i);
	put_newline(p, 0);
	put_char(p, ']');
	put_dict(p, op, eh_dispatch_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_eh_dispatch = {eh_dispatch_fits, print_eh_dispatch, eh_dispatch_names};

/* Pads */

static void put_parent(Printer *p, const IrOp *op)
{
	PUT(p, " within ");
	if (ir_op_nmain(op))
		put_value(p, ir_operand(op, 0));
	else
		PUT(p, "none");
}

/* %s = cir.eh.catchswitch within none [^h1, ^h2] unwind to caller */

static const uint32_t catchswitch_names[] = {NAME_unwind_to_caller, NAMES_END};

static bool catchswitch_fits(const IrOp *op)
{
	bool to_caller = ir_op_has(op, NAME_unwind_to_caller);
	return print_fits_kind(op, NAME_unwind_to_caller, ATTR_UNIT) && (to_caller || op->nsuccs > 0) &&
	       parent_is_pad(op) && op->results[0].type->kind == TYPE_CATCH_TOKEN;
}

static uint32_t print_catchswitch(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	bool to_caller = ir_op_has(op, NAME_unwind_to_caller);
	uint32_t nhandlers = op->nsuccs - !to_caller;
	put_parent(p, op);
	PUT(p, " [");
	for (uint32_t i = 0; i < nhandlers; i++) {
		if (i)
			PUT(p, ", ");
		put_succ(p, &op->succs[i]);
	}
	PUT(p, "] unwind to ");
	if (to_caller)
		PUT(p, "caller");
	else
		put_succ(p, &op->succs[nhandlers]);
	put_dict(p, op, catchswitch_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_catchswitch = {catchswitch_fits, print_catchswitch, catchswitch_names};

/* %p = cir.catchpad within %s [ptr @"??_R0H@8", i32 0, ptr %e], within %s [filter @f] */

static const uint32_t catchpad_names[] = {NAME_type_descriptor, NAME_adjectives, NAME_filter, NAMES_END};

static bool filter_fits(const IrOp *op)
{
	return !ir_op_has(op, NAME_filter) ||
	       (print_fits_kind(op, NAME_filter, ATTR_SYMBOL) && !ir_op_has(op, NAME_type_descriptor) &&
	        !ir_op_has(op, NAME_adjectives) && ir_op_nmain(op) == 1);
}

static bool catchpad_fits(const IrOp *op)
{
	return filter_fits(op) && print_fits_kind(op, NAME_type_descriptor, ATTR_SYMBOL) &&
	       print_fits_int(op, NAME_adjectives) && parent_is_pad(op) && operand_is(op, 1, TYPE_PTR) &&
	       op->results[0].type->kind == TYPE_CATCH_TOKEN;
}

static uint32_t print_catchpad(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrAttr *descriptor = ir_op_attr(op, NAME_type_descriptor);
	const IrAttr *adjectives = ir_op_attr(op, NAME_adjectives);
	put_parent(p, op);
	if (ir_op_has(op, NAME_filter)) {
		PUT(p, " [filter ");
		put_attr(p, ir_op_attr(op, NAME_filter));
		put_char(p, ']');
		put_dict(p, op, catchpad_names, STR(" {"));
		return NO_REGION;
	}
	PUT(p, " [ptr ");
	if (descriptor)
		put_attr(p, descriptor);
	else
		PUT(p, "null");
	PUT(p, ", i32 ");
	if (adjectives)
		spell_attr_number(&p->speller, adjectives);
	else
		put_char(p, '0');
	PUT(p, ", ptr ");
	if (ir_op_nmain(op) > 1)
		put_value(p, ir_operand(op, 1));
	else
		PUT(p, "null");
	put_char(p, ']');
	put_dict(p, op, catchpad_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_catchpad = {catchpad_fits, print_catchpad, catchpad_names};

/* %c = cir.cleanuppad within none [] */

static const uint32_t no_names[] = {NAMES_END};

static bool cleanuppad_fits(const IrOp *op)
{
	return parent_is_pad(op) && op->results[0].type->kind == TYPE_CLEANUP_TOKEN;
}

static uint32_t print_cleanuppad(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_parent(p, op);
	PUT(p, " []");
	put_dict(p, op, no_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_cleanuppad = {cleanuppad_fits, print_cleanuppad, no_names};

/* cir.cleanupret from %c unwind to ^b */

static bool cleanupret_fits(const IrOp *op)
{
	return op->nsuccs <= 1 && is_pad(ir_operand(op, 0)->type);
}

static uint32_t print_cleanupret(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	PUT(p, " from ");
	put_value(p, ir_operand(op, 0));
	PUT(p, " unwind to ");
	if (op->nsuccs)
		put_succ(p, &op->succs[0]);
	else
		PUT(p, "caller");
	put_dict(p, op, no_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_cleanupret = {cleanupret_fits, print_cleanupret, no_names};
