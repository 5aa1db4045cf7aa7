/* Functions that read variable arguments as System V passes them: `va_arg` is code there, which walks the area that
 * `llvm.va_start` filled. They keep that convention on Windows, and the calls by their names use it. */
#include "ir/build.h"
#include "lift/lift.h"

#define LLVM_CONV_X86_64_SYSV 78 /* LLVM: CallingConv.h */

static bool calls(const IrOp *op, const char *intrinsic)
{
	const Name *callee = op_info[op->kind].flags & OPF_CALLS ? ir_call_callee(op) : NULL;
	return callee && str_begins_with(name_str(callee), str_of(intrinsic));
}

bool lift_is_va_start(const IrOp *op)
{
	return calls(op, "llvm.va_start");
}

static bool reads_arguments(const IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b)
			if (lift_is_va_start(op))
				return true;
	return false;
}

/* What has a convention of its own keeps it. */
static void set_conv(IrModule *m, IrOp *op)
{
	Name *conv = ir_known_name(m, NAME_circ_conv);
	if (!ir_op_attr(op, NAME_circ_conv))
		ir_op_set_attr(m, op, conv, ir_attr_int(m, m->s32, LLVM_CONV_X86_64_SYSV));
}

static bool is_sysv(const IrOp *func)
{
	return func && func->kind == OP_FUNC && ir_func_type(func)->variadic &&
	       ir_op_uint(func, NAME_circ_conv, 0) == LLVM_CONV_X86_64_SYSV;
}

/* What `llvm.va_copy` copies has the size of the list of the function around. */
static void copy_list(IrModule *m, IrOp *op)
{
	IrBuilder b = ir_before(m, op);
	IrType *list = ir_type_ptr(m, ir_type_array(m, m->u64, 3)); /* System V psABI for x86-64, 3.5.7 */
	IrValue *from = ir_build_bitcast(&b, ir_call_arg(op, 1), list);
	IrValue *to = ir_build_bitcast(&b, ir_call_arg(op, 0), list);
	ir_build_store(&b, ir_build_load(&b, from), to);
	ir_op_erase(op);
}

static void rewrite_calls(IrModule *m, IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS_SAFE (op, b) {
			if (calls(op, "llvm.va_copy"))
				copy_list(m, op);
			else if (op_info[op->kind].flags & OPF_CALLS &&
			         is_sysv(ir_symbol(ir_call_callee(op))))
				set_conv(m, op);
		}
}

void lift_keep_variadics(IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op) && ir_func_type(op)->variadic &&
		    reads_arguments(op))
			set_conv(m, op);
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op))
			rewrite_calls(m, op);
}
