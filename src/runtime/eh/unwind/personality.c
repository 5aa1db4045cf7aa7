/* The personality routine: the unwinder asks it, for each frame of functions that name it, in both phases
 * (Itanium C++ ABI: Exception Handling, 1.6 and 2.5).
 *
 * What the first phase decides is kept, so that each filter is asked once, and what the second phase does is what was said: in the
 * exception if it is ours, else in a memo. Frames on the way have their cleanups only.
 */
#include "runtime/eh/fault.h"
#include "runtime/eh/unwind/lsda.h"
#include "runtime/eh/unwind/unwind.h"

/* Asks the clauses of a landing pad. Returns the first answer that is not "go on". */
static int ask_clauses(const Lsda *lsda, const LsdaSite *site, CircException *own,
                       struct _Unwind_Exception *native, void *frame, CircehDecision *decision)
{
	CircRecord foreign = own ? (CircRecord){0} : circeh_foreign_record(native);
	for (const uint8_t *action = site->action; action;) {
		intptr_t number = circeh_lsda_next(&action);
		if (number < 0)
			circeh_fatal("a table of exceptions has a list of types that a function may throw");
		if (number == 0)
			continue;
		int answer = circeh_ask(circeh_lsda_type(lsda, number), own, &foreign, frame, decision);
		if (answer == CIRC_CONTINUE_SEARCH)
			continue;
		decision->pad = site->pad;
		decision->selector = (int)number;
		decision->continues = answer == CIRC_CONTINUE_EXECUTION;
		return answer;
	}
	return CIRC_CONTINUE_SEARCH;
}

static bool has_cleanup(const LsdaSite *site)
{
	const uint8_t *action = site->action;
	if (!action)
		return true;
	while (action)
		if (circeh_lsda_next(&action) == 0)
			return true;
	return false;
}

/* Further out a function may wait for a call of itself that ends where it faulted. The first phase comes to the innermost frame first. */
static bool is_plain_frame(CircException *own, struct _Unwind_Context *context)
{
	uintptr_t frame = circeh_frame(context);
	if (own->plain_frame == CIRCEH_PLAIN_FRAME_UNKNOWN)
		own->plain_frame = frame;
	return own->plain_frame == frame;
}

/* The frame that faulted: its table has no entry for an instruction that is no call, and none for what is invoked where nothing lands. */
static bool is_at_fault(CircException *own, struct _Unwind_Context *context)
{
	return own && own->is_fault && !(own->record.flags & CIRC_RETHROWN) &&
	       _Unwind_GetIP(context) - (uintptr_t)own->record.address <= FAULT_INSIDE &&
	       (!own->plain_frame || is_plain_frame(own, context));
}

/* Where the exception is in the frame's function; false: it passes. */
static bool find_site(struct _Unwind_Context *context, struct _Unwind_Exception *native, Lsda *lsda,
                      LsdaSite *site)
{
	const uint8_t *table = (const uint8_t *)_Unwind_GetLanguageSpecificData(context);
	int at_fault = 0;
	if (!table)
		return false;
	/* The other bases are of no system that we are on. */
	LsdaBases bases = {.function = _Unwind_GetRegionStart(context)};
	circeh_lsda_open(lsda, table, &bases);
	uintptr_t pc = _Unwind_GetIPInfo(context, &at_fault);
	CircException *own = circeh_own(native);
	bool faulted = is_at_fault(own, context);
	if (!at_fault && !faulted)
		pc--; /* of the call itself, not of what follows it */
	/* A function marked circ.may_fault, at an instruction of its own: what is called beside it may lie on either side in the code and have one
	 * entry, which then is of that instruction, too. */
	if (faulted && own->plain_frame)
		return false;
	bool found = circeh_lsda_find(lsda, pc, site);
	if (!found && faulted)
		return false;
	if (!found)
		circeh_unhandled(own, "an exception leaves a call that cannot throw");
	return site->pad != 0;
}

static _Unwind_Reason_Code search(struct _Unwind_Exception *native, struct _Unwind_Context *context)
{
	Lsda lsda;
	LsdaSite site;
	CircehDecision decision = {0};
	if (!find_site(context, native, &lsda, &site) || !site.action)
		return _URC_CONTINUE_UNWIND;
	CircException *own = circeh_own(native); /* a filter may write over what tells */
	int answer = ask_clauses(&lsda, &site, own, native, circeh_frame_of_filters(context), &decision);
	if (answer == CIRC_CONTINUE_SEARCH)
		return _URC_CONTINUE_UNWIND;
	if (own)
		own->decision = decision;
	else
		circeh_memo_set(native, &decision);
	return answer == CIRC_EXECUTE_HANDLER ? _URC_HANDLER_FOUND : circeh_continue_execution();
}

static _Unwind_Reason_Code land(struct _Unwind_Exception *native, struct _Unwind_Context *context,
                                uintptr_t pad, int selector)
{
	_Unwind_SetGR(context, __builtin_eh_return_data_regno(0), (uintptr_t)native);
	_Unwind_SetGR(context, __builtin_eh_return_data_regno(1), (uintptr_t)selector);
	_Unwind_SetIP(context, pad);
	return _URC_INSTALL_CONTEXT;
}

static _Unwind_Reason_Code enter_handler(struct _Unwind_Exception *native, struct _Unwind_Context *context)
{
	CircException *own = circeh_own(native);
	CircehDecision decision;
	if (own)
		decision = own->decision;
	else if (!circeh_memo_take(native, &decision))
		circeh_fatal("the header of an exception was written over, or a handler is entered that "
		             "nobody decided for");
	circeh_replace_below(own, _Unwind_GetCFA(context));
	return land(native, context, decision.pad, decision.selector);
}

static _Unwind_Reason_Code enter_cleanup(struct _Unwind_Exception *native, struct _Unwind_Context *context)
{
	Lsda lsda;
	LsdaSite site;
	if (!find_site(context, native, &lsda, &site) || !has_cleanup(&site))
		return _URC_CONTINUE_UNWIND;
	return land(native, context, site.pad, 0);
}

_Unwind_Reason_Code __circ_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                          struct _Unwind_Exception *native, struct _Unwind_Context *context)
{
	(void)kind; /* in `native`, too */
	if (version != 1)
		return _URC_FATAL_PHASE1_ERROR;
	if (actions & _UA_SEARCH_PHASE)
		return search(native, context);
	if (actions & _UA_HANDLER_FRAME)
		return enter_handler(native, context);
	return enter_cleanup(native, context);
}
