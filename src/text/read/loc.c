/* Locations: cir-reference 1.8. */
#include "text/read/parser.h"

#include "text/read/scan.h"

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
static bool is_last_file(const Parser *p, const char *q)
{
	return p->loc_file_at && (size_t)(p->lx.end - q) >= p->loc_file_len &&
	       memcmp(q, p->loc_file_at, p->loc_file_len) == 0;
}

static Str file_name(Parser *p, Token t)
{
	if (t.len != p->loc_file_len || !is_last_file(p, t.at)) {
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
		l->inner = arena_alloc_raw(&p->m->arena, n * sizeof *inner, _Alignof(const LocInfo *));
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

/* Most locations are written in one of three ways, with the blanks of the printer and without
 * an escape. Those are read at once, not by tokens; what is not quite like that, a wrong one
 * too, is left to the functions above. */

enum { PLAIN_FUSED = 4 }; /* locations in one */

/* Behind the text that begins at q, or NULL; q may be NULL, too. */
static inline const char *plain_text(const char *q, const char *end, Str text)
{
	return q && (size_t)(end - q) >= text.len && memcmp(q, text.data, text.len) == 0 ? q + text.len
	                                                                                 : NULL;
}

/* Behind `12`, of eight digits at most, or NULL. */
static inline const char *plain_number(const char *q, const char *end, uint32_t *out)
{
	if (!q)
		return NULL;
	const char *behind = scan_number(q, end, out);
	return behind > q ? behind : NULL;
}

/* The same behind a colon. */
static inline const char *plain_place(const char *q, const char *end, uint32_t *out)
{
	return q && q < end && *q == ':' ? plain_number(q + 1, end, out) : NULL;
}

/* `"file":3:5)` */
static const LocInfo *plain_file(Parser *p, const char *name, const char **behind)
{
	const char *end = p->lx.end, *q;
	uint32_t line, col;
	bool last = is_last_file(p, name);
	if (last)
		q = name + p->loc_file_len;
	else if (!(q = plain_text(scan_plain(name + 1, end), end, STR("\""))))
		return NULL;
	Token file = {.at = name, .len = (uint32_t)(q - name), .kind = TOK_STRING};
	q = plain_place(plain_place(q, end, &line), end, &col);
	if (!q || q == end || *q != ')')
		return NULL;
	*behind = q + 1;
	LocInfo *l = arena_alloc_raw(&p->m->arena, sizeof *l, _Alignof(LocInfo));
	*l = (LocInfo){.kind = LOC_FILE,
	               .name = last ? p->loc_file : file_name(p, file),
	               .line = line,
	               .col = col,
	               .depth = 1};
	return l;
}

/* `#loc12` */
static const LocInfo *plain_alias(Parser *p, const char *q, const char **behind, unsigned levels)
{
	uint32_t n;
	const char *digits = plain_text(q, p->lx.end, STR("#loc"));
	*behind = plain_number(digits, p->lx.end, &n);
	return *behind && (*digits != '0' || *behind == digits + 1) ? alias_numbered_loc(p, n, levels) : NULL;
}

/* `#loc1, #loc2])`, behind `fused[` */
static const LocInfo *plain_fused(Parser *p, const char *q, const char **behind, unsigned levels)
{
	const char *end = p->lx.end;
	const LocInfo *inner[PLAIN_FUSED];
	uint32_t n = 0;
	for (const char *next = q; next; n++) {
		if (n == PLAIN_FUSED)
			return NULL;
		inner[n] = plain_alias(p, next, &q, levels);
		if (!inner[n])
			return NULL;
		next = plain_text(q, end, STR(", "));
	}
	if (!(*behind = plain_text(q, end, STR("])"))))
		return NULL;
	return with_inner(p, new_loc(p, LOC_FUSED), inner, n);
}

const LocInfo *parse_plain_loc_body(Parser *p, const char *q, const char **behind, unsigned levels)
{
	const char *end = p->lx.end, *fused;
	const LocInfo *l = NULL;
	if (q == end)
		return NULL;
	if (*q == '"')
		return plain_file(p, q, behind);
	if (!levels--)
		return NULL;
	if ((fused = plain_text(q, end, STR("fused["))))
		l = plain_fused(p, fused, behind, levels);
	else if ((l = plain_alias(p, q, &q, levels)) && !(*behind = plain_text(q, end, STR(")"))))
		return NULL;
	return l && l->depth <= TYPE_DEPTH_MAX ? l : NULL;
}

const LocInfo *parse_plain_loc(Parser *p, const char *from, const char **behind, unsigned levels)
{
	const char *q = plain_text(from, p->lx.end, STR("loc("));
	return q ? parse_plain_loc_body(p, q, behind, levels) : NULL;
}

const LocInfo *parse_loc(Parser *p)
{
	const char *behind;
	const LocInfo *plain = parse_plain_loc(p, peek(p).at, &behind, PLAIN_LOC_LEVELS);
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
