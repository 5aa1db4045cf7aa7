#include "ir/array_cookie.h"

#include <string.h>

/* <operator-name> ::= na, of the global function or of a class */
static bool is_array_new(const Name *name)
{
	Str text = name_str(name);
	return str_begins_with(text, STR("_Zna")) ||
	       (str_begins_with(text, STR("_ZN")) && strstr(text.data, "naE"));
}

static const IrOp *bitcast_of(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	return op && op->kind == OP_CAST && ir_op_enum(op, NAME_kind, CAST_BITCAST) == CAST_BITCAST ? op
	                                                                                            : NULL;
}

static bool is_memory_of_new(const IrValue *v)
{
	const IrOp *call = v->is_arg ? NULL : v->def.op;
	if (!call || (call->kind != OP_CALL && call->kind != OP_TRY_CALL))
		return false;
	const Name *callee = ir_call_callee(call);
	return callee && is_array_new(callee);
}

static bool points_to_pointer(const IrModule *m, const IrType *t)
{
	return t->kind == TYPE_PTR && t->elem->kind == TYPE_PTR && t->elem->elem == m->u8;
}

/* Is user a bitcast of the place to which the number is stored? */
static bool stores_number(const IrModule *m, const IrOp *user)
{
	const IrValue *place = user->nresults == 1 ? &user->results[0] : NULL;
	if (!place || !bitcast_of(place) || place->type->kind != TYPE_PTR || place->type->elem != m->u64)
		return false;
	IR_FOR_USES (u, place)
		if (u->user->kind == OP_STORE && ir_operand(u->user, 1) == place)
			return true;
	return false;
}

static bool is_constant(const IrValue *v)
{
	return !v->is_arg && v->def.op->kind == OP_CONST;
}

bool ir_is_cookie_of_pointers(const IrModule *m, const IrOp *op)
{
	bool steps = false, counts = false;
	if (op->kind != OP_CAST || !points_to_pointer(m, op->results[0].type) ||
	    !bitcast_of(&op->results[0]) || !is_memory_of_new(ir_operand(op, 0)))
		return false;
	IR_FOR_USES (u, &op->results[0]) {
		const IrOp *user = u->user;
		bool step = user->kind == OP_PTR_STRIDE && is_constant(ir_operand(user, 1));
		if (step)
			IR_FOR_USES (w, &user->results[0])
				counts |= stores_number(m, w->user);
		else if (stores_number(m, user))
			counts = true;
		else
			return false;
		steps |= step;
	}
	return steps && counts;
}

bool ir_module_has_cookies_of_pointers(const IrModule *m)
{
	bool news = false;
	if (!m->made[OP_PTR_STRIDE])
		return false;
	IR_FOR_OPS (op, ir_module_block(m))
		news |= op->kind == OP_FUNC && is_array_new(ir_symbol_name(op));
	for (const IrOp *op = news ? ir_walk_first(&m->body) : NULL; op; op = ir_walk_next(op, &m->body))
		if (ir_is_cookie_of_pointers(m, op))
			return true;
	return false;
}
