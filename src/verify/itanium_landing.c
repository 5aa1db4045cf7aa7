/* Exceptions in the Itanium form (cir-reference 5.12), and which personality takes which form. */
#include "verify/verifier.h"

/* The names that LLVM knows (classifyEHPersonality): it must agree with them about the form of a function. */
Personality verifier_personality(const IrOp *func)
{
	static const char *const other[] = {"_except_handler3", "_except_handler4", "ProcessCLRException"};
	const Name *name = func->kind == OP_FUNC ? ir_op_symbol(func, NAME_personality) : NULL;
	if (!name)
		return PERSONALITY_NONE;
	if (str_is(name_str(name), "__CxxFrameHandler3"))
		return PERSONALITY_FUNCLET;
	if (str_is(name_str(name), "__C_specific_handler"))
		return PERSONALITY_FILTER;
	for (unsigned i = 0; i < ARRAY_LEN(other); i++)
		if (str_is(name_str(name), other[i]))
			return PERSONALITY_OTHER;
	return PERSONALITY_LANDING;
}

bool verifier_check_landing_personality(Verifier *v, const IrOp *op)
{
	Personality p = verifier_personality(v->symbol);
	if (p == PERSONALITY_LANDING)
		return true;
	if (p == PERSONALITY_NONE)
		verifier_error(
		    v, op, "needs a personality; add 'personality(@__gxx_personality_v0)' to the function");
	else
		verifier_error(v, op, "does not work with personality '%s', which has no landing pads",
		               ir_op_symbol(v->symbol, NAME_personality)->text);
	return false;
}

static bool check_types(Verifier *v, const IrOp *op, NameId name)
{
	const IrAttr *types = ir_op_attr(op, name);
	if (!types)
		return true;
	if (types->kind != ATTR_ARRAY) {
		verifier_error(v, op, ": expected attribute '%s' to be an array of symbols",
		               ir_known_name(v->m, name)->text);
		return false;
	}
	for (uint32_t i = 0; i < types->n; i++)
		if (!verifier_check_symbol(v, op, types->elems[i]->name, false) ||
		    !verifier_check_type_info(v, op, types->elems[i]->name))
			return false;
	return true;
}

void verify_eh_inflight(Verifier *v, const IrOp *op)
{
	if (!verifier_check_landing(v, op) || !verifier_check_landing_personality(v, op) ||
	    !check_types(v, op, NAME_catch_type_list) || !check_types(v, op, NAME_filter_type_list) ||
	    !check_types(v, op, NAME_outer_type_list))
		return;
	if (ir_op_has(op, NAME_outer_type_list) && !ir_op_has(op, NAME_filter_type_list))
		verifier_error(v, op, "has 'then', the types of the handlers around a filter, but no filter");
}

void verify_eh_typeid(Verifier *v, const IrOp *op)
{
	verifier_check_symbol(v, op, ir_op_symbol(op, NAME_type_sym), false);
}

void verify_resume_flat(Verifier *v, const IrOp *op)
{
	verifier_check_landing_personality(v, op);
}
