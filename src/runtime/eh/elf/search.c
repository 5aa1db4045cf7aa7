/* What of the first phase is the unwinder's own on ELF. */
#include "runtime/eh/unwind/unwind.h"

uintptr_t circeh_frame(struct _Unwind_Context *context)
{
	return _Unwind_GetCFA(context);
}

/* What llvm.localescape counts from: RBP, which functions with filters keep, and on AArch64 the stack pointer. */
void *circeh_frame_of_filters(struct _Unwind_Context *context)
{
#if defined(__x86_64__)
	return (void *)_Unwind_GetGR(context, 6);
#elif defined(__aarch64__)
	return (void *)_Unwind_GetCFA(context);
#else
#error "where are the locals of a frame?"
#endif
}

/* The unwinder gives up, and returns to circ_throw(). */
_Unwind_Reason_Code circeh_continue_execution(void)
{
	return _URC_FATAL_PHASE1_ERROR;
}
