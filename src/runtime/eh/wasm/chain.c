/* Exceptions of a language's own. WebAssembly has no first phase, so that functions with handlers of circ's runtime have frames in a chain, as without
 * tables (sjlj/frame.h): who takes the exception is decided there, and then it is thrown; each pad on the way asks whether it is meant.
 */
#include "runtime/eh/raise.h"
#include "runtime/eh/sjlj/frame.h"
#include "runtime/eh/unwind/unwind.h"

/* C++'s, which is not linked where no code of C++ catches. */
void *__cxa_begin_catch(void *native) __attribute__((weak));

/* Who caught it in another language is done with it. */
static void clean_up(_Unwind_Reason_Code reason, struct _Unwind_Exception *native)
{
	(void)reason;
	circeh_let_go(circeh_own(native));
}

/* Handlers of C++ are in no chain: where no other takes it, one of them may. */
void circeh_raise(CircException *e)
{
	e->decision = (CircehDecision){0};
	int answer = circeh_chain_search(e);
	if (answer == CIRC_CONTINUE_EXECUTION || (answer == CIRC_CONTINUE_SEARCH && !__cxa_begin_catch))
		return;
	e->native.exception_class = CIRCEH_CLASS | e->type->language;
	e->native.exception_cleanup = clean_up;
	__builtin_wasm_throw(0, &e->native);
}

static int land_own(CircehFrame *frame, CircException *e)
{
	if (e->decision.pad != (uintptr_t)frame)
		return 0;
	circeh_replace_below(e, (uintptr_t)frame);
	return e->decision.selector;
}

/* One of C++ was decided for nowhere: its filters run now, when cleanups further in have run. */
static int land_foreign(CircehFrame *frame, void *native)
{
	CircehDecision decision = {0};
	CircRecord foreign = circeh_foreign_record(native);
	if (circeh_chain_ask(frame, NULL, &foreign, &decision) != CIRC_EXECUTE_HANDLER)
		return 0;
	circeh_replace_below(NULL, (uintptr_t)frame);
	return decision.selector;
}

int circ_wasm_land(CircehFrame *frame, void *native)
{
	*circ_sjlj_chain() = frame->outer;
	CircException *e = circeh_own(native);
	return e ? land_own(frame, e) : land_foreign(frame, native);
}
