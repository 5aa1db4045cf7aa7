/* Throwing along the chain of frames: the first phase (search.c) asks, and nothing is unwound; the second one enters one pad after the other
 * (Itanium C++ ABI: Exception Handling, 1.3, which this follows without its tables). */
#include "runtime/eh/raise.h"
#include "runtime/eh/sjlj/frame.h"

static _Noreturn void enter(CircehFrame *frame, CircException *e, uintptr_t selector)
{
	*circ_sjlj_chain() = frame->outer;
	frame->exception = &e->native;
	frame->selector = selector;
	circeh_sjlj_longjmp(frame);
}

/* The next pad on the way. A frame of the runtime's is left here only by an exception that a nested filter threw. */
static _Noreturn void unwind(CircException *e)
{
	CircehFrame *f = *circ_sjlj_chain(), *handler = (CircehFrame *)e->decision.pad;
	while (f && f != handler && (!f->pad || !f->pad->is_cleanup))
		f = f->outer;
	if (!f)
		circeh_fatal("the frame of a handler is no longer on the stack");
	if (f == handler)
		circeh_replace_below(e, (uintptr_t)f);
	enter(f, e, f == handler ? (uintptr_t)e->decision.selector : 0);
}

void circeh_raise(CircException *e)
{
	e->decision = (CircehDecision){0};
	if (circeh_chain_search(e) == CIRC_EXECUTE_HANDLER)
		unwind(e);
}

void *circ_sjlj_object(void *native)
{
	return circeh_own(native)->decision.object;
}

_Noreturn void circ_sjlj_resume(void *native)
{
	unwind(circeh_own(native));
}
