#include "repair/internal.h"

/* The class that a member function is of whose info begins with head; NULL: it is none. */
static const IrType *class_of(const IrOp *func, Str head)
{
	const IrAttr *info = ir_op_attr(func, NAME_func_info);
	if (!info || info->kind != ATTR_OPAQUE || !info->n || info->elems[0]->kind != ATTR_TYPE)
		return NULL;
	return str_begins_with(name_str(info->name), head) ? info->elems[0]->type : NULL;
}

const IrType *repair_constructed(const IrOp *func)
{
	return class_of(func, STR("#cir.cxx_ctor<"));
}

const IrType *repair_destroyed(const IrOp *func)
{
	return class_of(func, STR("#cir.cxx_dtor<"));
}

/* A function loads a parameter like `this` once. Of a variable with more uses than this nothing is known. */
enum { USES_MAX = 256 };

/* The only value that a variable ever has; NULL: there are more, or its address is known elsewhere. */
static const IrValue *only_value(const IrValue *variable)
{
	const IrValue *v = NULL;
	if (variable->is_arg || variable->def.op->kind != OP_ALLOCA)
		return NULL;
	uint32_t n = 0;
	IR_FOR_USES (u, variable) {
		if (++n > USES_MAX)
			return NULL;
		if (u->user->kind == OP_LOAD)
			continue;
		if (v || u->user->kind != OP_STORE || u != &u->user->operands[1])
			return NULL;
		v = ir_operand(u->user, 0);
	}
	return v;
}

const IrValue *repair_parameter(const IrOp *func, const IrValue *v)
{
	if (!v->is_arg && v->def.op->kind == OP_LOAD)
		v = only_value(ir_operand(v->def.op, 0));
	return v && v->is_arg && v->def.block == func->regions[0].first ? v : NULL;
}

bool repair_sets_vptr(const IrOp *op)
{
	return op->kind == OP_STORE && ir_operand(op, 0)->type->kind == TYPE_VPTR;
}

/* <special-name> ::= Th <call-offset> _ <encoding>, Tv the same, Tc with two offsets */
bool repair_is_thunk(const IrOp *func)
{
	Str name = name_str(ir_symbol_name(func));
	return str_begins_with(name, STR("_ZTh")) || str_begins_with(name, STR("_ZTv")) ||
	       str_begins_with(name, STR("_ZTc"));
}

bool repair_is_variable(const IrValue *v, Str name)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *a = op && op->kind == OP_ALLOCA ? ir_op_attr(op, NAME_name) : NULL;
	return a && str_equal(name_str(a->name), name);
}
