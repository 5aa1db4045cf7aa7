/* What the system asks in frames that nothing may leave: for exceptions of languages and of the system, not for what debuggers are told. */
#include "runtime/eh/guard.h"
#include "runtime/eh/exception.h"
#include "runtime/eh/windows/record.h"

enum { CONTINUE_SEARCH = 1 }; /* ExceptionContinueSearch */

static bool is_error(uint32_t code)
{
	return code >> 30 == 3;
}

/* A fault may be that the stack is used up: no trace. */
static int guard(ExceptionRecord *r, const char *why)
{
	CircException *own;
	if (r->flags & SEH_UNWINDS)
		return CONTINUE_SEARCH;
	if (circeh_is_thrown(r, &own))
		circeh_left(own, why);
	if (is_error(r->code))
		circeh_fatal("a filter or a hook faulted");
	return CONTINUE_SEARCH;
}

#define GUARD(which, why)                                                                                    \
	int circeh_guard_##which(ExceptionRecord *r, void *frame, void *context, void *dispatch);            \
	int circeh_guard_##which(ExceptionRecord *r, void *frame, void *context, void *dispatch)             \
	{                                                                                                    \
		(void)frame;                                                                                 \
		(void)context;                                                                               \
		(void)dispatch;                                                                              \
		return guard(r, why);                                                                        \
	}
CIRCEH_GUARDS(GUARD)
