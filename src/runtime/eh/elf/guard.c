/* The personalities of frames that nothing may leave. */
#include "runtime/eh/guard.h"
#include "runtime/eh/unwind/unwind.h"

static _Unwind_Reason_Code guard(_Unwind_Action actions, struct _Unwind_Exception *native, const char *why)
{
	if (!(actions & _UA_SEARCH_PHASE))
		return _URC_CONTINUE_UNWIND;
	circeh_left(circeh_unwinds(native), why);
}

#define GUARD(which, why)                                                                                    \
	_Unwind_Reason_Code circeh_guard_##which(                                                            \
	    int version, _Unwind_Action actions, _Unwind_Exception_Class kind,                               \
	    struct _Unwind_Exception *native, struct _Unwind_Context *context);                              \
	_Unwind_Reason_Code circeh_guard_##which(                                                            \
	    int version, _Unwind_Action actions, _Unwind_Exception_Class kind,                               \
	    struct _Unwind_Exception *native, struct _Unwind_Context *context)                               \
	{                                                                                                    \
		(void)version;                                                                               \
		(void)kind;                                                                                  \
		(void)context;                                                                               \
		return guard(actions, native, why);                                                          \
	}
CIRCEH_GUARDS(GUARD)
