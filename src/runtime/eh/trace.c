/* What is said of an exception without asking its language. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"

enum { MOST_FRAMES = 64 };

void circeh_say_type(const CircException *e)
{
	char name[256];
	circeh_say(" of type ");
	if (e->type->kind == CIRC_CLAUSE_EXCEPTION_TYPE)
		circeh_say(((const CircExceptionType *)e->type->what)->name);
	else if (circeh_symbol(e->type->what, name, sizeof name))
		circeh_say(name);
	else
		circeh_say_hex((uintptr_t)e->type->what);
}

/* From where it was thrown; from here, if that is not found: thrown on, or foreign. */
void circeh_say_trace(const CircException *e)
{
	CircFrame frames[MOST_FRAMES];
	char name[600];
	size_t n = circ_frames(frames, MOST_FRAMES), first = 0;
	for (size_t i = 0; e && i < n; i++)
		if ((void *)frames[i].pc == e->record.address)
			first = i;
	for (size_t i = first; i < n && frames[i].pc; i++) {
		circeh_say("    at ");
		if (circ_frame_name(&frames[i], name, sizeof name))
			circeh_say(name);
		else
			circeh_say_hex(frames[i].pc);
		if (circ_frame_source(&frames[i], name, sizeof name)) {
			circeh_say(" (");
			circeh_say(name);
			circeh_say(")");
		}
		circeh_say("\n");
	}
}

/* The language is not asked: it is the one that threw. */
_Noreturn void circeh_left(const CircException *e, const char *why)
{
	circeh_say("circ: ");
	circeh_say(why);
	if (e && e->state == CIRCEH_THROWN)
		circeh_say_type(e);
	circeh_say("\n");
	circeh_say_trace(e);
	abort();
}
