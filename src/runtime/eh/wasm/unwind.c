/* <unwind.h> of a machine that unwinds by itself. */
#include "runtime/eh/wasm/cxx.h"

_Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *native)
{
	cxx_raise(native);
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *native)
{
	cxx_raise(native);
}

void _Unwind_Resume(struct _Unwind_Exception *native)
{
	cxx_raise(native);
}

void _Unwind_DeleteException(struct _Unwind_Exception *native)
{
	if (native->exception_cleanup)
		native->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, native);
}
