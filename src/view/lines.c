/* view/lines.c: lines, and the part that all stages have. */
#include "view/stage.h"

ViewLines view_lines(Str text, Arena *mem)
{
	ViewLines l = {.text = text};
	uint32_t n = 0;
	for (const char *p = text.data, *end = p + text.len; p < end; n++) {
		const char *next = memchr(p, '\n', (size_t)(end - p));
		p = next ? next + 1 : end;
	}
	l.n = n;
	l.begins = arena_array(mem, uint32_t, (size_t)n + 1);
	for (uint32_t i = 0, at = 0; i < n; i++) {
		const char *next = memchr(text.data + at, '\n', text.len - at);
		l.begins[i] = at;
		at = next ? (uint32_t)(next - text.data) + 1 : (uint32_t)text.len;
	}
	l.begins[n] = (uint32_t)text.len;
	return l;
}

Str view_line(const ViewLines *l, uint32_t i)
{
	Str s = {l->text.data + l->begins[i], l->begins[i + 1] - l->begins[i]};
	if (s.len && s.data[s.len - 1] == '\n')
		s.len--;
	return s;
}

void stage_begin(ViewData *d, const char *kind, Str title, const char *triple, Str text)
{
	data_open(d, '{');
	data_field(d, "kind", str_of(kind));
	data_field(d, "title", title);
	if (triple)
		data_field(d, "target", str_of(triple));
	data_field(d, "text", text);
}

void stage_ops(ViewData *d, const uint32_t *numbers, uint32_t nlines)
{
	data_key(d, "ops");
	data_open(d, '[');
	for (uint32_t i = 0; i < nlines; i++)
		if (numbers[i]) {
			data_number(d, i);
			data_number(d, numbers[i]);
		}
	data_close(d, ']');
}
