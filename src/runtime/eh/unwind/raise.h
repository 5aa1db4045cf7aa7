/* runtime/eh/unwind/raise.h: throwing through <unwind.h>, whichever unwinder has it. Inline, since each frame between the throw and the
 * unwinder is one more to unwind, in both phases.
 */
#ifndef CIRC_RUNTIME_EH_UNWIND_RAISE_H
#define CIRC_RUNTIME_EH_UNWIND_RAISE_H

#include "runtime/eh/unwind/unwind.h"

/* Who caught it in another language is done with it. */
static void clean_up(_Unwind_Reason_Code reason, struct _Unwind_Exception *native)
{
	(void)reason;
	circeh_let_go(circeh_own(native));
}

static inline __attribute__((always_inline)) void circeh_raise(CircException *e)
{
	e->decision = (CircehDecision){0};
	if (e->record.flags & CIRC_RETHROWN) {
		_Unwind_Resume_or_Rethrow(&e->native);
		return;
	}
	e->native.exception_class = CIRCEH_CLASS | e->type->language;
	e->native.exception_cleanup = clean_up;
	_Unwind_RaiseException(&e->native);
}

#endif
