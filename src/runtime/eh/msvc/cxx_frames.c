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
void **__current_exception(void);
int __uncaught_exceptions(void);
void *GetModuleHandleA(const char *name);

typedef struct Note {
	Help *help;
	Help was;
} Note;

struct CircehNotes {
	size_t n;
	Note notes[];
};

/* Null: the function has no handlers, or it is a funclet, which has its function's information, and a frame without help. */
static Help *help_of(const CircFrame *f, uint64_t module)
{
	uint32_t offset;
	if (f->handler != (uintptr_t)__CxxFrameHandler3)
		return NULL;
	memcpy(&offset, (const void *)f->table, sizeof offset);
	const FunctionInfo *info = (const FunctionInfo *)(module + offset);
	if (!info->ntries || !info->nplaces)
		return NULL;
	const Place *first = (const Place *)(module + info->places);
	return module + first->begin == f->function
	           ? (Help *)((char *)f->registers[CIRCEH_FRAME] + info->help)
	           : NULL;
}

/* Outside of a frame of the system something else is being unwound or searched for, and its functions need what they noted. */
static bool forget_in(const CircFrame *f, uint64_t module, void *unused)
{
	(void)unused;
	if (module == (uintptr_t)GetModuleHandleA("ntdll.dll"))
		return false;
	Help *help = help_of(f, module);
	if (help)
		*help = untouched;
	return true;
}

static bool count_in(const CircFrame *f, uint64_t module, void *n)
{
	*(size_t *)n += help_of(f, module) != NULL;
	return true;
}

static bool note_in(const CircFrame *f, uint64_t module, void *notes)
{
	struct CircehNotes *all = notes;
	Help *help = help_of(f, module);
	if (help)
		all->notes[all->n++] = (Note){help, *help};
	return true;
}

/* A handler of C++ or a cleanup runs, so that there may be frames that need what they noted. */
static bool inside_handler(const CircException *e)
{
	return e->older || *__current_exception() || __uncaught_exceptions() > 0;
}

struct CircehNotes *circeh_notes_before(const CircException *e)
{
	size_t n = 0;
	if ((e->record.flags & CIRC_NONCONTINUABLE) || !inside_handler(e))
		return NULL;
	circeh_visit_frames(NULL, count_in, &n);
	struct CircehNotes *notes = circeh_allocate(sizeof *notes + n * sizeof notes->notes[0]);
	circeh_visit_frames(NULL, note_in, notes);
	return notes;
}

void circeh_forget_search(const struct CircehNotes *before)
{
	if (!before)
		circeh_visit_frames(NULL, forget_in, NULL);
	for (size_t i = 0; before && i < before->n; i++)
		*before->notes[i].help = before->notes[i].was;
}

/* The search for the one that was replaced found frames from here on outwards. They wait in calls, none runs a handler or cleanup: what they are in
 * is where they were called from, also to the one that is on its way now. */
void circ_seh_behind_cleanup(bool *inside)
{
	if (!*inside)
		return;
	*inside = false;
	circeh_visit_frames(inside, forget_in, NULL);
}
