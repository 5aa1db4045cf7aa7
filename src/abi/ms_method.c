#include "abi/ms_method.h"

#include "abi/ms_symbol.h"

static bool begins(const Name *name, const char *text)
{
	return name && strncmp(name->text, text, strlen(text)) == 0;
}

static MsCallee callee_of(const IrOp *func)
{
	return ms_symbol_callee(name_str(ir_symbol_name(func)));
}

static bool is_indirect_call(const IrOp *op)
{
	return (op_info[op->kind].flags & OPF_CALLS) && !ir_call_callee(op);
}

static bool takes_this(const IrType *func)
{
	return func->nmembers && func->members[0]->kind == TYPE_PTR;
}

static IrType *type_of(const IrOp *op)
{
	return op->kind == OP_FUNC ? ir_func_type(op) : ir_operand(op, 0)->type->elem;
}

bool ms_is_method(const IrOp *op)
{
	if (!takes_this(type_of(op)))
		return false;
	const IrAttr *told = ir_op_attr(op, NAME_ms_method);
	if (told)
		return told->bits;
	if (ir_op_has(op, NAME_cir_instance_method))
		return true;
	return op->kind == OP_FUNC && callee_of(op) == MS_CALLEE_METHOD;
}

/* Does the module call classes as Microsoft does, or tell their members? */
static bool knows_methods(const IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind == OP_GLOBAL && begins(ir_symbol_name(op), "??_7"))
			return true;
		if (op->kind == OP_FUNC && ir_op_has(op, NAME_cir_instance_method))
			return true;
		if (op->kind != OP_FUNC || !begins(ir_symbol_name(op), "?"))
			continue;
		/* operator delete is declared by modules of any ABI */
		if (!ir_func_is_declaration(op) || callee_of(op) == MS_CALLEE_METHOD)
			return true;
	}
	return false;
}

static void mark(IrModule *m, IrOp *op)
{
	if (!ir_op_has(op, NAME_ms_method))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_ms_method), ir_attr_flag(m, true));
}

/* Functions */

static void mark_function(IrModule *m, const Name *name)
{
	IrOp *func = ir_symbol(name);
	if (func && func->kind == OP_FUNC && !begins(name, "?") && takes_this(ir_func_type(func)))
		mark(m, func);
}

/* The reader and the builder limit how deeply attributes nest. */
static void mark_table(IrModule *m, const IrAttr *a)
{
	if (a->kind == ATTR_GLOBAL_VIEW)
		mark_function(m, a->name);
	else if (a->kind == ATTR_VTABLE || a->kind == ATTR_CONST_RECORD || a->kind == ATTR_CONST_ARRAY)
		for (uint32_t i = 0; i < a->n; i++)
			if (a->elems[i])
				mark_table(m, a->elems[i]);
}

static void mark_constants(IrModule *m)
{
	for (uint32_t i = 0; i < m->attrs.cap; i++)
		for (const IrAttr *a = m->attrs.slots[i]; a; a = a->next)
			if (a->kind == ATTR_METHOD && a->name)
				mark_function(m, a->name);
	IR_FOR_OPS (op, ir_module_block(m)) {
		const IrAttr *value = op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_initial_value) : NULL;
		if (value && (value->kind == ATTR_VTABLE || begins(ir_symbol_name(op), "??_7")))
			mark_table(m, value);
	}
}

/* Calls */

/* Does the pointer come out of a virtual table, or of a pointer to a member function? */
static bool is_of_member(const IrValue *callee)
{
	while (!callee->is_arg) {
		const IrOp *op = callee->def.op;
		if (op->kind == OP_VTABLE_GET_VIRTUAL_FN_ADDR)
			return true;
		if (op->kind == OP_GET_METHOD)
			return callee == &op->results[0];
		if (op->kind != OP_LOAD && op->kind != OP_CAST)
			return false;
		callee = ir_operand(op, 0);
	}
	return false;
}

static void mark_calls(IrModule *m)
{
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (is_indirect_call(op) && is_of_member(ir_operand(op, 0)))
			mark(m, op);
}

/* What is told */

static bool check_this(const IrOp *op, const char *attr, Diags *d)
{
	if (takes_this(type_of(op)))
		return true;
	diag_error(d, op->loc, "attribute '%s' needs a first parameter that is a pointer", attr);
	return false;
}

static bool check_told(const IrOp *op, Diags *d)
{
	const IrAttr *told = ir_op_attr(op, NAME_ms_method);
	if (!told)
		return !ir_op_has(op, NAME_cir_instance_method) || check_this(op, "cir.instance_method", d);
	if (told->kind == ATTR_FLAG)
		return !told->bits || check_this(op, "cir.ms.method", d);
	diag_error(d, op->loc, "attribute 'cir.ms.method' must be true or false");
	return false;
}

/* The name of a function that returns a record has to tell, unless an attribute does. */
static bool check_name(const IrOp *func, Diags *d)
{
	const Name *name = ir_symbol_name(func);
	const IrType *type = ir_func_type(func);
	bool asked = begins(name, "?") && type->elem->kind == TYPE_RECORD && takes_this(type);
	bool told = ir_op_has(func, NAME_ms_method) || ir_op_has(func, NAME_cir_instance_method);
	if (!asked || told || callee_of(func) != MS_CALLEE_UNTOLD)
		return true;
	diag_error(d, func->loc,
	           "name '%s' does not tell whether this is a member function, which returns its record "
	           "otherwise: say cir.ms.method = true or false",
	           name->text);
	return false;
}

static bool check(const IrModule *m, Diags *d)
{
	bool ok = true;
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body)) {
		if (op->kind == OP_FUNC)
			ok &= check_told(op, d) && check_name(op, d);
		else if (is_indirect_call(op))
			ok &= check_told(op, d);
	}
	return ok;
}

bool ms_mark_methods(IrModule *m, Diags *d)
{
	if (!check(m, d))
		return false;
	if (knows_methods(m)) {
		mark_constants(m);
		mark_calls(m);
	}
	return true;
}
