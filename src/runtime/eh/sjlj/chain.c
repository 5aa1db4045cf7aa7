/* Throwing along the chain of frames: the first phase asks, and nothing is unwound; the second one enters one pad after the other
 * (Itanium C++ ABI: Exception Handling, 1.3, which this follows without its tables). */
#include "runtime/eh/guard.h"
#include "runtime/eh/raise.h"
#include "runtime/eh/sjlj/frame.h"

static _Thread_local CircehFrame *innermost;

CircehFrame **circ_sjlj_chain(void)
{
	return &innermost;
}

/* A clause that takes it, or whose filter wants to go on where it was thrown. */
static int ask(const CircehFrame *frame, CircException *e, CircehDecision *decision)
{
	CircRecord foreign = {0};
	for (uint32_t i = 0; i < frame->pad->nclauses; i++) {
		const CircehPadClause *c = &frame->pad->clauses[i];
		int answer = circeh_ask(c->clause, e, &foreign, (void *)frame->buffer[0], decision);
		if (answer == CIRC_CONTINUE_SEARCH)
			continue;
		decision->pad = (uintptr_t)frame;
		decision->selector = (int)c->selector;
		decision->continues = answer == CIRC_CONTINUE_EXECUTION;
		return answer;
	}
	return CIRC_CONTINUE_SEARCH;
}

static int search(CircException *e)
{
	for (const CircehFrame *f = innermost; f; f = f->outer) {
		CircehDecision decision = {0};
		if (!f->pad)
			circeh_left(e, f->guards);
		int answer = ask(f, e, &decision);
		if (answer == CIRC_CONTINUE_SEARCH)
			continue;
		e->decision = decision;
		return answer;
	}
	return CIRC_CONTINUE_SEARCH;
}

static _Noreturn void enter(CircehFrame *frame, CircException *e, uintptr_t selector)
{
	innermost = frame->outer;
	frame->exception = &e->native;
	frame->selector = selector;
	circeh_sjlj_longjmp(frame);
}

/* The next pad on the way. A frame of the runtime's is left here only by an exception that a nested filter threw. */
static _Noreturn void unwind(CircException *e)
{
	CircehFrame *f = innermost, *handler = (CircehFrame *)e->decision.pad;
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
	if (search(e) == CIRC_EXECUTE_HANDLER)
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
