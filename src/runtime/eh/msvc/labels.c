/* Where exceptions land in a frame, by the tables of __C_specific_handler. */
#include "runtime/eh/exception.h"
#include "runtime/eh/libc.h"
#include "runtime/eh/windows/context.h"
#include "runtime/eh/windows/record.h"

/* The table of __C_specific_handler (SCOPE_TABLE). */
typedef struct Scope {
	uint32_t begin, end, filter, target; /* target 0: a cleanup */
} Scope;

void __C_specific_handler(void);

void *circ_frame_label(const CircFrame *f)
{
	uint64_t module;
	uint32_t n;
	if (f->handler != (uintptr_t)__C_specific_handler || !RtlLookupFunctionEntry(f->pc, &module, NULL))
		return NULL; /* what C++ lands in are functions */
	memcpy(&n, (const void *)f->table, sizeof n);
	const Scope *scopes = (const Scope *)(f->table + sizeof n);
	uint64_t at = f->pc - 1 - module;
	for (uint32_t i = 0; i < n; i++)
		if (at >= scopes[i].begin && at < scopes[i].end && scopes[i].target)
			return (void *)(module + scopes[i].target);
	return NULL;
}

/* C++ runs destructors for its own exceptions and for longjmp(), which comes with where to jump; without, it is any unwinding. */
#define LONGJUMP 0x80000026u /* STATUS_LONGJUMP */

_Noreturn void circ_frame_unwind(const CircFrame *f, void *label, void *exception)
{
	Context c;
	ExceptionRecord r = {.code = LONGJUMP};
	RtlUnwindEx((void *)f->registers[CIRCEH_FRAME], label, &r, exception, &c, NULL);
	__builtin_unreachable();
}
