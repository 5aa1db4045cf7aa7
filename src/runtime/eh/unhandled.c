/* An exception that nobody takes: what it is, and where it was thrown. Nothing has been unwound, so that a core file
 * has all of it, too. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"

static void say_message(const CircException *e)
{
	char message[1024];
	bool described = circeh_describe(&e->record, message, sizeof message);
	const char *text = described ? message : circeh_status_message(e->record.code);
	if (!text)
		return;
	circeh_say(": ");
	circeh_say(text);
}

_Noreturn void circeh_unhandled(CircException *e, const char *why)
{
	circeh_on_unhandled(e ? &e->record : NULL);
	circeh_say("circ: ");
	circeh_say(why);
	if (e) {
		circeh_say_type(e);
		say_message(e);
	}
	circeh_say("\n");
	circeh_say_trace(e);
	abort();
}
