/* gnu.c: records for windows-gnu what the system asks __gxx_personality_seh0. The real one is a copy of libstdc++'s object, in which it
 * is called truth_gxx_personality_seh0. */
#include "gnu.h"

LanguageHandler truth_gxx_personality_seh0;
LanguageHandler __gxx_personality_seh0;

enum { GCC_THROW = 0x20474343, GCC_UNWIND = 0x21474343, GCC_FORCED = 0x22474343 };

void record_gnu_type(Record *r, const ExceptionRecord *e, OwnType *own)
{
	if (e->code == GCC_THROW || e->code == GCC_UNWIND || e->code == GCC_FORCED)
		record_type(r, (const struct _Unwind_Exception *)e->parameters[0], own);
	else
		record_add(r, "null");
}

static void add_type(Record *r, const ExceptionRecord *e)
{
	record_gnu_type(r, e, NULL);
}

int __gxx_personality_seh0(ExceptionRecord *e, void *frame, Context *context, Dispatch *dispatch)
{
	return record_handler("__gxx_personality_seh0", truth_gxx_personality_seh0, add_type, e, frame,
	                      context, dispatch);
}
