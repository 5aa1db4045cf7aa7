/* The system's last filter, when all frames were asked: nothing has been unwound. */
#include "runtime/eh/msvc/seh.h"

#include <stdatomic.h>

typedef int32_t Filter(ExceptionPointers *);

enum { CONTINUE_SEARCH = 0 };

Filter *SetUnhandledExceptionFilter(Filter *filter);

static _Atomic(Filter *) former;
static atomic_flag watches = ATOMIC_FLAG_INIT;

static int32_t look(ExceptionPointers *p)
{
	ExceptionRecord *r = circeh_meant(p->record);
	CircException *own = circeh_raised(r);
	if (own)
		circeh_unhandled(own, "nobody catches an exception");
	Filter *next = atomic_load(&former);
	return next ? next(p) : CONTINUE_SEARCH;
}

void circeh_watch_unhandled(void)
{
	if (!atomic_flag_test_and_set(&watches))
		atomic_store(&former, SetUnhandledExceptionFilter(look));
}
