/* explain/lines.c: see lines.h. */
#include "explain/lines.h"

#include <stdlib.h>

uint32_t line_table_add_file(LineTable *t, Str path)
{
	vec_push(t->mem, &t->files, arena_copy(t->mem, path.data, path.len));
	return t->files.len - 1;
}

void line_table_add(LineTable *t, LineRow row)
{
	row.order = t->rows.len;
	vec_push(t->mem, &t->rows, row);
}

/* Where one sequence ends and the next begins, the end is first, so that the begin counts. */
static int compare_rows(const void *a, const void *b)
{
	const LineRow *x = a, *y = b;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (!x->line != !y->line)
		return x->line ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

void line_table_sort(LineTable *t)
{
	if (t->rows.len)
		qsort(t->rows.data, t->rows.len, sizeof *t->rows.data, compare_rows);
}

/* How many rows begin at or before the place. */
static uint32_t rows_until(const LineTable *t, ObjectPlace at)
{
	uint32_t low = 0, high = t->rows.len;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const LineRow *r = &t->rows.data[mid];
		bool begins_before =
		    r->section != at.section ? r->section < at.section : r->offset <= at.offset;
		if (begins_before)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static CircPlace place_of(const LineTable *t, const LineRow *r)
{
	return r->line && r->file < t->files.len ? (CircPlace){t->files.data[r->file], r->line, r->column}
	                                         : (CircPlace){0};
}

CircPlace line_table_find(const LineTable *t, ObjectPlace at)
{
	uint32_t n = rows_until(t, at);
	const LineRow *r = n ? &t->rows.data[n - 1] : NULL;
	return r && r->section == at.section ? place_of(t, r) : (CircPlace){0};
}

CircPlace line_table_find_begin(const LineTable *t, ObjectPlace begin, uint64_t size)
{
	uint32_t n = rows_until(t, begin);
	bool has_row =
	    n && t->rows.data[n - 1].section == begin.section && t->rows.data[n - 1].offset == begin.offset;
	for (const LineRow *r = &t->rows.data[has_row ? n - 1 : n]; r < &t->rows.data[t->rows.len]; r++) {
		if (r->section != begin.section || r->offset - begin.offset >= size)
			break;
		if (r->line)
			return place_of(t, r);
	}
	return (CircPlace){0};
}
