#include "runtime/windows/operator_new.h"

void operator_delete(void *p)
{
	free(p);
}
