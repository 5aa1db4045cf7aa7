/* Messages where memory may be broken or used up. */
#include "runtime/eh/exception.h"

#include "runtime/eh/libc.h"

void circeh_say(const char *text)
{
	circeh_write(text, strlen(text));
}

void circeh_say_hex(uintptr_t value)
{
	char digits[2 * sizeof value + 3];
	circeh_say(circeh_hex(value, digits));
}

_Noreturn void circeh_fatal(const char *what)
{
	circeh_say("circ: ");
	circeh_say(what);
	circeh_say("\n");
	abort();
}
