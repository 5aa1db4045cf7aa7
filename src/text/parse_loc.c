/* Locations: cir-reference 1.8. */
#include "text/parser.h"

#include "text/scan.h"

static const LocInfo *loc_body(Parser *p);

static LocInfo *new_loc(Parser *p, LocKind kind)
{
	LocInfo *l = arena_new(&p->m->arena, LocInfo);
	l->kind = kind;
	l->depth = 1;
	return l;
}

static bool line_number(Parser *p, uint32_t *out, const char *what)
{
	Token t = peek(p);
	uint64_t v;
	if (!parse_uint(p, &v, what))
		return false;
	if (v > UINT32_MAX)
		return parse_fail(p, t.at, "integer value too large");
	*out = (uint32_t)v;
	return true;
}

/* File names repeat: the last one is remembered by its spelling. */
static Str file_name(Parser *p, Token t)
{
	if (t.len != p->loc_file_len || !p->loc_file_at || memcmp(t.at, p->loc_file_at, t.len) != 0) {
		p->loc_file_at = t.at;
		p->loc_file_len = t.len;
		p->loc_file = name_str(ir_name(p->m, lex_unquote(p->mem, t)));
	}
	return p->loc_file;
}

/* `:3:5`, and ` to :9` or ` to 4:2` */
static const LocInfo *file_loc(Parser *p, Str name)
{
	LocInfo *l = new_loc(p, LOC_FILE);
	l->name = name;
	if (!expect(p, ':') || !line_number(p, &l->line, "line number") || !expect(p, ':') ||
	    !line_number(p, &l->col, "column number"))
		return NULL;
	if (!accept_word(p, STR("to")))
		return l;
	l->end_line = l->line;
	if (!at(p, ':') && !line_number(p, &l->end_line, "line number"))
		return NULL;
	if (!expect(p, ':') || !line_number(p, &l->end_col, "column number"))
		return NULL;
	return l;
}

static const LocInfo *with_inner(Parser *p, LocInfo *l, const LocInfo *const *inner, uint32_t n)
{
	l->ninner = n;
	for (uint32_t i = 0; i < n; i++)
		if (inner[i]->depth >= l->depth)
			l->depth = inner[i]->depth + 1;
	if (n) {
		l->inner = arena_array(&p->m->arena, const LocInfo *, n);
		memcpy(l->inner, inner, n * sizeof *inner);
	}
	return l;
}

static const LocInfo *named_loc(Parser *p)
{
	Str name = file_name(p, peek(p));
	advance(p);
	if (at(p, ':'))
		return file_loc(p, name);
	LocInfo *l = new_loc(p, LOC_NAME);
	l->name = name;
	if (!accept(p, '('))
		return l;
	const LocInfo *inner = loc_body(p);
	return inner && expect(p, ')') ? with_inner(p, l, &inner, 1) : NULL;
}

static const LocInfo *callsite_loc(Parser *p)
{
	const LocInfo *inner[2];
	if (!expect(p, '(') || !(inner[0] = loc_body(p)) || !expect_word(p, STR("at")) ||
	    !(inner[1] = loc_body(p)) || !expect(p, ')'))
		return NULL;
	return with_inner(p, new_loc(p, LOC_CALLSITE), inner, 2);
}

static const LocInfo *fused_loc(Parser *p)
{
	if (at(p, '<') && !parse_skip_balanced(p)) /* metadata that means nothing to us */
		return NULL;
	if (!expect(p, '['))
		return NULL;
	VEC(const LocInfo *) inner = {0};
	while (!at(p, ']')) {
		const LocInfo *l = loc_body(p);
		if (!l)
			return NULL;
		vec_push(p->mem, &inner, l);
		if (!accept(p, ','))
			break;
	}
	return expect(p, ']') ? with_inner(p, new_loc(p, LOC_FUSED), inner.data, inner.len) : NULL;
}

static const LocInfo *loc_body(Parser *p)
{
	if (++p->depth > TYPE_DEPTH_MAX) {
		p->depth--;
		parse_too_deep(p, "locations");
		return NULL;
	}
	const LocInfo *l = NULL;
	if (at(p, TOK_ATTR))
		l = alias_loc(p);
	else if (at(p, TOK_STRING))
		l = named_loc(p);
	else if (accept_word(p, STR("unknown")))
		l = new_loc(p, LOC_UNKNOWN);
	else if (accept_word(p, STR("callsite")))
		l = callsite_loc(p);
	else if (accept_word(p, STR("fused")))
		l = fused_loc(p);
	else if (at_loc(p))
		l = parse_loc(p);
	else
		expected(p, "location");
	p->depth--;
	if (l && l->depth > TYPE_DEPTH_MAX) {
		parse_too_deep(p, "locations");
		return NULL;
	}
	return l;
}

/* Most locations are written in one of two ways, without a blank or an escape. Those are read at once, not by tokens; what is
 * not quite like that, a wrong one too, is left to the functions above. */

/* `12` and the character behind it; NULL for anything else. */
static const char *plain_number(const char *q, const char *end, uint32_t *out, char behind)
{
	const char *first = q;
	uint32_t n = 0;
	for (; q < end && q - first < 9 && scan_is(*q, DIGIT); q++)
		n = n * 10 + (uint32_t)(*q - '0');
	*out = n;
	return q > first && q < end && *q == behind ? q + 1 : NULL;
}

const LocInfo *parse_plain_loc(Parser *p, const char *from, const char **behind)
{
	const char *q = from + 4, *end = p->lx.end;
	uint32_t line, col;
	if (end - from < 8 || memcmp(from, "loc(\"", 5) != 0)
		return NULL;
	q = scan_plain(q + 1, end);
	if (end - q < 2 || q[0] != '"' || q[1] != ':')
		return NULL;
	Token name = {.at = from + 4, .len = (uint32_t)(q + 1 - (from + 4)), .kind = TOK_STRING};
	if (!(q = plain_number(q + 2, end, &line, ':')) || !(q = plain_number(q, end, &col, ')')))
		return NULL;
	LocInfo *l = new_loc(p, LOC_FILE);
	l->name = file_name(p, name);
	l->line = line;
	l->col = col;
	*behind = q;
	return l;
}

/* `loc(#loc12)` */
static const LocInfo *plain_alias(Parser *p, const char *from, const char **behind)
{
	uint32_t n;
	const char *q = from + 8;
	if (p->lx.end - from < 10 || memcmp(from, "loc(#loc", 8) != 0 || (q[0] == '0' && q[1] != ')'))
		return NULL;
	*behind = plain_number(q, p->lx.end, &n, ')');
	return *behind ? alias_numbered_loc(p, n) : NULL;
}

const LocInfo *parse_loc(Parser *p)
{
	const char *from = peek(p).at, *behind;
	const LocInfo *plain = plain_alias(p, from, &behind);
	if (!plain)
		plain = parse_plain_loc(p, from, &behind);
	if (plain) {
		lex_seek(&p->lx, behind);
		return plain;
	}
	advance(p);
	if (!expect(p, '('))
		return NULL;
	const LocInfo *l = loc_body(p);
	return l && expect(p, ')') ? l : NULL;
}

bool parse_trailing_loc(Parser *p, const LocInfo **out)
{
	if (!at_loc(p))
		return true;
	const LocInfo *l = parse_loc(p);
	if (!l)
		return false;
	*out = l->kind == LOC_UNKNOWN ? NULL : l;
	return true;
}
