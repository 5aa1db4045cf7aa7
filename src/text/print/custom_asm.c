/* text/print/custom_asm.c: the spelling of `cir.asm` (text/read/custom_asm.c shows it). */
#include "text/print/printer.h"

static const uint32_t asm_names[] = {
    NAME_operands_segments, NAME_maybe_memory, NAME_asm_string, NAME_constraints,
    NAME_asm_flavor,        NAME_side_effects, NAMES_END};

static bool segments_fit(const IrOp *op, const IrAttr *a)
{
	uint64_t total = 0;
	if (!a || a->kind != ATTR_ARRAY || a->n != 3)
		return false;
	for (uint32_t i = 0; i < 3; i++) {
		const IrAttr *n = a->elems[i];
		if (n->kind != ATTR_INT || n->type->kind != TYPE_BUILTIN_INT || n->type->width != 32)
			return false;
		total += n->bits;
	}
	return total == op->noperands;
}

static bool memory_fits(const IrOp *op, const IrAttr *a)
{
	bool any = false;
	if (!a)
		return true;
	if (a->kind != ATTR_ARRAY || a->n != op->noperands)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		if (a->elems[i]->kind != ATTR_FLAG)
			return false;
		any |= a->elems[i]->bits != 0;
	}
	return any;
}

static bool string_fits(const IrOp *op, uint32_t id)
{
	const IrAttr *a = ir_op_attr(op, id);
	return a && a->kind == ATTR_STRING && !a->type;
}

static bool asm_fits(const IrOp *op)
{
	return segments_fit(op, ir_op_attr(op, NAME_operands_segments)) &&
	       memory_fits(op, ir_op_attr(op, NAME_maybe_memory)) && string_fits(op, NAME_asm_string) &&
	       string_fits(op, NAME_constraints) && ir_op_has(op, NAME_asm_flavor) &&
	       print_fits_word(op, NAME_asm_flavor, ENUM_ASM_FLAVOR) &&
	       print_fits_kind(op, NAME_side_effects, ATTR_UNIT);
}

static void put_asm_operand(Printer *p, const IrOp *op, uint32_t i)
{
	const IrAttr *memory = ir_op_attr(op, NAME_maybe_memory);
	put_value(p, ir_operand(op, i));
	PUT(p, " : ");
	put_type(p, ir_operand(op, i)->type);
	if (memory && memory->elems[i]->bits)
		PUT(p, " (maybe_memory)");
}

static uint32_t print_asm(Printer *p, const IrOp *op, uint32_t step)
{
	static const Str words[] = {{"out", 3}, {"in", 2}, {"in_out", 6}};
	const IrAttr *segments = ir_op_attr(op, NAME_operands_segments);
	uint32_t at = 0;
	(void)step;
	put_char(p, '(');
	put_word(p, ir_op_attr(op, NAME_asm_flavor));
	put_char(p, ',');
	for (uint32_t g = 0; g < 3; g++) {
		put_newline(p, 1);
		put(p, words[g]);
		PUT(p, " = [");
		for (uint64_t i = 0; i < segments->elems[g]->bits; i++) {
			if (i)
				PUT(p, ", ");
			put_asm_operand(p, op, at++);
		}
		PUT(p, "],");
	}
	put_newline(p, 1);
	put_char(p, '{');
	put_attr(p, ir_op_attr(op, NAME_asm_string));
	put_char(p, ' ');
	put_attr(p, ir_op_attr(op, NAME_constraints));
	PUT(p, "})");
	if (ir_op_has(op, NAME_side_effects))
		PUT(p, " side_effects");
	if (op->nresults) {
		PUT(p, " -> ");
		put_type(p, op->results[0].type);
	}
	put_dict(p, op, asm_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_asm = {asm_fits, print_asm, asm_names};
