/* The text of a table: a row is a line, a word and a name; `#` begins a comment. */
#include "base/suggest.h"
#include "lift/runtime.h"

typedef struct Word {
	Str text;
	Loc loc;
} Word;

typedef struct TableReader TableReader;
typedef struct Row Row;
struct Row {
	const char *word;
	void (*read)(TableReader *r, const Row *row, Word value);
	LiftRole role;
	bool circ; /* only with `runtime circ` */
	bool more; /* another word may follow */
};

struct TableReader {
	Source text;
	size_t at;
	Arena *mem;
	Diags *d;
	LiftTable *t;
	Word words[3]; /* of the line */
	unsigned n;
	bool runtime;     /* has been said */
	Word circ_only;   /* the first of the words that need `runtime circ` */
	Word of_selector; /* which needs pads */
	uint32_t errors;  /* of d, at the beginning */
};

static Loc place(size_t at)
{
	return (Loc){.pos = (uint32_t)at + 1};
}

static void read_name(TableReader *r, const Row *row, Word value)
{
	if (value.text.len == 1 && value.text.data[0] == '*') {
		diag_error(r->d, value.loc, "'*' alone would name every function");
		return;
	}
	for (uint32_t i = 0; i < r->t->fns.len; i++)
		if (str_equal(r->t->fns.data[i].name, value.text)) {
			diag_error(r->d, value.loc, "function '%.*s' has a row already", (int)value.text.len,
			           value.text.data);
			return;
		}
	vec_push(r->mem, &r->t->fns, ((LiftFn){value.text, row->role}));
}

static void read_personality(TableReader *r, const Row *row, Word value)
{
	(void)row;
	vec_push(r->mem, &r->t->personalities, value.text);
}

/* False: reported. */
static bool read_number(TableReader *r, Word value, uint32_t *to)
{
	uint64_t n = 0;
	bool ok = value.text.len <= 10;
	for (size_t i = 0; i < value.text.len; i++) {
		char c = value.text.data[i];
		ok = ok && c >= '0' && c <= '9';
		n = n * 10 + (uint64_t)(c - '0');
	}
	if (!ok || n > UINT32_MAX) {
		diag_error(r->d, value.loc, "language '%.*s' is no number from 0 to 4294967295",
		           (int)value.text.len, value.text.data);
		return false;
	}
	*to = (uint32_t)n;
	return true;
}

static void stands_twice(TableReader *r, const Row *row)
{
	diag_error(r->d, r->words[0].loc, "'%s' stands twice", row->word);
}

static void read_runtime(TableReader *r, const Row *row, Word value)
{
	if (r->runtime)
		stands_twice(r, row);
	r->runtime = true;
	r->t->circ = str_is(value.text, "circ");
	if (!r->t->circ && !str_is(value.text, "c++"))
		diag_error(r->d, value.loc, "unknown runtime '%.*s'; expected 'c++' or 'circ'",
		           (int)value.text.len, value.text.data);
	else if (r->n == 3 && !r->t->circ)
		diag_error(r->d, r->words[2].loc, "runtime 'c++' has no number of a language");
	else if (r->n == 3)
		read_number(r, r->words[2], &r->t->language);
}

static void set_once(TableReader *r, const Row *row, Str *to, Word value)
{
	if (to->len)
		stands_twice(r, row);
	*to = value.text;
}

static void read_compare(TableReader *r, const Row *row, Word value)
{
	set_once(r, row, &r->t->compare, value);
}

static void read_pads(TableReader *r, const Row *row, Word value)
{
	set_once(r, row, &r->t->pads, value);
}

static void read_cleanups(TableReader *r, const Row *row, Word value)
{
	read_pads(r, row, value);
	r->t->cleanups = true;
}

static void read_selector(TableReader *r, const Row *row, Word value)
{
	set_once(r, row, &r->t->selector, value);
	r->of_selector = r->words[0];
}

static const Row rows[] = {
    {.word = "personality", .read = read_personality},
    {.word = "runtime", .read = read_runtime, .more = true},
    {.word = "allocate", .read = read_name, .role = LIFT_ALLOCATE},
    {.word = "free", .read = read_name, .role = LIFT_FREE},
    {.word = "throw", .read = read_name, .role = LIFT_THROW},
    {.word = "rethrow", .read = read_name, .role = LIFT_RETHROW},
    {.word = "begin", .read = read_name, .role = LIFT_BEGIN},
    {.word = "end", .read = read_name, .role = LIFT_END},
    {.word = "object", .read = read_name, .role = LIFT_OBJECT},
    {.word = "catch", .read = read_name, .role = LIFT_CATCH},
    {.word = "resume", .read = read_name, .role = LIFT_RESUME},
    {.word = "terminate", .read = read_name, .role = LIFT_TERMINATE},
    {.word = "unexpected", .read = read_name, .role = LIFT_UNEXPECTED},
    {.word = "type", .read = read_name, .role = LIFT_TYPE},
    {.word = "compare", .read = read_compare, .circ = true},
    {.word = "pads", .read = read_pads, .circ = true},
    {.word = "cleanups", .read = read_cleanups, .circ = true},
    {.word = "selector", .read = read_selector, .circ = true},
};

static const Row *find_row(const TableReader *r)
{
	Suggestion near = suggest_begin(r->words[0].text);
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_is(r->words[0].text, rows[i].word))
			return &rows[i];
		suggest_try(&near, str_of(rows[i].word));
	}
	bool any = near.best.len;
	diag_error(r->d, r->words[0].loc, "unknown word '%.*s'%s%.*s%s", (int)r->words[0].text.len,
	           r->words[0].text.data, any ? "; did you mean '" : "", (int)near.best.len,
	           any ? near.best.data : "", any ? "'?" : "");
	return NULL;
}

static void read_row(TableReader *r)
{
	const Row *row = find_row(r);
	if (!row)
		return;
	if (row->circ && !r->circ_only.text.len)
		r->circ_only = r->words[0];
	unsigned most = row->more ? 3 : 2;
	if (r->n == 1)
		diag_error(r->d, r->words[0].loc, "'%s' needs a name", row->word);
	else if (r->n > most)
		diag_error(r->d, r->words[most].loc, "'%.*s' is one word too many for '%s'",
		           (int)r->words[most].text.len, r->words[most].text.data, row->word);
	else
		row->read(r, row, r->words[1]);
}

/* Words of the line, as far as there is room for them. False: reported. */
static bool read_words(TableReader *r, size_t end)
{
	const char *s = r->text.text.data;
	r->n = 0;
	while (r->at < end && r->n < ARRAY_LEN(r->words)) {
		size_t begin = r->at;
		while (r->at < end && (unsigned char)s[r->at] > ' ' && s[r->at] != 0x7f)
			r->at++;
		if (r->at > begin) {
			r->words[r->n++] = (Word){{s + begin, r->at - begin}, place(begin)};
		} else if (s[r->at] == ' ' || s[r->at] == '\t' || s[r->at] == '\r') {
			r->at++;
		} else {
			diag_error(r->d, place(r->at), "byte 0x%02X in a table", (unsigned char)s[r->at]);
			return false;
		}
	}
	return true;
}

static void read_line(TableReader *r)
{
	Str text = r->text.text;
	const char *line = text.data + r->at, *newline = memchr(line, '\n', text.len - r->at);
	size_t after = newline ? (size_t)(newline - text.data) : text.len;
	const char *comment = memchr(line, '#', after - r->at);
	if (read_words(r, comment ? (size_t)(comment - text.data) : after) && r->n)
		read_row(r);
	r->at = after + 1;
}

static void check_whole(TableReader *r)
{
	Str word = r->circ_only.text;
	if (word.len && !r->t->circ)
		diag_error(r->d, r->circ_only.loc, "'%.*s' is for 'runtime circ' only", (int)word.len,
		           word.data);
	if (r->t->selector.len && !r->t->pads.len)
		diag_error(r->d, r->of_selector.loc, "'selector' needs 'pads' or 'cleanups'");
	if (!r->t->personalities.len && r->d->errors == r->errors)
		diag_error(r->d, place(0), "table has no row 'personality'");
}

bool lift_read_table(LiftTable *t, const Source *text, Arena *mem, Diags *d)
{
	TableReader r = {.text = *text, .mem = mem, .d = d, .t = t, .errors = d->errors};
	const Source *former = d->source;
	diag_set_source(d, &r.text);
	while (r.at < text->text.len && !diag_full(d))
		read_line(&r);
	check_whole(&r);
	diag_set_source(d, former);
	return d->errors == r.errors;
}

bool lift_set_table(IrModule *m, const Source *text, Diags *d)
{
	LiftTable t = {0};
	ArenaMark mark = arena_mark(&m->scratch);
	bool ok = lift_read_table(&t, text, &m->scratch, d);
	arena_release(&m->scratch, mark);
	if (ok)
		m->eh_table = (Str){arena_copy(&m->arena, text->text.data, text->text.len), text->text.len};
	return ok;
}
