/* What a handler takes when a language says nothing of it. */
#include "runtime/eh/exception.h"

static bool is_base(const CircExceptionType *type, const CircExceptionType *wanted)
{
	if (type == wanted)
		return true;
	for (size_t i = 0; i < type->nbases; i++)
		if (is_base(type->bases[i], wanted))
			return true;
	return false;
}

bool circ_match_default(const CircClause *thrown, const CircClause *wanted, void **object)
{
	(void)object;
	if (thrown->kind == CIRC_CLAUSE_EXCEPTION_TYPE && wanted->kind == CIRC_CLAUSE_EXCEPTION_TYPE)
		return is_base(thrown->what, wanted->what);
	return thrown->what == wanted->what;
}
