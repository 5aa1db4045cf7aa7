#include "runtime/windows/operator_new.h"

void *operator_new_array_nothrow(size_t size, const Nothrow *tag)
{
	return operator_new_nothrow(size, tag);
}
