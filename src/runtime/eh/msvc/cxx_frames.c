/* What a search leaves in functions of C++ that it passes.
 *
 * __CxxFrameHandler3 notes in a frame with handlers which state a search found it in, and believes the highest one until a handler
 * of that frame has run. C++ never goes on where it has thrown, and nothing leaves its cleanups, so each search ends in a handler. With a filter of
 * ours, or a cleanup, one does not. Without the notes taken back, scopes that were left since would be cleaned up once more by the next exception,
 * and their handlers asked. */
#include "runtime/eh/libc.h"
#include "runtime/eh/msvc/seh.h"
#include "runtime/eh/windows/context.h"

/* _s_FuncInfo; numbers are offsets from the beginning of the module, help is one from the frame. */
typedef struct FunctionInfo {
	uint32_t magic, nstates, states, ntries, tries, nplaces, places;
	int32_t help;
} FunctionInfo;

typedef struct Place { /* _s_IPtoStateMapEntry */
	uint32_t begin;
	int32_t state;
} Place;

/* What a function stores when it is entered. */
typedef struct Help {
	int32_t state, state_of_try;
} Help;

static const Help untouched = {-2, -1};

void __CxxFrameHandler3(void);
void *GetModuleHandleA(const char *name);

/* A funclet has its function's information, and a frame without help. */
static void forget(const CircFrame *f, uint64_t module)
{
	uint32_t offset;
	memcpy(&offset, (const void *)f->table, sizeof offset);
	const FunctionInfo *info = (const FunctionInfo *)(module + offset);
	if (!info->ntries || !info->nplaces)
		return;
	const Place *first = (const Place *)(module + info->places);
	if (module + first->begin == f->function)
		memcpy((char *)f->registers[CIRCEH_FRAME] + info->help, &untouched, sizeof untouched);
}

/* Behind a frame of the system something else is being unwound or searched for, and its functions need what they noted. */
static bool forget_in(const CircFrame *f, uint64_t module)
{
	if (module == (uintptr_t)GetModuleHandleA("ntdll.dll"))
		return false;
	if (f->handler == (uintptr_t)__CxxFrameHandler3)
		forget(f, module);
	return true;
}

void circeh_forget_search(void)
{
	circeh_visit_frames(NULL, forget_in);
}

/* The search for the one that was replaced found frames from here on outwards. They wait in calls, none runs a handler or cleanup: what they are in
 * is where they were called from, also to the one that is on its way now. */
void circ_seh_behind_cleanup(bool *inside)
{
	if (!*inside)
		return;
	*inside = false;
	circeh_visit_frames(inside, forget_in);
}
