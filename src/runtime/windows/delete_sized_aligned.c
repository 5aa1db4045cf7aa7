#include "runtime/windows/operator_new.h"

void operator_delete_sized_aligned(void *p, size_t size, size_t align)
{
	(void)size;
	operator_delete_aligned(p, align);
}
