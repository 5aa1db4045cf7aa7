/* Formatting without the printer, which knows no comments: lines keep what they say, and begin and end as the printer's do.
 *
 * 	cir.ternary(%c, true {     of several brackets that a line opens, the last one alone indents
 * 	  cir.yield %a : !t
 * 	}, false {                 what closes brackets at the beginning of a line is as far left as the line that opened them
 * 	^bb1:                      blocks are two columns left of their operations
 */
#include "lsp/indent.h"

enum { COLUMNS = 2 };

typedef struct Indent {
	Arena *mem;
	VEC(bool) open;  /* brackets: does it indent? */
	uint32_t levels; /* of them, those that do */
} Indent;

static bool is_opener(TokKind kind)
{
	return kind == '{' || kind == '(' || kind == '[';
}

static bool is_closer(TokKind kind)
{
	return kind == '}' || kind == ')' || kind == ']';
}

static void close_bracket(Indent *in)
{
	if (in->open.len)
		in->levels -= in->open.data[--in->open.len];
}

static void open_bracket(Indent *in)
{
	vec_push(in->mem, &in->open, true);
	in->levels++;
}

/* From `first` on, those of one line. */
static void keep_the_last(Indent *in, uint32_t first)
{
	for (uint32_t i = first; i + 1 < in->open.len; i++) {
		in->levels -= in->open.data[i];
		in->open.data[i] = false;
	}
}

static void put_line(Indent *in, StrBuf *out, const char *begin, const char *end, uint32_t level)
{
	while (begin < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (uint32_t i = 0; begin < end && i < COLUMNS * level; i++)
		buf_char(in->mem, out, ' ');
	buf_put(in->mem, out, (Str){begin, (size_t)(end - begin)});
}

/* t: the first token that does not begin before the line; returns the first behind the line. */
static const Token *format_line(Indent *in, StrBuf *out, const char *begin, const char *end, const Token *t)
{
	while (begin < end && (*begin == ' ' || *begin == '\t'))
		begin++;
	bool is_block = t->at == begin && t->kind == TOK_BLOCK;
	for (; t->at < end && is_closer(t->kind); t++)
		close_bracket(in);
	put_line(in, out, begin, end, in->levels - (is_block && in->levels));
	uint32_t former = in->open.len;
	for (; t->at < end && t->kind != TOK_EOF; t++) {
		if (is_opener(t->kind)) {
			open_bracket(in);
		} else if (is_closer(t->kind)) {
			close_bracket(in);
			former = in->open.len < former ? in->open.len : former;
		}
	}
	keep_the_last(in, former);
	return t;
}

Str lsp_indent(Arena *mem, Str text, const LspNames *n)
{
	Indent in = {.mem = mem};
	StrBuf out = {0};
	const char *line = text.data, *end = text.data + text.len;
	const Token *t = n->tokens.data;
	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *behind = stop ? stop : end;
		t = format_line(&in, &out, line, behind, t);
		if (stop)
			buf_char(mem, &out, '\n');
		line = behind + (stop != NULL);
	}
	return (Str){out.data, out.len};
}
