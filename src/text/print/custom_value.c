/* text/print/custom_value.c: spellings of their own: value ops (reference 5.4). */
#include "text/print/printer.h"

/* cir.is_fp_class %x, fcNan|fcInf : (F) -> !cir.bool */

enum { FP_CLASS_BITS = 1023 };

static const uint32_t is_fp_class_names[] = {NAME_flags, NAMES_END};

static bool is_fp_class_fits(const IrOp *op)
{
	const IrAttr *flags = ir_op_attr(op, NAME_flags);
	return flags && flags->kind == ATTR_INT && flags->type->kind == TYPE_BUILTIN_INT &&
	       flags->type->width == 32 && flags->bits <= FP_CLASS_BITS &&
	       op->results[0].type->kind == TYPE_BOOL;
}

static void put_fp_classes(Printer *p, uint64_t bits)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {
#define FP_CLASS(spelling, bits) {spelling, bits},
#include "text/fp_class.def"
	};
	for (unsigned i = 0;; i++) {
		if ((bits & words[i].bits) != words[i].bits)
			continue;
		bits &= ~(uint64_t)words[i].bits;
		put(p, str_of(words[i].word));
		if (!bits)
			return;
		put_char(p, '|');
	}
}

static uint32_t print_is_fp_class(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_char(p, ' ');
	put_value(p, ir_operand(op, 0));
	PUT(p, ", ");
	put_fp_classes(p, ir_op_attr(op, NAME_flags)->bits);
	PUT(p, " : (");
	put_type(p, ir_operand(op, 0)->type);
	PUT(p, ") -> ");
	put_type(p, op->results[0].type);
	put_dict(p, op, is_fp_class_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_is_fp_class = {is_fp_class_fits, print_is_fp_class, is_fp_class_names};

/* cir.call_llvm_intrinsic "name" %a, %b : (T, U) -> R */

static const uint32_t call_llvm_intrinsic_names[] = {NAME_intrinsic_name, NAMES_END};

static bool call_llvm_intrinsic_fits(const IrOp *op)
{
	const IrAttr *name = ir_op_attr(op, NAME_intrinsic_name);
	return name && name->kind == ATTR_STRING && !name->type;
}

static uint32_t print_call_llvm_intrinsic(Printer *p, const IrOp *op, uint32_t step)
{
	(void)step;
	put_char(p, ' ');
	put_attr(p, ir_op_attr(op, NAME_intrinsic_name));
	if (op->noperands)
		put_char(p, ' ');
	put_values(p, op, 0, op->noperands);
	PUT(p, " : (");
	put_types(p, op, 0, op->noperands);
	put_char(p, ')');
	put_results(p, op, NULL);
	put_dict(p, op, call_llvm_intrinsic_names, STR(" {"));
	return NO_REGION;
}

const CustomPrinter print_custom_call_llvm_intrinsic = {call_llvm_intrinsic_fits, print_call_llvm_intrinsic,
                                                        call_llvm_intrinsic_names};
