/* windows.c: records what Windows asks the handlers of frames. A handler that takes an exception does not return: where it goes
 * on shows in the frame's next question, whose phase is "target". */
#include "handler.h"

extern const char image[] __asm__("__ImageBase");

uintptr_t record_in_file(uintptr_t address)
{
	return address - (uintptr_t)image;
}

static const char *phase_of(uint32_t flags)
{
	return !(flags & (UNWINDING | EXIT_UNWIND)) ? "search" : flags & TARGET_UNWIND ? "target" : "cleanup";
}

#define NUMBER(value) ((unsigned long long)(value))

static unsigned write_question(const char *name, AddType *add_type, const ExceptionRecord *e,
                               const void *frame, const Dispatch *d)
{
	Record r = {.n = 0};
	unsigned n = record_next();
	record_add(&r, "{\"ask\":%u,\"personality\":\"%s\",\"phase\":\"%s\",", n, name, phase_of(e->flags));
	record_add(&r, "\"pc\":%llu,\"function\":%u,", NUMBER(record_in_file(d->pc)), d->function->begin);
	record_add(&r, "\"frame\":%llu,\"exception\":%llu,\"sp\":%llu,", NUMBER(frame), NUMBER(e),
	           NUMBER(__builtin_frame_address(0)));
	if (e->flags & TARGET_UNWIND)
		record_add(&r, "\"target\":%llu,\"selector\":%d,", NUMBER(record_in_file(d->target)),
		           (int)e->parameters[3]);
	record_add(&r, "\"code\":%u,\"type\":", e->code);
	add_type(&r, e);
	record_add(&r, "}");
	record_write(&r);
	return n;
}

int record_handler(const char *name, LanguageHandler *real, AddType *add_type, ExceptionRecord *e,
                   void *frame, Context *context, Dispatch *dispatch)
{
	if (dispatch->module != (uintptr_t)image)
		return real(e, frame, context, dispatch);
	Record r = {.n = 0};
	unsigned n = write_question(name, add_type, e, frame, dispatch);
	int answer = real(e, frame, context, dispatch);
	record_add(&r, "{\"answer\":%u,\"is\":\"%s\"}", n,
	           answer == CONTINUE_SEARCH      ? "continue"
	           : answer == CONTINUE_EXECUTION ? "execution"
	                                          : "other");
	record_write(&r);
	return answer;
}
