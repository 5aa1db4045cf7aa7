/* Messages, and the smallest pieces of the grammar. */
#include "text/read/parser.h"

#include <stdarg.h>
#include <stdio.h>

static const char *format_message(Parser *p, const char *fmt, va_list ap)
{
	char text[1024];
	vsnprintf(text, sizeof text, fmt, ap);
	return arena_copy(p->mem, text, strlen(text));
}

bool parse_fail(Parser *p, const char *at, const char *fmt, ...)
{
	if (p->failure.message && at <= p->failure.at)
		return false;
	va_list ap;
	va_start(ap, fmt);
	p->failure.message = format_message(p, fmt, ap);
	va_end(ap);
	p->failure.at = at;
	p->failure.note = NULL;
	return false;
}

void parse_fail_note(Parser *p, const char *at, const char *fmt, ...)
{
	if (p->failure.note)
		return;
	va_list ap;
	va_start(ap, fmt);
	p->failure.note = format_message(p, fmt, ap);
	va_end(ap);
	p->failure.note_at = at;
}

void parse_deliver(Parser *p)
{
	if (p->failure.message) {
		diag_error(p->d, parse_loc_at(p, p->failure.at), "%s", p->failure.message);
		if (p->failure.note)
			diag_note(p->d, parse_loc_at(p, p->failure.note_at), "%s", p->failure.note);
	}
	CHECK(p->d->errors > 0);
	p->failure.message = p->failure.note = NULL;
	p->failure.silent = false;
}

void parse_error(Parser *p, const char *at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	diag_error(p->d, parse_loc_at(p, at), "%s", format_message(p, fmt, ap));
	va_end(ap);
}

void parse_note(Parser *p, const char *at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	diag_note(p->d, parse_loc_at(p, at), "%s", format_message(p, fmt, ap));
	va_end(ap);
}

void parse_warn(Parser *p, const char *at, const char *message)
{
	if (p->newest)
		parse_tell_older(p, at, "older spelling: %s; use %s", message,
		                 diag_setting(p->d, SETTING_DIALECT_AUTO));
	else
		vec_push(p->mem, &p->warnings, ((Warning){.at = at, .message = message}));
}

/* Of several at one place, which is one spelling, the first says enough. */
void parse_tell_older(Parser *p, const char *at, const char *fmt, ...)
{
	enum { LOOK_BACK = 8 };
	uint32_t n = p->warnings.len, first = n > LOOK_BACK ? n - LOOK_BACK : 0;
	p->ntold++;
	if (!p->newest) {
		vec_push(p->mem, &p->warnings, ((Warning){.at = at, .is_older = true}));
		return;
	}
	for (uint32_t i = first; i < n; i++)
		if (p->warnings.data[i].at == at && p->warnings.data[i].is_error)
			return;
	va_list ap;
	va_start(ap, fmt);
	const char *message = format_message(p, fmt, ap);
	va_end(ap);
	vec_push(p->mem, &p->warnings, ((Warning){.at = at, .message = message, .is_error = true}));
}

void parse_tell_ast(Parser *p)
{
	Token t = peek(p);
	Str end = STR("decl.ast");
	if (t.len > end.len && memcmp(t.at + t.len - end.len, end.data, end.len) == 0)
		parse_tell_dated(p, DATED_AST);
}

bool parse_too_deep(Parser *p, const char *what)
{
	return parse_fail(p, peek(p).at, "%s nested too deeply (limit %d)", what, (int)TYPE_DEPTH_MAX);
}

static const char *token_text(Parser *p, Token t)
{
	enum { SHOWN = 40 };
	if (t.kind == TOK_EOF)
		return "the end of the text";
	if (t.kind == TOK_STRING)
		return "a string";
	bool all = t.len <= SHOWN;
	return arena_printf(p->mem, "'%.*s%s'", (int)(all ? t.len : SHOWN), t.at, all ? "" : "...");
}

bool expected_here(Parser *p, const char *what)
{
	Token t = peek(p);
	if (t.kind == TOK_ERROR)
		return parse_fail(p, t.at, "%s", p->lx.error);
	if (p->failure.message && t.at <= p->failure.at)
		return false;
	return parse_fail(p, t.at, "expected %s, found %s", what, token_text(p, t));
}

/* What is missing at the end of a line is missing there, not where the next line begins. */
bool expected(Parser *p, const char *what)
{
	if (peek(p).kind == TOK_ERROR || parse_same_line(p))
		return expected_here(p, what);
	return parse_fail(p, p->lx.before_end, "expected %s, found the end of the %s", what,
	                  at(p, TOK_EOF) ? "text" : "line");
}

bool expected_kind(Parser *p, int kind)
{
	char quoted[4] = {'\'', (char)kind, '\'', 0};
	return expected(p, kind == TOK_ARROW ? "'->'" : quoted);
}

bool expect_word(Parser *p, Str word)
{
	if (accept_word(p, word))
		return true;
	return expected(p, arena_printf(p->mem, "'%.*s'", (int)word.len, word.data));
}

static unsigned digit_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

bool parse_uint(Parser *p, uint64_t *out, const char *what)
{
	Token t = peek(p);
	if (t.kind != TOK_INT || *t.at == '-')
		return expected(p, what);
	bool hex = t.len > 2 && t.at[1] == 'x';
	unsigned base = hex ? 16 : 10;
	uint64_t v = 0;
	for (uint32_t i = hex ? 2 : 0; i < t.len; i++) {
		unsigned digit = digit_value(t.at[i]);
		if (v > (UINT64_MAX - digit) / base)
			return parse_fail(p, t.at, "integer value too large");
		v = v * base + digit;
	}
	*out = v;
	advance(p);
	return true;
}

bool parse_string(Parser *p, Str *out)
{
	if (!at(p, TOK_STRING))
		return expected(p, "string");
	*out = lex_unquote(p->mem, peek(p));
	advance(p);
	return true;
}

Name *parse_symbol(Parser *p)
{
	Token t = peek(p);
	if (t.kind != TOK_SYMBOL) {
		expected(p, "a symbol name, '@name'");
		return NULL;
	}
	Str name = {t.at + 1, t.len - 1};
	while (name.len && (*name.data == ' ' || *name.data == '\t')) {
		name.data++;
		name.len--;
	}
	if (*name.data == '"')
		name = lex_unquote(p->mem, (Token){.at = name.data, .len = (uint32_t)name.len});
	if (name.data > t.at + 1 && t.at[1] != '"')
		parse_warn(p, t.at, "blank after '@'");
	advance(p);
	return ir_name(p->m, name);
}

bool parse_skip_balanced(Parser *p)
{
	VEC(char) open = {0};
	Token first = peek(p);
	do {
		int kind = (int)peek(p).kind;
		switch (kind) {
		case '(':
			vec_push(p->mem, &open, ')');
			break;
		case '[':
			vec_push(p->mem, &open, ']');
			break;
		case '{':
		case TOK_METADATA:
			vec_push(p->mem, &open, '}');
			break;
		case '<':
			vec_push(p->mem, &open, '>');
			break;
		case ')':
		case ']':
		case '}':
		case '>':
			if (!open.len || open.data[open.len - 1] != kind)
				return parse_fail(p, peek(p).at, "unbalanced '%c'", (char)kind);
			open.len--;
			break;
		case TOK_EOF:
			return parse_fail(p, first.at, "unbalanced '%c'", *first.at);
		case TOK_ERROR:
			return expected(p, "");
		default:
			break;
		}
		advance(p);
	} while (open.len);
	return true;
}

const char *parse_did_you_mean(Parser *p, const Suggestion *s, const char *prefix)
{
	if (!s->best.len)
		return "";
	return arena_printf(p->mem, "; did you mean '%s%.*s'?", prefix, (int)s->best.len, s->best.data);
}

const char *parse_similar_op(Parser *p, Str name)
{
	const char *similar = op_similar(name);
	return similar ? arena_printf(p->mem, "; did you mean '%s'?", similar) : "";
}

bool parse_unknown(Parser *p, const char *at, Str name, const char *otherwise)
{
	static const struct {
		Str name;
		const char *area;
	} known[] = {
#define OUT_OF_SCOPE(name, area) {WORD(name), area},
#include "text/out_of_scope.def"
	};
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		Str k = known[i].name;
		bool family = k.data[k.len - 1] == '.';
		if (family ? name.len > k.len && memcmp(name.data, k.data, k.len) == 0 : str_equal(name, k))
			return parse_fail(p, at, "'%.*s' is out of scope: %s", (int)name.len, name.data,
			                  known[i].area);
	}
	return parse_fail(p, at, "%s", otherwise);
}
