/* An exception that nobody takes: what it is, and where it was thrown. Nothing has been unwound, so that a core file
 * has all of it, too. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"

enum { MOST_FRAMES = 64 };

static void say_type(const CircException *e)
{
	char name[256];
	circeh_say(" of type ");
	if (e->type->kind == CIRC_CLAUSE_EXCEPTION_TYPE)
		circeh_say(((const CircType *)e->type->what)->name);
	else if (circeh_symbol(e->type->what, name, sizeof name))
		circeh_say(name);
	else
		circeh_say_hex((uintptr_t)e->type->what);
}

static void say_message(const CircException *e)
{
	char message[1024];
	if (!circeh_describe(&e->record, message, sizeof message))
		return;
	circeh_say(": ");
	circeh_say(message);
}

/* From where it was thrown; from here, if that is not found: thrown on, or foreign. */
static void say_trace(const CircException *e)
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

_Noreturn void circeh_unhandled(CircException *e, const char *why)
{
	CircehThread *t = circeh_thread();
	if (t->ending) /* what was asked for the report threw itself */
		circeh_fatal(why);
	t->ending = true;
	circeh_on_unhandled(e ? &e->record : NULL);
	circeh_say("circ: ");
	circeh_say(why);
	if (e) {
		say_type(e);
		say_message(e);
	}
	circeh_say("\n");
	say_trace(e);
	abort();
}
