#include "explain/module_site.h"

#include "ir/async.h"
#include "ir/raise.h"

/* Checks */

static const char circ_raise[] = "circ_raise";

/* The kind of check that a call is for; CHECK_KINDS: of none. */
static unsigned raised_kind(const IrModule *m, const IrOp *call)
{
	const Name *callee = ir_call_callee(call);
	if (!callee || !ir_op_has(call, NAME_cold))
		return CHECK_KINDS;
	for (unsigned kind = 0; kind < CHECK_KINDS; kind++) {
		const IrOp *own = ir_module_raise(m, kind);
		if (own && ir_symbol_name(own) == callee)
			return kind;
	}
	if (!str_equal(name_str(callee), str_of(circ_raise)) || call->noperands != 1)
		return CHECK_KINDS;
	const IrValue *v = ir_operand(call, 0);
	const IrAttr *value =
	    !v->is_arg && v->def.op->kind == OP_CONST ? ir_op_attr(v->def.op, NAME_value) : NULL;
	return value && value->kind == ATTR_INT && value->bits < CHECK_KINDS ? (unsigned)value->bits
	                                                                     : CHECK_KINDS;
}

static const IrOp *raise_in(const IrModule *m, const IrBlock *b, unsigned *kind)
{
	const IrOp *op = b->first;
	if (op && op->kind == OP_CONST)
		op = op->next;
	bool is_call = op && (op->kind == OP_CALL || op->kind == OP_TRY_CALL);
	*kind = is_call ? raised_kind(m, op) : CHECK_KINDS;
	return *kind < CHECK_KINDS ? op : NULL;
}

bool module_is_raise(const IrModule *m, const IrBlock *b)
{
	unsigned kind;
	return raise_in(m, b, &kind) != NULL;
}

static bool check_site(const IrModule *m, const IrOp *op, ModuleSite *s)
{
	static const char *const operations[CHECK_KINDS] = {
	    [CHECK_NULL] = "check null",
	    [CHECK_ZERO] = "check zero",
	    [CHECK_OVERFLOW] = "check overflow",
	    [CHECK_BOUNDS] = "check bounds",
	    [CHECK_CONVERSION] = "check conversion",
	    [CHECK_STORE] = "check store",
	};
	unsigned kind;
	s->unwinds = raise_in(m, op->succs[1].dest, &kind);
	if (!s->unwinds || !ir_op_may_throw(s->unwinds))
		return false;
	s->operation = operations[kind];
	return true;
}

/* Faults */

/* "cir.libc.memcpy" is a "libc.memcpy", "circ.try_load" a "load". */
static const char *operation_of(const IrOp *op)
{
	static const char attempt[] = "try_";
	const char *dot = strchr(op_info[op->kind].name, '.');
	const char *word = dot ? dot + 1 : op_info[op->kind].name;
	return strncmp(word, attempt, sizeof attempt - 1) == 0 ? word + sizeof attempt - 1 : word;
}

static bool may_fault(const IrOp *func, const IrOp *op)
{
	return ir_op_has(func, NAME_circ_may_fault) && ir_async_kind(op) != ASYNC_NONE;
}

bool module_site(const IrModule *m, const IrOp *func, const IrOp *op, ModuleSite *s)
{
	*s = (ModuleSite){.unwinds = op};
	switch (op->kind) {
	case OP_THROW:
	case OP_TRY_THROW:
		s->is_throw = true;
		return ir_op_may_throw(op);
	case OP_CALL:
	case OP_TRY_CALL:
		return ir_op_may_throw(op);
	case OP_BRCOND:
		return check_site(m, op, s);
	default:
		s->operation = operation_of(op);
		return ir_op_has_unwind_edge(op) || may_fault(func, op);
	}
}
