#include "abi/ms_method.h"

#include "abi/ms_origin.h"
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

/* Only records come back otherwise. */
static bool is_asked(const IrType *func)
{
	return func->elem->kind == TYPE_RECORD && func->elem->name && takes_this(func);
}

static IrType *type_of(const IrOp *op)
{
	return op->kind == OP_FUNC ? ir_func_type(op) : ir_operand(op, 0)->type->elem;
}

static bool is_told(const IrOp *op)
{
	return ir_op_has(op, NAME_ms_method) || ir_op_has(op, NAME_cir_instance_method);
}

/* An alias is called as what it stands for. */
static const IrOp *aliased(const IrOp *func)
{
	while (func && func->kind == OP_FUNC && ir_op_has(func, NAME_aliasee))
		func = ir_symbol(ir_op_symbol(func, NAME_aliasee));
	return func;
}

bool ms_is_method(const IrOp *op)
{
	if (!takes_this(type_of(op)))
		return false;
	const IrOp *func = aliased(op);
	const IrAttr *told = func ? ir_op_attr(func, NAME_ms_method) : NULL;
	if (told || !func)
		return told && told->bits;
	return ir_op_has(func, NAME_cir_instance_method) ||
	       (func->kind == OP_FUNC && callee_of(func) == MS_CALLEE_METHOD);
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

/* Does the function tell that members are called as Microsoft's? */
static bool tells_methods(const IrOp *func)
{
	bool microsoft = begins(ir_symbol_name(func), "?");
	return ir_op_has(func, NAME_cir_instance_method) ||
	       (microsoft && (!ir_func_is_declaration(func) || callee_of(func) == MS_CALLEE_METHOD));
}

bool ms_has_classes(const IrModule *m)
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

static void mark(IrModule *m, IrOp *op)
{
	if (!ir_op_has(op, NAME_ms_method))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_ms_method), ir_attr_flag(m, true));
}

/* Functions */

static void mark_function(IrModule *m, const Name *name)
{
	IrOp *func = ir_symbol(name);
	if (func && func->kind == OP_FUNC && !begins(name, "?") && is_asked(ir_func_type(func)))
		mark(m, func);
}

static bool has_elements(const IrAttr *a)
{
	return a->kind == ATTR_VTABLE || a->kind == ATTR_CONST_RECORD || a->kind == ATTR_CONST_ARRAY;
}

/* Each constant once, wherever it stands (seen). The reader and the builder limit how deeply they nest. */
static void mark_table(IrModule *m, PtrMap *seen, const IrAttr *a)
{
	if (a->kind == ATTR_GLOBAL_VIEW)
		mark_function(m, a->name);
	if (!has_elements(a) || ptrmap_get(seen, a))
		return;
	ptrmap_put(&m->scratch, seen, a, (void *)(uintptr_t)a);
	for (uint32_t i = 0; i < a->n; i++)
		if (a->elems[i])
			mark_table(m, seen, a->elems[i]);
}

static void mark_constants(IrModule *m)
{
	ArenaMark before = arena_mark(&m->scratch);
	PtrMap seen = {0};
	for (uint32_t i = 0; i < m->attrs.nheld; i++) {
		const IrAttr *a = m->attrs.held[i];
		if (a->kind == ATTR_METHOD && a->name)
			mark_function(m, a->name);
	}
	IR_FOR_OPS (op, ir_module_block(m)) {
		const IrAttr *value = op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_initial_value) : NULL;
		if (value && (value->kind == ATTR_VTABLE || begins(ir_symbol_name(op), "??_7")))
			mark_table(m, &seen, value);
	}
	arena_release(&m->scratch, before);
}

/* Calls */

static bool is_asked_call(const IrOp *op)
{
	return is_indirect_call(op) && !is_told(op) && is_asked(type_of(op));
}

static bool mark_call(IrModule *m, const MsOrigins *origins, IrOp *call, Diags *d)
{
	unsigned origin = ms_origin_of(origins, ir_operand(call, 0));
	if (origin == (MS_ORIGIN_MEMBER | MS_ORIGIN_OTHER)) {
		diag_error(d, call->loc,
		           "the callee may be a member function or another one, which return their records "
		           "differently: say cir.ms.method = true or false");
		return false;
	}
	if (origin == MS_ORIGIN_MEMBER)
		mark(m, call);
	return true;
}

static bool mark_calls(IrModule *m, Diags *d)
{
	bool ok = true;
	ArenaMark before = arena_mark(&m->scratch);
	MsOrigins origins = {.m = m};
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (is_asked_call(op))
			ms_origin_add(&origins, ir_operand(op, 0));
	ms_origin_solve(&origins);
	for (IrOp *op = ir_walk_first(&m->body); op && origins.added.len; op = ir_walk_next(op, &m->body))
		if (is_asked_call(op))
			ok &= mark_call(m, &origins, op, d);
	arena_release(&m->scratch, before);
	return ok;
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
	bool asked = begins(name, "?") && is_asked(ir_func_type(func)) && aliased(func) == func;
	if (!asked || is_told(func) || callee_of(func) != MS_CALLEE_UNTOLD)
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
	if (!ms_has_classes(m))
		return true;
	mark_constants(m);
	return mark_calls(m, d);
}
