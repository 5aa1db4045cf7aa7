#include "runtime/windows/operator_new.h"

void *operator_new(size_t size)
{
	void *p;
	while (!(p = malloc(size)))
		if (!_callnewh(size))
			crt_throw_bad_alloc();
	return p;
}
