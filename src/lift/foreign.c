/* What was made for System V and does not run on Windows: one warning a function. */
#include "lift/lift.h"

static bool begins(const Name *name, const char *prefix)
{
	return name && str_begins_with(name_str(name), str_of(prefix));
}

static bool is_x87(const IrType *t)
{
	return t->kind == TYPE_F80 || t->kind == TYPE_LONG_DOUBLE;
}

static bool is_by_value(const IrOp *call, uint32_t arg)
{
	const IrAttr *attrs = ir_op_attr(call, NAME_arg_attrs);
	const IrAttr *own = attrs && arg < attrs->n ? attrs->elems[arg] : NULL;
	for (uint32_t i = 0; own && own->kind == ATTR_DICT && i < own->n; i++)
		if (str_is(name_str(own->keys[i]), "llvm.byval"))
			return true;
	return false;
}

/* vprintf(), vsscanf() and their kin, by glibc's names, too. */
static bool takes_list(const Name *callee)
{
	static const char *const spelled[] = {"__isoc99_", "__isoc23_", "__"};
	Str name = name_str(callee);
	for (unsigned i = 0; i < ARRAY_LEN(spelled); i++) {
		Str prefix = str_of(spelled[i]);
		if (str_begins_with(name, prefix)) {
			name = (Str){name.data + prefix.len, name.len - prefix.len};
			break;
		}
	}
	return str_begins_with(name, STR("v")) &&
	       (strstr(callee->text, "printf") || strstr(callee->text, "scanf"));
}

/* NULL: nothing is wrong with it. */
static const char *wrong_with_call(const IrOp *call)
{
	const Name *callee = ir_call_callee(call);
	const IrOp *func = ir_symbol(callee);
	if (!func || func->kind != OP_FUNC || !ir_func_is_declaration(func) || begins(callee, "llvm."))
		return NULL;
	if (takes_list(callee))
		return "passes a list of variable arguments";
	for (uint32_t i = 0; i < ir_call_nargs(call); i++) {
		if (is_by_value(call, i))
			return "passes a record in memory, as System V does";
		if (is_x87(ir_call_arg(call, i)->type))
			return "passes a 'long double' of 80 bits";
	}
	return call->nresults && is_x87(call->results[0].type) ? "takes a 'long double' of 80 bits" : NULL;
}

static void warn_of_calls(const IrOp *func, Diags *d)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b) {
			const char *wrong = op_info[op->kind].flags & OPF_CALLS ? wrong_with_call(op) : NULL;
			if (!wrong)
				continue;
			diag_warning(d, op->loc,
			             "function '%s' %s to or from '%s'; on Windows that does not work",
			             ir_symbol_name(func)->text, wrong, ir_call_callee(op)->text);
			return;
		}
}

/* Of a local function, all calls are seen but those through pointers (variadic.c). */
static void warn_of_callers(const IrOp *func, Diags *d)
{
	if (ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_INTERNAL)
		return;
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b)
			if (lift_is_va_start(op)) {
				diag_warning(
				    d, op->loc,
				    "function '%s' reads variable arguments as System V passes them; on "
				    "Windows other modules cannot call it",
				    ir_symbol_name(func)->text);
				return;
			}
}

void lift_warn_of_foreign(IrModule *m, Diags *d)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && !ir_func_is_declaration(op)) {
			warn_of_calls(op, d);
			warn_of_callers(op, d);
		}
}
