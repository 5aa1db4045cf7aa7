#include "ir/returns_twice.h"

bool ir_is_setjmp(Str name)
{
	if (name.len && name.data[0] == '\1') /* as it stands, for LLVM */
		name = (Str){name.data + 1, name.len - 1};
	static const char *const names[] = {
	    "setjmp",  "_setjmp",        "_setjmpex", "sigsetjmp",  "__sigsetjmp",
	    "qsetjmp", "setjmp_syscall", "savectx",   "getcontext", "vfork",
	};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (str_equal(name, str_of(names[i])))
			return true;
	return false;
}

/* LLVM IR has it in a dictionary. */
static bool says_so(const IrOp *op)
{
	return ir_op_has(op, NAME_returns_twice) ||
	       ir_dict_get(ir_op_attr(op, NAME_circ_attributes), NAME_returns_twice);
}

bool ir_returns_twice(const IrOp *op)
{
	if (op->kind != OP_CALL)
		return op->kind == OP_EH_SETJMP;
	const Name *name = ir_call_callee(op);
	const IrOp *callee = name ? ir_symbol(name) : NULL;
	return says_so(op) || (callee && (says_so(callee) || ir_is_setjmp(name_str(name))));
}
