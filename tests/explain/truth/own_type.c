/* own_type.c: what was thrown by circ's runtime. */
#include "runtime/eh/exception.h"

#include "type.h"

static void add_exception_type(Record *r, const CircExceptionType *type)
{
	record_add(r, "\"name\":");
	record_add_text(r, type->name);
	record_add(r, ",\"bases\":[");
	for (size_t i = 0; i < type->nbases; i++) {
		record_add(r, i ? ",{\"public\":true,\"type\":{" : "{\"public\":true,\"type\":{");
		add_exception_type(r, type->bases[i]);
		record_add(r, "}}");
	}
	record_add(r, "]");
}

bool record_own_type(Record *r, const struct _Unwind_Exception *e)
{
	const CircException *own = circeh_own((void *)e);
	if (!own)
		return false;
	const CircClause *clause = own->type;
	record_add(r, "{\"language\":%u,", clause->language);
	if (clause->kind == CIRC_CLAUSE_EXCEPTION_TYPE)
		add_exception_type(r, clause->what);
	else
		record_add(r, "\"address\":%llu,\"bases\":[]",
		           (unsigned long long)record_in_file((uintptr_t)clause->what));
	record_add(r, "}");
	return true;
}
