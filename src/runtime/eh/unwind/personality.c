/* The personality routine: the unwinder asks it, for each frame of functions that name it, in both phases
 * (Itanium C++ ABI: Exception Handling, 1.6 and 2.5).
 *
 * What the first phase decides is kept, so that each filter is asked once, and what the second phase does is what was said: in the
 * exception if it is ours, else in a memo. Frames on the way have their cleanups only.
 */
#include "runtime/eh/unwind/unwind.h"

bool circeh_frame_lsda(struct _Unwind_Context *context, Lsda *lsda, uintptr_t *pc)
{
	const uint8_t *table = (const uint8_t *)_Unwind_GetLanguageSpecificData(context);
	int at_fault = 0;
	if (!table)
		return false;
	/* The other bases are of no system that we are on. */
	LsdaBases bases = {.function = _Unwind_GetRegionStart(context)};
	circeh_lsda_open(lsda, table, &bases);
	*pc = _Unwind_GetIPInfo(context, &at_fault);
	if (!at_fault)
		--*pc; /* of the call itself, not of what follows it */
	return true;
}

typedef struct Thrown {
	CircException *own; /* or null */
	CircRecord foreign;
	struct _Unwind_Exception *native;
} Thrown;

static Thrown examine(struct _Unwind_Exception *native)
{
	return (Thrown){circeh_own(native), circeh_foreign_record(native), native};
}

/* Asks the clauses of a landing pad. Returns the first answer that is not "go on". */
static int ask_clauses(const Lsda *lsda, const LsdaSite *site, Thrown *thrown, void *frame,
                       CircehDecision *decision)
{
	for (const uint8_t *action = site->action; action;) {
		intptr_t number = circeh_lsda_next(&action);
		if (number < 0)
			circeh_fatal("a table of exceptions has a list of types that a function may throw");
		if (number == 0)
			continue;
		int answer = circeh_ask(circeh_lsda_type(lsda, number), thrown->own, &thrown->foreign, frame,
		                        decision);
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

/* Where the exception is in the frame's function; false: it passes. */
static bool find_site(struct _Unwind_Context *context, Thrown *thrown, Lsda *lsda, LsdaSite *site)
{
	uintptr_t pc;
	if (!circeh_frame_lsda(context, lsda, &pc))
		return false;
	if (!circeh_lsda_find(lsda, pc, site))
		circeh_unhandled(thrown->own, "an exception leaves a call that cannot throw");
	return site->pad != 0;
}

static _Unwind_Reason_Code search(Thrown *thrown, struct _Unwind_Context *context)
{
	Lsda lsda;
	LsdaSite site;
	CircehDecision decision = {0};
	if (!find_site(context, thrown, &lsda, &site))
		return _URC_CONTINUE_UNWIND;
	int answer = ask_clauses(&lsda, &site, thrown, circeh_frame_of_filters(context), &decision);
	if (answer == CIRC_CONTINUE_SEARCH)
		return _URC_CONTINUE_UNWIND;
	if (thrown->own)
		thrown->own->decision = decision;
	else
		circeh_memo_set(thrown->native, &decision);
	return answer == CIRC_EXECUTE_HANDLER ? _URC_HANDLER_FOUND : circeh_continue_execution();
}

static _Unwind_Reason_Code land(Thrown *thrown, struct _Unwind_Context *context, uintptr_t pad, int selector)
{
	_Unwind_SetGR(context, __builtin_eh_return_data_regno(0), (uintptr_t)thrown->native);
	_Unwind_SetGR(context, __builtin_eh_return_data_regno(1), (uintptr_t)selector);
	_Unwind_SetIP(context, pad);
	return _URC_INSTALL_CONTEXT;
}

static _Unwind_Reason_Code enter_handler(Thrown *thrown, struct _Unwind_Context *context)
{
	CircehDecision decision;
	if (thrown->own)
		decision = thrown->own->decision;
	else if (!circeh_memo_take(thrown->native, &decision))
		circeh_fatal("the header of an exception was written over, or a handler is entered that "
		             "nobody decided for");
	return land(thrown, context, decision.pad, decision.selector);
}

static _Unwind_Reason_Code enter_cleanup(Thrown *thrown, struct _Unwind_Context *context)
{
	Lsda lsda;
	LsdaSite site;
	if (!find_site(context, thrown, &lsda, &site) || !has_cleanup(&site))
		return _URC_CONTINUE_UNWIND;
	return land(thrown, context, site.pad, 0);
}

_Unwind_Reason_Code __circ_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                          struct _Unwind_Exception *native, struct _Unwind_Context *context)
{
	(void)kind; /* in `native`, too */
	Thrown thrown = examine(native);
	if (version != 1)
		return _URC_FATAL_PHASE1_ERROR;
	if (actions & _UA_SEARCH_PHASE)
		return search(&thrown, context);
	if (actions & _UA_HANDLER_FRAME)
		return enter_handler(&thrown, context);
	return enter_cleanup(&thrown, context);
}
