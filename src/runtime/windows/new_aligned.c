#include "runtime/windows/operator_new.h"

void *operator_new_aligned(size_t size, size_t align)
{
	void *p;
	while (!(p = _aligned_malloc(size, align)))
		if (!_callnewh(size))
			crt_throw_bad_alloc();
	return p;
}
