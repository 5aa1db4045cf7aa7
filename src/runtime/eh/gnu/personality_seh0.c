/* The personality of windows-gnu: libgcc's _GCC_specific_handler asks a personality of ELF's kind. What that cannot be told by libgcc's
 * context is kept here meanwhile: where the frame's locals are, and the answer that execution goes on where it was thrown. */
#include "runtime/eh/unwind/unwind.h"

int __circ_personality_seh0(void *record, void *frame, void *context, void *dispatch);

typedef struct RuntimeFunction {
	uint32_t begin, end, unwind;
} RuntimeFunction;

/* DISPATCHER_CONTEXT of x64, and what of EXCEPTION_RECORD is of use. */
typedef struct Dispatch {
	uint64_t pc, module;
	const RuntimeFunction *function;
	uint64_t frame;
} Dispatch;

typedef _Unwind_Reason_Code Personality(int, _Unwind_Action, _Unwind_Exception_Class,
                                        struct _Unwind_Exception *, struct _Unwind_Context *);

int _GCC_specific_handler(void *record, void *frame, void *context, Dispatch *dispatch,
                          Personality *personality);

enum { CONTINUE_EXECUTION = 0 }; /* ExceptionContinueExecution */

/* For one frame, on this thread. */
typedef struct Asked {
	uintptr_t frame; /* for filters */
	bool continues;  /* a filter said so */
} Asked;

static _Thread_local Asked now;

void *circeh_frame_of_filters(struct _Unwind_Context *context)
{
	(void)context;
	return (void *)now.frame;
}

/* What libgcc calls the CFA is another address in each phase. */
uintptr_t circeh_frame(struct _Unwind_Context *context)
{
	(void)context;
	return now.frame;
}

_Unwind_Reason_Code circeh_continue_execution(void)
{
	now.continues = true;
	return _URC_CONTINUE_UNWIND;
}

/* What llvm.localrecover counts from: the frame register, which the function's table says how far from the frame it is. */
static uintptr_t recovered_frame(const Dispatch *d)
{
	const uint8_t *unwind = (const uint8_t *)d->module + d->function->unwind;
	return d->frame + 16 * (unwind[3] >> 4);
}

/* A filter may throw and catch, so that others are asked meanwhile. */
int __circ_personality_seh0(void *record, void *frame, void *context, void *dispatch)
{
	Asked outer = now;
	now = (Asked){.frame = recovered_frame(dispatch)};
	int disposition = _GCC_specific_handler(record, frame, context, dispatch, __circ_personality_v0);
	bool continues = now.continues;
	now = outer;
	return continues ? CONTINUE_EXECUTION : disposition;
}
