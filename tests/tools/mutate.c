/* mutate FILE… [--runs N] [--seed N] [--keep NAME]: what passes the verifier must
 * flatten to what passes it again.
 *
 * Each run takes one top-level piece of a file, deletes, doubles, moves or copies some of its ops, and takes
 * the result through reader, verifier, flattening, verifier. A text that is refused with a diagnostic is
 * fine; one that is accepted and becomes wrong later stays in the file NAME and ends the program with status
 * 1. Crashes and leaks are found by the sanitizers that the tool is built with. */
#include "expand/expand.h"
#include "flatten/flatten.h"
#include "text/parse.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Text {
	char *data;
	size_t len;
	const char **lines; /* each with its newline; the last entry is the end */
	size_t nlines;
} Text;

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static bool read_text(const char *path, Text *t)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		return false;
	size_t cap = 1 << 24;
	t->data = malloc(cap + 1);
	t->len = t->data ? fread(t->data, 1, cap, in) : 0;
	fclose(in);
	if (!t->data)
		return false;
	t->data[t->len] = 0;
	for (size_t i = 0; i < t->len; i++)
		t->nlines += t->data[i] == '\n';
	t->lines = malloc((t->nlines + 2) * sizeof *t->lines);
	if (!t->lines)
		return false;
	size_t n = 0;
	for (const char *p = t->data; *p; p = strchr(p, '\n') + 1) {
		t->lines[n++] = p;
		if (!strchr(p, '\n')) {
			t->lines[n] = t->data + t->len;
			t->nlines = n;
			return true;
		}
	}
	t->nlines = n;
	t->lines[n] = t->data + t->len;
	return true;
}

/* The lines of one function, and those outside of every function. */
static bool begins_function(const char *line)
{
	while (*line == ' ')
		line++;
	size_t len = strcspn(line, "\n");
	return strncmp(line, "cir.func", 8) == 0 && line[len - 1] == '{';
}

static size_t indentation(const char *line)
{
	return strspn(line, " \t");
}

static void put_line(FILE *out, const Text *t, size_t line)
{
	fwrite(t->lines[line], 1, (size_t)(t->lines[line + 1] - t->lines[line]), out);
}

static size_t end_of_function(const Text *t, size_t from)
{
	size_t i = from + 1;
	while (i < t->nlines && !(t->lines[i][indentation(t->lines[i])] == '}' &&
	                          indentation(t->lines[i]) == indentation(t->lines[from])))
		i++;
	return i;
}

/* A function of the file, or the number of lines for none. */
static size_t pick_function(const Text *t, uint64_t *random)
{
	size_t n = 0;
	for (size_t i = 0; i < t->nlines; i++)
		n += begins_function(t->lines[i]);
	if (!n)
		return t->nlines;
	size_t k = next_random(random) % n;
	for (size_t i = 0; i < t->nlines; i++)
		if (begins_function(t->lines[i]) && k-- == 0)
			return i;
	return t->nlines;
}

/* Braces that a line closes before it opens any, and its balance. */
static void count_braces(const char *line, int *closes, int *balance)
{
	int depth = 0, least = 0;
	for (; *line && *line != '\n'; line++) {
		depth += (*line == '{') - (*line == '}');
		least = depth < least ? depth : least;
	}
	*closes = -least;
	*balance = depth;
}

typedef struct Lines {
	size_t *order; /* lines of the text */
	size_t n, cap;
} Lines;

/* The op that begins at a line, with its regions: its number of lines; 0 when the line
 * is the end of a region. */
static size_t op_length(const Text *t, const Lines *l, size_t at)
{
	int depth = 0;
	for (size_t i = at; i < l->n; i++) {
		int closes, balance;
		count_braces(t->lines[l->order[i]], &closes, &balance);
		if (depth < closes)
			return 0;
		depth += balance;
		if (depth == 0)
			return i - at + 1;
		depth = depth < 0 ? 0 : depth;
	}
	return 0;
}

static void insert(Lines *l, size_t at, const size_t *from, size_t n)
{
	if (l->n + n > l->cap)
		return;
	memmove(l->order + at + n, l->order + at, (l->n - at) * sizeof *l->order);
	memcpy(l->order + at, from, n * sizeof *l->order);
	l->n += n;
}

static void drop(Lines *l, size_t at, size_t n)
{
	memmove(l->order + at, l->order + at + n, (l->n - at - n) * sizeof *l->order);
	l->n -= n;
}

/* Deletes, doubles, moves or copies an op with all that it holds. */
static void edit(const Text *t, Lines *l, uint64_t *random)
{
	size_t at = next_random(random) % l->n, n = op_length(t, l, at);
	unsigned kind = (unsigned)(next_random(random) % 4);
	if (!n)
		return;
	size_t *op = malloc(n * sizeof *op);
	if (!op)
		abort();
	memcpy(op, l->order + at, n * sizeof *op);
	if (kind == 0 || kind == 2)
		drop(l, at, n);
	if (kind == 1)
		insert(l, at, op, n);
	else if (kind >= 2)
		insert(l, next_random(random) % (l->n + 1), op, n);
	free(op);
}

static void put_mutated(FILE *out, const Text *t, size_t begin, size_t end, uint64_t *random)
{
	Lines l = {.n = end - begin - 1};
	l.cap = 4 * l.n + 8;
	l.order = malloc(l.cap * sizeof *l.order);
	if (!l.order)
		abort();
	for (size_t i = 0; i < l.n; i++)
		l.order[i] = begin + 1 + i;
	for (size_t edits = 1 + next_random(random) % 3; edits && l.n; edits--)
		edit(t, &l, random);
	put_line(out, t, begin);
	for (size_t i = 0; i < l.n; i++)
		put_line(out, t, l.order[i]);
	if (end < t->nlines)
		put_line(out, t, end);
	free(l.order);
}

/* The file with one function, changed; the others are left out. */
static char *mutate(const Text *t, uint64_t *random, size_t *len)
{
	char *data = NULL;
	size_t chosen = pick_function(t, random);
	FILE *out = open_memstream(&data, len);
	if (!out)
		abort();
	for (size_t i = 0; i < t->nlines; i++) {
		if (!begins_function(t->lines[i])) {
			put_line(out, t, i);
			continue;
		}
		size_t end = end_of_function(t, i);
		if (i == chosen)
			put_mutated(out, t, i, end, random);
		i = end;
	}
	fclose(out);
	return data;
}

typedef struct Message {
	char text[400];
} Message;

static void keep_first(const CircDiagnostic *d, void *user)
{
	Message *m = user;
	if (d->severity != CIRC_WARNING && !m->text[0])
		snprintf(m->text, sizeof m->text, "%s", d->message);
}

typedef enum Result { REFUSED, FINE, WRONG } Result;

static Result check(const char *data, size_t len, Message *m)
{
	IrModule *module = ir_module_create();
	if (!module)
		abort();
	Diags d;
	*m = (Message){0};
	diag_init(&d, keep_first, m);
	Result result = REFUSED;
	if (text_parse(module, "mutated", (Str){data, len}, &d) && ir_verify(module, STAGE_STRUCTURED, &d) &&
	    expand_module(module, abi_target((Str){0}), &d) && flatten_module(module, &d))
		result = ir_verify(module, STAGE_FLAT, &d) ? FINE : WRONG;
	ir_module_destroy(module);
	return result;
}

/* Before it is tried, so that it is there after a crash. */
static void keep_text(const char *keep, const char *data, size_t len)
{
	FILE *out = fopen(keep, "wb");
	if (!out || fwrite(data, 1, len, out) != len || fclose(out))
		printf("cannot write %s\n", keep);
}

int main(int argc, char **argv)
{
	unsigned long runs = 1000, accepted = 0, total = 0;
	uint64_t seed = 1;
	const char *keep = "mutated.cir";
	int status = 0;
	for (int i = 1; i < argc && !status; i++) {
		bool option = argv[i][0] == '-' && i + 1 < argc;
		if (option && strcmp(argv[i], "--runs") == 0) {
			runs = strtoul(argv[++i], NULL, 10);
		} else if (option && strcmp(argv[i], "--seed") == 0) {
			seed = strtoull(argv[++i], NULL, 10);
		} else if (option && strcmp(argv[i], "--keep") == 0) {
			keep = argv[++i];
		} else {
			Text t = {0};
			if (!read_text(argv[i], &t)) {
				printf("cannot read %s\n", argv[i]);
				return 2;
			}
			uint64_t random = seed * 0x9e3779b97f4a7c15u;
			for (unsigned long r = 0; r < runs && !status; r++) {
				size_t len;
				Message m;
				char *data = mutate(&t, &random, &len);
				keep_text(keep, data, len);
				Result result = check(data, len, &m);
				total++;
				accepted += result == FINE;
				if (result == WRONG) {
					printf("%s: a mutated text was accepted, but flattened to what is "
					       "wrong: %s\n"
					       "kept as %s\n",
					       argv[i], m.text, keep);
					status = 1;
				}
				free(data);
			}
			free(t.lines);
			free(t.data);
		}
	}
	if (!status)
		remove(keep);
	printf("%lu texts, %lu accepted\n", total, accepted);
	return status;
}
