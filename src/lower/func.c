/* Functions: what a declaration says. */
#include "lower/lowerer.h"

unsigned lower_calling_conv(Lower *e, const IrOp *op)
{
	enum { CONV_C = 0, CONV_SPIR_FUNC = 75, CONV_WIN64 = 79 };
	unsigned word = ir_op_enum(op, NAME_calling_conv, CALLING_CONV_C);
	switch (word) {
	case CALLING_CONV_C:
		return CONV_C;
	case CALLING_CONV_SPIR_FUNCTION:
		return CONV_SPIR_FUNC;
	case CALLING_CONV_X86_WINCALL:
		return CONV_WIN64;
	default:
		lower_error(e, "calling convention '%s' does not exist on this target",
		            ir_enum_info[ENUM_CALLING_CONV].words[word]);
		return CONV_C;
	}
}

static void set_personality(Lower *e, LLVMValueRef v, const IrOp *func)
{
	const Name *name = ir_op_symbol(func, NAME_personality);
	LLVMValueRef personality = name ? lower_symbol(e, name) : NULL;
	if (personality)
		LLVMSetPersonalityFn(v, personality);
}

void lower_declare_function(Lower *e, const IrOp *func)
{
	const Name *name = ir_symbol_name(func);
	LLVMTypeRef type = lower_type(e, ir_func_type(func));
	if (!type)
		return;
	LLVMValueRef v = LLVMAddFunction(e->module, name->text, type);
	e->symbols[name->id] = v;
	lower_linkage(e, v, func, !ir_func_is_declaration(func));
	LLVMSetFunctionCallConv(v, lower_calling_conv(e, func));
	lower_section(e, v, func);
	lower_alignment(e, v, ir_op_uint(func, NAME_alignment, 0));
	lower_function_attributes(e, v, func);
}

void lower_define_function(Lower *e, const IrOp *func)
{
	LLVMValueRef v = lower_symbol(e, ir_symbol_name(func));
	if (!v)
		return;
	set_personality(e, v, func);
	lower_body(e, v, func);
}
