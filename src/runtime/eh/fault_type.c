#include "runtime/eh/fault.h"

static const char name[] = "fault";
const CircClause circeh_fault_type = {.kind = CIRC_CLAUSE_TYPE, .what = name};

bool circeh_is_fault(const CircException *e)
{
	return e->type == &circeh_fault_type;
}
