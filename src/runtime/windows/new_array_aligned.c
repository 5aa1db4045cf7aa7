#include "runtime/windows/operator_new.h"

void *operator_new_array_aligned(size_t size, size_t align)
{
	return operator_new_aligned(size, align);
}
