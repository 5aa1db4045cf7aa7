#include "runtime/windows/operator_new.h"

void operator_delete_sized(void *p, size_t size)
{
	(void)size;
	operator_delete(p);
}
