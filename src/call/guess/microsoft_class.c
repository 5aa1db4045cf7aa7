#include "call/guess/guess.h"

#include "msvc/symbol_callee.h"

static bool begins(const Name *name, const char *text)
{
	return name && str_begins_with(name_str(name), str_of(text));
}

/* Modules of any ABI declare operators new and delete. */
static bool is_allocation(const Name *name)
{
	return begins(name, "??2@") || begins(name, "??3@") || begins(name, "??_U@") || begins(name, "??_V@");
}

/* The type infos of any ABI are said as Itanium's. */
static bool is_itanium(const Name *name)
{
	return begins(name, "_Z") && !begins(name, "_ZTI") && !begins(name, "_ZTS");
}

static bool is_member(const IrOp *func)
{
	return ms_symbol_callee(name_str(ir_symbol_name(func))) == MS_CALLEE_METHOD;
}

/* Does the function tell that members are called as Microsoft's? */
static bool tells_methods(const IrOp *func)
{
	bool microsoft = begins(ir_symbol_name(func), "?");
	return ir_op_has(func, NAME_cir_instance_method) ||
	       (microsoft && (!ir_func_is_declaration(func) || is_member(func)));
}

bool abi_guess_microsoft_classes(const IrModule *m)
{
	bool microsoft = ir_module_lang(m) == LANG_CXX, itanium = false;
	IR_FOR_OPS (op, ir_module_block(m)) {
		const Name *name = ir_symbol_name(op);
		if (begins(name, "??_7") || (op->kind == OP_FUNC && tells_methods(op)))
			return true;
		microsoft |= op->kind == OP_FUNC && begins(name, "?") && !is_allocation(name);
		itanium |= is_itanium(name);
	}
	return microsoft && !itanium;
}
