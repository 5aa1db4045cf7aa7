/* emit/join.c: which format it is. */
#include "emit/join.h"

#include "emit/join_format.h"

static JoinResult join_guarded(const Str *parts, uint32_t n, const char *prefix, Arena *mem, OomGuard *guard,
                               Str *object)
{
	if (setjmp(guard->env))
		return JOIN_NO_MEMORY;
	return join_elf(parts, n, prefix, mem, object);
}

JoinResult emit_join(const Str *parts, uint32_t n, const char *prefix, Str *object)
{
	Arena mem;
	OomGuard guard;
	arena_init(&mem);
	mem.oom = &guard;
	*object = (Str){0};
	JoinResult result = join_guarded(parts, n, prefix, &mem, &guard, object);
	arena_free(&mem);
	return result;
}
