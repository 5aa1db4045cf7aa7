#include "runtime/windows/operator_new.h"

void operator_delete_array_aligned(void *p, size_t align)
{
	operator_delete_aligned(p, align);
}
