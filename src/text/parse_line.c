/* Cutting a line with an op into what it names, and what it has in common with others.
 *
 *	%7 = cir.load align(8) %1 : !cir.ptr<!u64i>, !u64i loc(#loc3)    the line
 *	% = cir.load align(8) % : !cir.ptr<!u64i>, !u64i                 the rest: without names and location
 *	% = cir.load align(8) % : !, !                                   the form: without types, too
 */
#include "text/parser.h"

#include "text/scan.h"

/* Behind the name that begins at q, at one of the characters that scan_copy_to_name() stops at; NULL: it is not
 * plain, or empty. */
static inline const char *name_end(const char *q, const char *end)
{
	const char *first = q + 1, *behind;
	if (*q == '"') {
		behind = scan_plain(first, end);
		return behind < end && *behind == '"' ? behind + 1 : NULL;
	}
	if (first < end && *q != '@' && scan_is(*first, DIGIT))
		return scan_digits(first, end);
	behind = scan_suffix(first, end);
	return behind > first ? behind : NULL;
}

/* Takes ` loc(#loc12)` from the end of the line, and blanks. */
static void cut_loc(Line *l)
{
	static const char head[] = " loc(#loc";
	enum { HEAD = sizeof head - 1 };
	const char *end = l->behind;
	while (end > l->from && scan_is(end[-1], SPACE))
		end--;
	l->len -= (uint32_t)(l->behind - end);
	l->loc = (Str){0};
	l->end = end;
	if (l->len < HEAD + 1 || end[-1] != ')')
		return;
	const char *digits = end - 1;
	while (digits > l->from && scan_is(digits[-1], DIGIT))
		digits--;
	if (digits - l->from < HEAD || memcmp(digits - HEAD, head, HEAD) != 0)
		return;
	l->loc = (Str){digits - 4, (size_t)(end - 1 - (digits - 4))};
	l->end = digits - HEAD;
	l->len -= (uint32_t)(end - l->end);
}

bool line_cut(Parser *p, const char *from)
{
	Line *l = &p->line;
	const char *end = p->lx.end - from > LINE_MAX ? from + LINE_MAX : p->lx.end, *q = from;
	char *out = l->rest;
	unsigned symbols = 0, strings = 0;
	l->nnames = 0;
	for (;;) {
		const char *name = scan_copy_to_name(q, end, out);
		out += name - q;
		if (name == end)
			return false;
		if (*name == '\n') {
			l->behind = name;
			break;
		}
		symbols += *name == '@';
		strings += *name == '"';
		if (l->nnames == LINE_NAMES || !(q = name_end(name, end)))
			return false;
		*out++ = *name;
		l->name_at[l->nnames] = (uint16_t)(out - l->rest);
		l->names[l->nnames++] = (Str){name, (size_t)(q - name)};
	}
	if (symbols > 1 || strings > 1 || l->behind - from < 4 || l->behind[-1] == '{')
		return false;
	l->from = from;
	l->has_form = false;
	l->len = (uint32_t)(out - l->rest);
	cut_loc(l);
	l->hash = hash_bytes(&p->m->names.key, l->rest, l->len);
	return true;
}

/* Behind the symbol that begins at q, or NULL. */
static const char *symbol_end(const char *q, const char *end)
{
	return name_end(end - q > 1 && q[1] == '"' ? q + 1 : q, end);
}

bool line_cut_head(Parser *p, const char *from)
{
	Line *l = &p->line;
	size_t left = (size_t)(p->lx.end - from);
	const char *end = memchr(from, '\n', left < HEAD_MAX ? left : HEAD_MAX);
	const char *name = end ? memchr(from, '@', (size_t)(end - from)) : NULL;
	const char *tail = name ? symbol_end(name, end) : NULL;
	if (!tail)
		return false;
	l->from = from;
	l->behind = end;
	l->names[0] = (Str){name, (size_t)(tail - name)};
	l->len = (uint32_t)(l->behind - from);
	cut_loc(l);
	size_t words = (size_t)(name + 1 - from);
	l->len -= (uint32_t)(tail - name - 1);
	memcpy(l->rest, from, words);
	memcpy(l->rest + words, tail, l->len - words);
	l->hash = hash_bytes(&p->m->names.key, l->rest, l->len);
	return true;
}

bool line_is_all(Parser *p, const LocInfo **loc)
{
	const Line *l = &p->line;
	if (l->loc.len)
		return alias_trailing_loc(p, l->loc, loc);
	return parse_op_on_next_line(p, l->behind) != NULL;
}

/* Behind the type, attribute or dictionary at q; NULL: it is not plain. */
static const char *piece_end(const char *q, const char *end)
{
	const char *first = q + 1, *behind;
	if (*q == '{') {
		behind = memchr(first, '}', (size_t)(end - first));
		return behind && !memchr(first, '{', (size_t)(behind - first)) ? behind + 1 : NULL;
	}
	behind = scan_suffix(first, end);
	if (behind == first)
		return NULL;
	return behind < end && *behind == '<' ? parse_plain_brackets(behind, end) : behind;
}

/* No name was taken out of it: *name is the first that stands behind its beginning. */
static bool holds_no_name(const Line *l, uint32_t *name, const char *from, const char *to)
{
	while (*name < l->nnames && l->rest + l->name_at[*name] <= from)
		++*name;
	return *name == l->nnames || l->rest + l->name_at[*name] > to;
}

/* A result of type void is none, which makes another op of the line. */
static bool is_void(const char *type, size_t len)
{
	return len == 5 && memcmp(type, "!void", 5) == 0;
}

static bool cut_types(Line *l)
{
	const char *q = l->rest, *end = q + l->len;
	char *out = l->form;
	uint32_t name = 0;
	for (;;) {
		const char *piece = scan_copy_to_piece(q, end, out);
		out += piece - q;
		if (piece == end)
			break;
		if (!(q = piece_end(piece, end)))
			return false;
		size_t len = (size_t)(q - piece);
		if (*piece != '!' || is_void(piece, len)) {
			memcpy(out, piece, len);
			out += len;
			continue;
		}
		if (l->ntypes == LINE_TYPES || !holds_no_name(l, &name, piece, q))
			return false;
		*out++ = *piece;
		*out++ = '\n'; /* which no line has */
		l->type_at[l->ntypes] = (uint16_t)(piece - l->rest);
		l->type_len[l->ntypes++] = (uint16_t)len;
	}
	l->form_len = (uint32_t)(out - l->form);
	return l->ntypes > 0;
}

void line_cut_types(Parser *p)
{
	Line *l = &p->line;
	l->ntypes = 0;
	l->has_form = cut_types(l);
	if (l->has_form)
		l->form_hash = hash_bytes(&p->m->names.key, l->form, l->form_len);
}

const char *line_type_place(const Line *l, uint32_t i)
{
	const char *place = l->from + l->type_at[i];
	for (uint32_t k = 0; k < l->nnames && l->name_at[k] <= l->type_at[i]; k++)
		place += l->names[k].len - 1;
	return place;
}
