#include "runtime/windows/operator_new.h"

void *operator_new_array(size_t size)
{
	return operator_new(size);
}
