/* Calls of a language's runtime are what its functions take and give: LLVM IR may call them in any way, and what comes later does not look again. */
#include "lift/lifter.h"

typedef struct Signature {
	const char *args; /* p: pointer, n: integer; NULL: not looked at here */
	char result;      /* '\0': nothing, or what nobody uses */
} Signature;

static const Signature signatures[LIFT_ROLES] = {
    [LIFT_ALLOCATE] = {"n", 'p'}, [LIFT_FREE] = {"p", '\0'}, [LIFT_THROW] = {"ppp", '\0'},
    [LIFT_RETHROW] = {"", '\0'},  [LIFT_BEGIN] = {"p", 'p'}, [LIFT_END] = {"", '\0'},
    [LIFT_OBJECT] = {"p", 'p'},   [LIFT_TYPE] = {"p", 'n'},
};

static bool is_of(const IrValue *v, char kind)
{
	return kind == 'p' ? ir_is_ptr(v->type) : ir_is_int(v->type);
}

static bool fits(const Signature *s, const IrOp *op)
{
	uint32_t n = (uint32_t)strlen(s->args);
	if (ir_call_nargs(op) != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!is_of(ir_call_arg(op, i), s->args[i]))
			return false;
	if (!s->result)
		return !op->nresults || !op->results[0].uses;
	return op->nresults == 1 && is_of(&op->results[0], s->result);
}

void lift_check_signatures(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b) {
			const Signature *s = &signatures[lift_role(l->table, op)];
			if (s->args && op->kind != OP_EH_TYPEID && !fits(s, op))
				lift_error(l, op, "has another signature than the function of the runtime");
		}
}
