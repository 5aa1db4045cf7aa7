/* own_gnu.c: the same for circ's personality. The library that the program is linked with is a copy in which the real one is called
 * truth_circ_personality_seh0. */
#include "gnu.h"

LanguageHandler truth_circ_personality_seh0;
LanguageHandler __circ_personality_seh0;

static void add_type(Record *r, const ExceptionRecord *e)
{
	record_gnu_type(r, e, record_own_type);
}

int __circ_personality_seh0(ExceptionRecord *e, void *frame, Context *context, Dispatch *dispatch)
{
	return record_handler("__circ_personality_seh0", truth_circ_personality_seh0, add_type, e, frame,
	                      context, dispatch);
}
