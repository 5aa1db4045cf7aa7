/* No exception of another language comes along the chain: frames of C++ are jumped over, and its exceptions pass without tables nowhere. */
#include "runtime/eh/sjlj/frame.h"

bool circeh_native_is_own(const void *native)
{
	(void)native;
	return true; /* circeh_own() checks the rest */
}

CircRecord circeh_foreign_record(void *native)
{
	return (CircRecord){.code = CIRC_CODE_FOREIGN, .flags = CIRC_NONCONTINUABLE, .native = native};
}

void circeh_foreign_begin(CircehCatch *c)
{
	(void)c;
	circeh_fatal("the header of an exception was written over");
}

void circeh_foreign_end(CircehCatch *c)
{
	circeh_foreign_begin(c);
}

_Noreturn void circeh_foreign_rethrow(CircehCatch *c)
{
	(void)c;
	circeh_fatal("the header of an exception was written over");
}

void circeh_foreign_drop(void *native)
{
	(void)native;
	circeh_fatal("the header of an exception was written over");
}

void circeh_foreign_replace_below(CircException *by, uintptr_t frame)
{
	(void)by;
	(void)frame;
}
