#include "explain/object/object.h"

#include <inttypes.h>
#include <stdlib.h>

static int compare_file_offsets(const void *a, const void *b)
{
	const ObjectSection *s = *(const ObjectSection *const *)a, *t = *(const ObjectSection *const *)b;
	return s->file_offset != t->file_offset ? (s->file_offset < t->file_offset ? -1 : 1)
	                                        : (s > t) - (s < t);
}

void object_report_overlaps(const ObjectFile *o)
{
	const ObjectSection **sorted = arena_array(o->mem, const ObjectSection *, (size_t)o->nsections + 1);
	uint32_t n = 0;
	for (uint32_t i = 0; i < o->nsections; i++)
		if (o->sections[i].loaded && o->sections[i].bytes.len)
			sorted[n++] = &o->sections[i];
	if (n)
		qsort(sorted, n, sizeof(const ObjectSection *), compare_file_offsets);
	const ObjectSection *last = n ? sorted[0] : NULL;
	for (uint32_t i = 1; i < n; i++) {
		const ObjectSection *s = sorted[i];
		if (s->file_offset < last->file_offset + last->bytes.len)
			object_warning(o, (ObjectPlace){(uint32_t)(s - o->sections), 0},
			               "section overlaps %.*s, at offset 0x%" PRIx64 " of the file",
			               (int)(last->name.len < 200 ? last->name.len : 200), last->name.data,
			               s->file_offset);
		if (s->file_offset + s->bytes.len > last->file_offset + last->bytes.len)
			last = s;
	}
}
