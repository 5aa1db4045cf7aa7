#include "base/lines.h"

/* Up to the one that `offset` is on: most texts are asked for a few places, or for none. */
static void find_begins(Lines *l, uint32_t offset)
{
	Str text = l->source->text;
	if (!l->begins.len)
		vec_push(l->mem, &l->begins, 0);
	while (!l->all && l->begins.data[l->begins.len - 1] <= offset) {
		uint32_t begin = l->begins.data[l->begins.len - 1];
		const char *nl = begin < text.len ? memchr(text.data + begin, '\n', text.len - begin) : NULL;
		l->all = !nl;
		if (nl)
			vec_push(l->mem, &l->begins, (uint32_t)(nl + 1 - text.data));
	}
}

void lines_find(Lines *l, uint32_t offset, uint32_t *line, uint32_t *column)
{
	find_begins(l, offset);
	uint32_t low = 0, high = l->begins.len;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		*(l->begins.data[middle] <= offset ? &low : &high) = middle;
	}
	*line = low + 1;
	*column = offset - l->begins.data[low] + 1;
}

bool lines_place(Lines *l, Loc loc, LocInfo *out)
{
	const LocInfo *origin = loc_file(loc.info);
	*out = (LocInfo){.kind = LOC_FILE, .depth = 1};
	if (loc.pos && l->source->text.data) {
		out->name = str_of(l->source->name);
		lines_find(l, loc.pos - 1, &out->line, &out->col);
	} else if (origin) {
		*out = *origin;
	}
	return out->line != 0;
}
