/* join/format.c: what the object formats share. */
#include "join/format.h"

const char *join_at(Str file, uint64_t offset, uint64_t size)
{
	return offset <= file.len && size <= file.len - offset ? file.data + offset : NULL;
}

const char *join_string(Str table, uint64_t offset)
{
	return offset < table.len && memchr(table.data + offset, 0, table.len - offset) ? table.data + offset
	                                                                                : NULL;
}

uint64_t join_align(uint64_t offset, uint64_t align)
{
	return (offset + align - 1) & ~(align - 1);
}

const Name *join_name(NameTable *names, Str text, size_t size)
{
	Name *name = name_intern(names, text);
	if (!name->symbol)
		name->symbol = arena_alloc(names->arena, size, _Alignof(max_align_t));
	return name;
}

void join_add_local(JoinLocal **locals, Arena *mem, uint32_t part, uint32_t symbol)
{
	JoinLocal *l = arena_new(mem, JoinLocal);
	*l = (JoinLocal){part, symbol, *locals};
	*locals = l;
}

const JoinLocal *join_find_local(const JoinLocal *locals, uint32_t part)
{
	while (locals && locals->part != part)
		locals = locals->next;
	return locals;
}

bool join_is_of_part(Str text, Str prefix, uint32_t *part, Str *name)
{
	enum { DIGITS_MAX = 5 };
	if (!str_begins_with(text, prefix))
		return false;
	*part = 0;
	size_t i = prefix.len, end = i + DIGITS_MAX;
	for (; i < text.len && i < end && text.data[i] >= '0' && text.data[i] <= '9'; i++)
		*part = *part * 10 + (uint32_t)(text.data[i] - '0');
	if (i == prefix.len || i == text.len || text.data[i] != '.')
		return false;
	*name = (Str){text.data + i + 1, text.len - i - 1};
	return true;
}
