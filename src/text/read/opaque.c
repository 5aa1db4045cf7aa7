/* Attributes and types that are not ours: kept as text (cir-reference 1.7), with one NUL byte for every part
 * that is: an alias may be renamed when the text is printed. */
#include "text/read/parser.h"

typedef struct OpaqueText {
	StrBuf text;
	uint32_t parts; /* where they begin on p->elems */
	const char *last_end;
} OpaqueText;

static void put_blank(Parser *p, OpaqueText *o, const char *next)
{
	if (o->last_end && next > o->last_end)
		buf_char(p->mem, &o->text, ' ');
}

static void put_token(Parser *p, OpaqueText *o)
{
	Token t = peek(p);
	put_blank(p, o, t.at);
	buf_put(p->mem, &o->text, token_str(t));
	advance(p);
	o->last_end = p->lx.before_end;
}

static bool put_part(Parser *p, OpaqueText *o)
{
	put_blank(p, o, peek(p).at);
	const IrAttr *part = parse_attr(p);
	if (!part)
		return false;
	buf_char(p->mem, &o->text, '\0');
	vec_push(p->mem, &p->elems, part);
	o->last_end = p->lx.before_end;
	return true;
}

static int closing(int open)
{
	switch (open) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
	case TOK_METADATA: /* `{-#a}`, which is none here */
		return '}';
	case '<':
		return '>';
	default:
		return 0;
	}
}

/* `>=` or `<=`, which are no brackets: within the parentheses of `affine_set<(d0) : (d0 - 1 >= 0)>` */
static bool at_comparison(const Parser *p, char closes)
{
	Lexer ahead = p->lx;
	if (closes != ')' || (!at(p, '<') && !at(p, '>')))
		return false;
	lex_next(&ahead);
	return ahead.tok.kind == '=';
}

/* The bracketed text that begins here. */
static bool balanced(Parser *p, OpaqueText *o)
{
	VEC(char) open = {0};
	const char *begin = peek(p).at;
	do {
		int kind = (int)peek(p).kind;
		if (kind == TOK_EOF)
			return parse_fail(p, begin, "unbalanced '%c'", *begin);
		if (kind == TOK_ERROR)
			return expected(p, "attribute value");
		if (kind == TOK_ATTR || kind == TOK_TYPE) {
			if (!put_part(p, o))
				return false;
			continue;
		}
		if (open.len && at_comparison(p, open.data[open.len - 1])) {
			/* nothing opens or closes */
		} else if (closing(kind)) {
			vec_push(p->mem, &open, (char)closing(kind));
		} else if (kind == ')' || kind == ']' || kind == '}' || kind == '>') {
			if (open.data[open.len - 1] != kind)
				return parse_fail(p, peek(p).at, "unbalanced '%c'", (char)kind);
			open.len--;
		}
		put_token(p, o);
	} while (open.len);
	return true;
}

static bool opaque_text(Parser *p, OpaqueText *o, const char *from)
{
	buf_put(p->mem, &o->text, (Str){from, (size_t)(p->lx.before_end - from)});
	o->last_end = p->lx.before_end;
	bool in_opaque = p->in_opaque;
	p->in_opaque = true;
	bool ok = !at(p, '<') || balanced(p, o);
	p->in_opaque = in_opaque;
	return ok;
}

const IrAttr *parse_opaque(Parser *p, const char *from)
{
	OpaqueText o = {.parts = p->elems.len};
	const IrAttr *a = NULL;
	if (opaque_text(p, &o, from)) {
		IrAttr key = {.kind = ATTR_OPAQUE,
		              .name = ir_name(p->m, (Str){o.text.data, o.text.len}),
		              .elems = p->elems.data + o.parts,
		              .n = p->elems.len - o.parts};
		bool ok = true;
		if (at(p, ':') && parse_type_follows(p))
			key.type = parse_colon_type(p, &ok);
		if (ok)
			a = ir_attr_intern(p->m, &key);
	}
	p->elems.len = o.parts;
	return a;
}

/* Of a type that holds another several times, which does so, too. */
enum { OPAQUE_TYPE_MAX = 1 << 16 };

static IrType *type_of_text(Parser *p, const char *from, const StrBuf *text)
{
	if (text->len < OPAQUE_TYPE_MAX)
		return ir_type_opaque(p->m, (Str){text->data, text->len});
	parse_fail(p, from, "a type with a text of more than %d bytes", (int)OPAQUE_TYPE_MAX);
	return NULL;
}

static void put_spelled(Parser *p, StrBuf *text, const IrAttr *a)
{
	if (text->len < OPAQUE_TYPE_MAX)
		buf_put(p->mem, text, ir_attr_text(p->mem, a, OPAQUE_TYPE_MAX - text->len));
}

/* A type is one text: what is known in it is spelled out. */
IrType *parse_opaque_type(Parser *p, const char *from)
{
	OpaqueText o = {.parts = p->elems.len};
	advance(p);
	if (!opaque_text(p, &o, from)) {
		p->elems.len = o.parts;
		return NULL;
	}
	StrBuf flat = {0};
	for (uint32_t i = 0, part = o.parts; i < o.text.len && flat.len < OPAQUE_TYPE_MAX; i++) {
		if (o.text.data[i])
			buf_char(p->mem, &flat, o.text.data[i]);
		else
			put_spelled(p, &flat, p->elems.data[part++]);
	}
	p->elems.len = o.parts;
	return type_of_text(p, from, &flat);
}

static bool put_one_type(Parser *p, StrBuf *text)
{
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	if (a && a->kind != ATTR_TYPE)
		return parse_fail(p, where, "expected a type");
	if (a)
		put_spelled(p, text, a);
	return a != NULL;
}

static bool put_types(Parser *p, StrBuf *text)
{
	if (!expect(p, '('))
		return false;
	buf_char(p->mem, text, '(');
	for (bool more = !at(p, ')'); more;) {
		if (!put_one_type(p, text))
			return false;
		if ((more = accept(p, ',')))
			buf_put(p->mem, text, STR(", "));
	}
	buf_char(p->mem, text, ')');
	return expect(p, ')');
}

IrType *parse_builtin_func_type(Parser *p)
{
	const char *from = peek(p).at;
	StrBuf text = {0};
	if (!put_types(p, &text) || !expect(p, TOK_ARROW))
		return NULL;
	buf_put(p->mem, &text, STR(" -> "));
	bool ok = at(p, '(') ? put_types(p, &text) : put_one_type(p, &text);
	return ok ? type_of_text(p, from, &text) : NULL;
}
