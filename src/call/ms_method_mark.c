#include "call/ms_method_mark.h"

#include "call/callee_origin.h"
#include "call/guess/guess.h"
#include "call/ms_method.h"
#include "msvc/class.h"

static bool is_indirect_call(const IrOp *op)
{
	return (op_info[op->kind].flags & OPF_CALLS) && !ir_call_callee(op);
}

/* Only records come back otherwise. */
static bool is_asked(const IrType *func)
{
	return func->elem->kind == TYPE_RECORD && func->elem->name && ms_takes_this(func);
}

static bool is_told(const IrOp *op)
{
	return ir_op_has(op, NAME_ms_method) || ir_op_has(op, NAME_cir_instance_method);
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
	if (func && func->kind == OP_FUNC && !ms_name_begins(name, "?") && is_asked(ir_func_type(func)))
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
		if (value && (value->kind == ATTR_VTABLE || ms_name_begins(ir_symbol_name(op), "??_7")))
			mark_table(m, &seen, value);
	}
	arena_release(&m->scratch, before);
}

/* Calls */

static bool is_asked_call(const IrOp *op)
{
	return is_indirect_call(op) && !is_told(op) && is_asked(ms_called_type(op));
}

static bool mark_call(IrModule *m, const MsOrigins *origins, IrOp *call, Diags *d)
{
	unsigned origin = ms_origin_of(origins, ir_operand(call, 0));
	if (origin == (MS_ORIGIN_MEMBER | MS_ORIGIN_OTHER)) {
		diag_error(d, call->loc,
		           "cannot tell whether the callee is a member function, which returns its record "
		           "differently; add 'cir.ms.method = true', or false");
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
	if (ms_takes_this(ms_called_type(op)))
		return true;
	diag_error(d, op->loc, "attribute '%s' requires a pointer as the first parameter", attr);
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
	bool asked = ms_name_begins(name, "?") && is_asked(ir_func_type(func)) && ms_aliased(func) == func;
	if (!asked || is_told(func) || ms_callee_of(func) != MS_CALLEE_UNTOLD)
		return true;
	diag_error(d, func->loc,
	           "cannot tell from the name '%s' whether this is a member function, which returns its "
	           "record differently; add 'cir.ms.method = true', or false",
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

bool ms_has_classes(const IrModule *m)
{
	return abi_may_guess(m) ? abi_guess_microsoft_classes(m) : ir_module_lang(m) == LANG_CXX;
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
