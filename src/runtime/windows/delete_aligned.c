#include "runtime/windows/operator_new.h"

void operator_delete_aligned(void *p, size_t align)
{
	(void)align;
	_aligned_free(p);
}
