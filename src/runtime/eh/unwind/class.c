#include "runtime/eh/unwind/unwind.h"

bool circeh_native_is_own(const void *native)
{
	const struct _Unwind_Exception *u = native;
	return (u->exception_class & ~(uint64_t)UINT32_MAX) == CIRCEH_CLASS;
}
