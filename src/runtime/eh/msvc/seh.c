/* Structured exceptions: the system asks filters, each of which is a clause, and unwinds to the one that takes it. */
#include "runtime/eh/msvc/seh.h"

#include "runtime/eh/raise.h"

static CircException *own_of(const ExceptionRecord *r)
{
	CircException *e = circeh_raised(r);
	return e ? circeh_own(&e->native) : NULL;
}

int circ_seh_match(void *pointers, const CircClause *clause, void *frame, void **slot)
{
	ExceptionRecord *raised = ((ExceptionPointers *)pointers)->record, *r = circeh_meant(raised);
	CircException *e = own_of(r);
	CircRecord foreign = circeh_foreign_record(r);
	CircehDecision decision = {.frame = (uintptr_t)frame, .slot = slot};
	CircRecord *shown = e ? &e->record : &foreign;
	shown->pointers = pointers;
	int answer = circeh_ask(clause, e, &foreign, frame, &decision);
	shown->pointers = NULL;
	if (answer == CIRC_CONTINUE_SEARCH)
		return answer;
	decision.continues = answer == CIRC_CONTINUE_EXECUTION;
	if (e)
		e->decision = decision;
	if (answer == CIRC_EXECUTE_HANDLER)
		*slot = e ? &e->native : circeh_keep_foreign(r, decision.frame, slot, (uintptr_t)raised);
	return answer;
}

/* The newest on its way to the handler with that variable, or `native` if it is. What was thrown later lies deeper in the stack. */
static void *chosen(void *const *slot, const void *native)
{
	uintptr_t stack;
	void *kept = circeh_kept_for(slot, native, &stack);
	CircException *e = circeh_thread()->flying;
	while (e && (e->decision.slot != slot || (native && native != &e->native)))
		e = e->older;
	return e && (!kept || e->stack < stack) ? &e->native : kept;
}

/* A cleanup's exception may choose the handler that the one it was thrown under has chosen, and be replaced by a third that ends within the
 * cleanup. The older one lands then, and the variable names the other, which is over. */
void *circ_seh_landed(void *const *slot)
{
	__asm__ volatile("emms"); /* what faulted may have left values on the stack of the x87 */
	void *named = chosen(slot, *slot), *landed = named ? named : chosen(slot, NULL);
	if (!landed)
		circeh_fatal("a handler is entered that no exception has chosen");
	return landed;
}

void *_AddressOfReturnAddress(void); /* of the compiler */

/* They lie deeper in the stack than the cleanup, from which this is called. */
void circ_seh_cleanup_ends(bool *inside)
{
	*inside = false;
	circeh_replace_below(NULL, (uintptr_t)_AddressOfReturnAddress());
}

void circeh_raise(CircException *e)
{
	int here;
	circeh_watch_unhandled();
	circeh_describe_native(e);
	e->decision = (CircehDecision){0};
	e->stack = (uintptr_t)&here;
	circeh_free(e->notes); /* of the throw before */
	e->notes = circeh_notes_before(e);
	RaiseException(CXX_EXCEPTION, e->native.record.flags, CXX_PARAMETERS, e->native.record.parameters);
	e->decision.continues = true; /* a filter said so, of ours or of anybody */
	circeh_forget_search(e->notes);
}
