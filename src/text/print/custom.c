/* text/print/custom.c: spellings of their own: copies, multiway branches and calls (reference 5.5, 5.8, 5.9). */
#include "text/print/printer.h"

static void put_flag(Printer *p, const IrOp *op, NameId id, Str word)
{
	if (ir_op_has(op, id))
		put(p, word);
}

/* cir.copy %src align(4) to %dst align(4) volatile skip_tail_padding : P, Q */

static const uint32_t copy_names[] = {NAME_src_align, NAME_dst_align, NAME_is_volatile_flag,
                                      NAME_skip_tail_padding, NAMES_END};

static bool copy_fits(const IrOp *op)
{
	return print_fits_int(op, NAME_src_align) && print_fits_int(op, NAME_dst_align) &&
	       print_fits_kind(op, NAME_is_volatile_flag, ATTR_UNIT) &&
	       print_fits_kind(op, NAME_skip_tail_padding, ATTR_UNIT);
}

static void put_align(Printer *p, const IrOp *op, NameId id)
{
	const IrAttr *a = ir_op_attr(op, id);
	if (!a)
		return;
	PUT(p, " align(");
	spell_attr_number(&p->speller, a);
	put_char(p, ')');
}

static uint32_t print_copy(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrType *src = ir_operand(op, 0)->type, *dst = ir_operand(op, 1)->type;
	put_char(p, ' ');
	put_value(p, ir_operand(op, 0));
	put_align(p, op, NAME_src_align);
	PUT(p, " to ");
	put_value(p, ir_operand(op, 1));
	put_align(p, op, NAME_dst_align);
	put_flag(p, op, NAME_is_volatile_flag, STR(" volatile"));
	put_flag(p, op, NAME_skip_tail_padding, STR(" skip_tail_padding"));
	put_dict(p, op, copy_names, STR(" {"));
	PUT(p, " : ");
	put_type(p, src);
	if (src != dst) {
		PUT(p, ", ");
		put_type(p, dst);
	}
	return NO_REGION;
}

const CustomPrinter print_custom_copy = {copy_fits, print_copy, copy_names};

/* cir.switch.flat %x : I, ^default [
 *   0: ^a,
 *   1: ^b(%v : T)
 * ] */

static const uint32_t switch_flat_names[] = {NAME_case_values, NAMES_END};

static bool switch_flat_fits(const IrOp *op)
{
	const IrAttr *values = ir_op_attr(op, NAME_case_values);
	uint32_t n = values ? values->n : 0;
	if ((values && values->kind != ATTR_ARRAY) || op->nsuccs != n + 1)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (values->elems[i]->kind != ATTR_INT || values->elems[i]->type != ir_operand(op, 0)->type)
			return false;
	return true;
}

static uint32_t print_switch_flat(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrAttr *values = ir_op_attr(op, NAME_case_values);
	put_char(p, ' ');
	put_value(p, ir_operand(op, 0));
	PUT(p, " : ");
	put_type(p, ir_operand(op, 0)->type);
	PUT(p, ", ");
	put_succ(p, &op->succs[0]);
	PUT(p, " [");
	for (uint32_t i = 1; i < op->nsuccs; i++) {
		if (i > 1)
			put_char(p, ',');
		put_newline(p, 1);
		spell_attr_number(&p->speller, values->elems[i - 1]);
		PUT(p, ": ");
		put_succ(p, &op->succs[i]);
	}
	put_newline(p, 0);
	put_char(p, ']');
	put_dict(p, op, switch_flat_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_switch_flat = {switch_flat_fits, print_switch_flat, switch_flat_names};

/* cir.indirect_br %p poison : P, [^a, ^b(%v : T)] */

static const uint32_t indirect_br_names[] = {NAME_poison, NAMES_END};

static bool indirect_br_fits(const IrOp *op)
{
	return print_fits_kind(op, NAME_poison, ATTR_UNIT);
}

static uint32_t print_indirect_br(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_char(p, ' ');
	put_value(p, ir_operand(op, 0));
	put_flag(p, op, NAME_poison, STR(" poison"));
	PUT(p, " : ");
	put_type(p, ir_operand(op, 0)->type);
	PUT(p, ", [");
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		if (i)
			PUT(p, ", ");
		put_succ(p, &op->succs[i]);
	}
	put_char(p, ']');
	put_dict(p, op, indirect_br_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_indirect_br = {indirect_br_fits, print_indirect_br, indirect_br_names};

/* cir.block_address <@f, "label"> : P */

static const uint32_t block_address_names[] = {NAME_block_addr_info, NAMES_END};

static bool block_address_fits(const IrOp *op)
{
	const IrAttr *a = ir_op_attr(op, NAME_block_addr_info);
	return a && a->kind == ATTR_BLOCK_ADDR && a->n == 1 && a->elems[0]->kind == ATTR_STRING &&
	       a->type == op->results[0].type;
}

static uint32_t print_block_address(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	const IrAttr *a = ir_op_attr(op, NAME_block_addr_info);
	PUT(p, " <");
	put_symbol(p, a->name);
	PUT(p, ", ");
	spell_string(p->arena, p->out, name_str(a->elems[0]->name));
	PUT(p, "> : ");
	put_type(p, a->type);
	put_dict(p, op, block_address_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_block_address = {block_address_fits, print_block_address,
                                                  block_address_names};

/* cir.call @f(%a, %b) musttail nothrow side_effect(pure) {…} : (T {…}, U) -> R cc(c)
 * cir.try_call %fp(%a) ^normal, ^unwind nothrow {…} : (P, T) -> R cc(c) */

static const uint32_t call_names[] = {NAME_callee,       NAME_musttail,  NAME_nothrow,   NAME_side_effect,
                                      NAME_calling_conv, NAME_arg_attrs, NAME_res_attrs, NAMES_END};
static const uint32_t try_call_names[] = {NAME_callee,    NAME_nothrow,   NAME_calling_conv,
                                          NAME_arg_attrs, NAME_res_attrs, NAMES_END};

static bool try_call_fits(const IrOp *op)
{
	bool direct = ir_call_callee(op) != NULL;
	const IrAttr *callee = ir_op_attr(op, NAME_callee);
	if (direct ? callee->n != 0 : callee || ir_op_nmain(op) == 0)
		return false;
	return print_fits_kind(op, NAME_nothrow, ATTR_UNIT) &&
	       print_fits_word(op, NAME_calling_conv, ENUM_CALLING_CONV) &&
	       print_fits_dicts(op, NAME_arg_attrs, ir_call_nargs(op)) &&
	       print_fits_dicts(op, NAME_res_attrs, op->nresults);
}

static bool call_fits(const IrOp *op)
{
	return try_call_fits(op) && print_fits_kind(op, NAME_musttail, ATTR_UNIT) &&
	       print_fits_word(op, NAME_side_effect, ENUM_SIDE_EFFECT);
}

static void put_callee_and_args(Printer *p, const IrOp *op)
{
	const Name *callee = ir_call_callee(op);
	put_char(p, ' ');
	if (callee)
		put_symbol(p, callee);
	else
		put_value(p, ir_operand(op, 0));
	put_char(p, '(');
	put_values(p, op, callee ? 0 : 1, ir_op_nmain(op));
	put_char(p, ')');
}

static void put_call_type(Printer *p, const IrOp *op)
{
	const IrAttr *attrs = ir_op_attr(op, NAME_arg_attrs);
	uint32_t n = ir_op_nmain(op), first = n - ir_call_nargs(op);
	PUT(p, " : (");
	put_types(p, op, 0, first);
	for (uint32_t i = first; i < n; i++) {
		if (i)
			PUT(p, ", ");
		put_attributed_type(p, ir_operand(op, i)->type, attrs, i - first);
	}
	put_char(p, ')');
	put_results(p, op, ir_op_attr(op, NAME_res_attrs));
	const IrAttr *cc = ir_op_attr(op, NAME_calling_conv);
	if (cc) {
		PUT(p, " cc(");
		put_word(p, cc);
		put_char(p, ')');
	}
}

static uint32_t print_call(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_callee_and_args(p, op);
	put_flag(p, op, NAME_musttail, STR(" musttail"));
	put_flag(p, op, NAME_nothrow, STR(" nothrow"));
	const IrAttr *effect = ir_op_attr(op, NAME_side_effect);
	if (effect) {
		PUT(p, " side_effect(");
		put_word(p, effect);
		put_char(p, ')');
	}
	put_dict(p, op, call_names, STR(" {"));
	put_call_type(p, op);
	return NO_REGION;
}

static uint32_t print_try_call(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_callee_and_args(p, op);
	put_char(p, ' ');
	put_succ(p, &op->succs[0]);
	PUT(p, ", ");
	put_succ(p, &op->succs[1]);
	put_flag(p, op, NAME_nothrow, STR(" nothrow"));
	put_dict(p, op, try_call_names, STR(" {"));
	put_call_type(p, op);
	return NO_REGION;
}

const CustomPrinter print_custom_call = {call_fits, print_call, call_names};
const CustomPrinter print_custom_try_call = {try_call_fits, print_try_call, try_call_names};
