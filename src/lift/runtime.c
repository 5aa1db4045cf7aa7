#include "lift/runtime.h"

/* Itanium C++ ABI: Exception Handling, 2.4 and 2.5, and what clang and LLVM add. */
static const struct {
	const char *name;
	LiftRole role;
} cxx[] = {
    {"__cxa_allocate_exception", LIFT_ALLOCATE},
    {"__cxa_free_exception", LIFT_FREE},
    {"__cxa_throw", LIFT_THROW},
    {"__cxa_rethrow", LIFT_RETHROW},
    {"__cxa_begin_catch", LIFT_BEGIN},
    {"__cxa_end_catch", LIFT_END},
    {"__cxa_get_exception_ptr", LIFT_OBJECT},
    {"__clang_call_terminate", LIFT_TERMINATE},
    {"__cxa_call_terminate", LIFT_TERMINATE},
    {"__cxa_call_unexpected", LIFT_UNEXPECTED},
    {"_Unwind_Resume", LIFT_RESUME},
    {"llvm.eh.typeid.for", LIFT_TYPE},
    {"llvm.eh.typeid.for.p0", LIFT_TYPE},
};

static bool fits(Str row, Str name)
{
	bool head = row.len && row.data[row.len - 1] == '*';
	return head ? str_begins_with(name, (Str){row.data, row.len - 1}) : str_equal(row, name);
}

LiftRole lift_role_of(const LiftTable *t, const Name *function)
{
	if (!function)
		return LIFT_NOTHING;
	for (uint32_t i = 0; t && i < t->fns.len; i++)
		if (fits(t->fns.data[i].name, name_str(function)))
			return t->fns.data[i].role;
	for (unsigned i = 0; i < ARRAY_LEN(cxx); i++)
		if (str_is(name_str(function), cxx[i].name))
			return cxx[i].role;
	return LIFT_NOTHING;
}

LiftRole lift_role(const LiftTable *t, const IrOp *op)
{
	if (op->kind == OP_EH_TYPEID)
		return LIFT_TYPE;
	return op_info[op->kind].flags & OPF_CALLS ? lift_role_of(t, ir_call_callee(op)) : LIFT_NOTHING;
}

bool lift_has_personality(const LiftTable *t, const Name *personality)
{
	for (uint32_t i = 0; t && personality && i < t->personalities.len; i++)
		if (fits(t->personalities.data[i], name_str(personality)))
			return true;
	return false;
}
