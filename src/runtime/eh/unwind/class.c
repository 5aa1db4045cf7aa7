#include "runtime/eh/unwind/unwind.h"

bool circeh_native_is_own(const void *native)
{
	const struct _Unwind_Exception *u = native;
	return (u->exception_class & ~(uint64_t)UINT32_MAX) == CIRCEH_CLASS;
}

CircException *circeh_unwinds(struct _Unwind_Exception *native)
{
	return circeh_native_is_own(native)
	           ? (CircException *)((char *)native - offsetof(CircException, native))
	           : NULL;
}

void circeh_refuse_way(_Unwind_Reason_Code reason, struct _Unwind_Exception *native)
{
	(void)reason;
	(void)native;
	circeh_fatal("a handler of C++ took what circ_frame_unwind() unwinds by");
}
