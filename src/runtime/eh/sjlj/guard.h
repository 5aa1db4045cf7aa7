/* runtime/eh/sjlj/guard.h: runtime/eh/guard.h by a frame in the chain, which ends the program when an exception comes to it. */
#ifndef CIRC_RUNTIME_EH_SJLJ_GUARD_H
#define CIRC_RUNTIME_EH_SJLJ_GUARD_H

#include "runtime/eh/sjlj/frame.h"

#define CIRCEH_GUARD_TEXT(which, why) static const char circeh_why_##which[] __attribute__((unused)) = why;
CIRCEH_GUARDS(CIRCEH_GUARD_TEXT)

#define CIRCEH_BEGIN_GUARD(which)                                                                            \
	CircehFrame guard = {.outer = *circ_sjlj_chain(), .guards = circeh_why_##which};                     \
	*circ_sjlj_chain() = &guard
#define CIRCEH_GUARD(which) *circ_sjlj_chain() = guard.outer

#endif
