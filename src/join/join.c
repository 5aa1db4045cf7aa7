/* join/join.c: which format it is. */
#include "join/join.h"

#include "join/format.h"

#include <stdlib.h>

static JoinResult join_guarded(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Arena *mem,
                               OomGuard *guard, Str *object)
{
	if (setjmp(guard->env))
		return JOIN_NO_MEMORY;
	bool elf = n && str_begins_with(parts[0], STR("\177ELF"));
	return (elf ? join_elf : join_coff)(parts, n, prefixes, mem, object);
}

JoinResult emit_join(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Str *object)
{
	Arena mem;
	OomGuard guard;
	arena_init(&mem);
	mem.oom = &guard;
	*object = (Str){0};
	JoinResult result = join_guarded(parts, n, prefixes, &mem, &guard, object);
	arena_free(&mem);
	if (result == JOIN_DONE)
		return result;
	free((void *)(uintptr_t)object->data);
	*object = (Str){0};
	return result;
}
