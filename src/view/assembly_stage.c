/* view/assembly_stage.c: assembly, and the op of each instruction: the `.loc` or `.cv_loc` before it. */
#include "view/line_number.h"

typedef struct AssemblyCount {
	const ViewLines *lines;
	uint32_t number; /* that the last `.loc` said */
} AssemblyCount;

/* The n-th word of a line, from 0; empty: there is none. */
static Str word_at(Str s, unsigned n)
{
	size_t i = 0;
	for (;; n--) {
		while (i < s.len && (s.data[i] == ' ' || s.data[i] == '\t'))
			i++;
		size_t begin = i;
		while (i < s.len && s.data[i] != ' ' && s.data[i] != '\t')
			i++;
		if (!n || i == begin)
			return (Str){s.data + begin, i - begin};
	}
}

static uint32_t number_of(Str digits)
{
	uint64_t n = 0;
	for (size_t i = 0; i < digits.len && n <= UINT32_MAX; i++) {
		if (digits.data[i] < '0' || digits.data[i] > '9')
			return 0;
		n = n * 10 + (uint64_t)(digits.data[i] - '0');
	}
	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* ".loc FILE LINE", ".cv_loc FUNCTION FILE LINE"; none is good for the next function. */
static void take_place(AssemblyCount *c, Str line)
{
	Str word = word_at(line, 0);
	if (str_is(word, ".loc"))
		c->number = number_of(word_at(line, 2));
	else if (str_is(word, ".cv_loc"))
		c->number = number_of(word_at(line, 3));
	else if (str_is(word, ".cfi_endproc") || str_is(word, ".seh_endproc"))
		c->number = 0;
}

/* A tab, and a mnemonic: no directive, label or comment. */
static bool is_instruction(Str line)
{
	char c = line.len > 1 && line.data[0] == '\t' ? line.data[1] : '.';
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool next_instruction(void *user, uint32_t *line, uint32_t *end, uint32_t *number)
{
	AssemblyCount *c = user;
	for (; *line < c->lines->n; ++*line) {
		Str s = view_line(c->lines, *line);
		if (is_instruction(s))
			break;
		take_place(c, s);
	}
	if (*line >= c->lines->n)
		return false;
	*end = *line + 1;
	*number = c->number;
	return true;
}

void assembly_stage(ViewData *d, const char *triple, Str plain, Str numbered)
{
	ViewLines shown = view_lines(plain, d->mem), other = view_lines(numbered, d->mem);
	AssemblyCount a = {.lines = &shown}, b = {.lines = &other};
	stage_begin(d, "assembly", STR("Assembly"), triple, plain);
	stage_ops(d, count_lines(&shown, &a, &b, next_instruction, d->mem), shown.n);
	data_close(d, '}');
}
