#include "text/lex.h"

/* Character classes; a name is made of IDENT characters, a suffix id may hold SUFFIX ones too. */
enum { SPACE = 1, DIGIT = 2, LETTER = 4, IDENT = 8, SUFFIX = 16, HEX = 32, PUNCT = 64 };

/* clang-format off */
#define D_ (DIGIT | IDENT | SUFFIX | HEX)
#define H_ (LETTER | IDENT | SUFFIX | HEX)
#define L_ (LETTER | IDENT | SUFFIX)
static const uint8_t classes[256] = {
	[' '] = SPACE, ['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE,
	['0'] = D_, ['1'] = D_, ['2'] = D_, ['3'] = D_, ['4'] = D_, ['5'] = D_, ['6'] = D_, ['7'] = D_, ['8'] = D_, ['9'] = D_,
	['a'] = H_, ['b'] = H_, ['c'] = H_, ['d'] = H_, ['e'] = H_, ['f'] = H_, ['g'] = L_, ['h'] = L_, ['i'] = L_, ['j'] = L_,
	['k'] = L_, ['l'] = L_, ['m'] = L_, ['n'] = L_, ['o'] = L_, ['p'] = L_, ['q'] = L_, ['r'] = L_, ['s'] = L_, ['t'] = L_,
	['u'] = L_, ['v'] = L_, ['w'] = L_, ['x'] = L_, ['y'] = L_, ['z'] = L_,
	['A'] = H_, ['B'] = H_, ['C'] = H_, ['D'] = H_, ['E'] = H_, ['F'] = H_, ['G'] = L_, ['H'] = L_, ['I'] = L_, ['J'] = L_,
	['K'] = L_, ['L'] = L_, ['M'] = L_, ['N'] = L_, ['O'] = L_, ['P'] = L_, ['Q'] = L_, ['R'] = L_, ['S'] = L_, ['T'] = L_,
	['U'] = L_, ['V'] = L_, ['W'] = L_, ['X'] = L_, ['Y'] = L_, ['Z'] = L_,
	['_'] = L_, ['$'] = IDENT | SUFFIX, ['.'] = IDENT | SUFFIX, ['-'] = SUFFIX | PUNCT,
	['('] = PUNCT, [')'] = PUNCT, ['{'] = PUNCT, ['}'] = PUNCT, ['['] = PUNCT, [']'] = PUNCT, ['<'] = PUNCT, ['>'] = PUNCT,
	[','] = PUNCT, [':'] = PUNCT, ['='] = PUNCT, ['+'] = PUNCT, ['*'] = PUNCT, ['?'] = PUNCT, ['/'] = PUNCT, ['|'] = PUNCT,
};
#undef D_
#undef H_
#undef L_
/* clang-format on */

static inline bool is(char c, unsigned class)
{
	return classes[(unsigned char)c] & class;
}

static inline const char *skip(const char *p, const char *end, unsigned class)
{
	while (p < end && is(*p, class))
		p++;
	return p;
}

static const char *skip_blanks(const char *p, const char *end)
{
	for (;;) {
		p = skip(p, end, SPACE);
		if (p == end || *p != '/' || end - p < 2 || p[1] != '/')
			return p;
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		p = nl ? nl + 1 : end;
	}
}

static void finish(Lexer *lx, TokKind kind, const char *end)
{
	lx->tok.kind = kind;
	lx->tok.len = (uint32_t)(end - lx->tok.at);
	lx->cur = end;
}

static void fail(Lexer *lx, const char *end, const char *error)
{
	lx->error = error;
	finish(lx, TOK_ERROR, end);
}

/* Behind the closing quote of the string at p, or NULL: a string ends on its line. */
static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '\n'; p++) {
		if (*p == '"')
			return p + 1;
		if (*p == '\\' && end - p > 1 && p[1] != '\n')
			p++;
	}
	return NULL;
}

static void lex_string(Lexer *lx)
{
	const char *end = string_end(lx->tok.at, lx->end);
	if (end)
		finish(lx, TOK_STRING, end);
	else
		fail(lx, lx->tok.at + 1, "expected '\"' in string literal");
}

/* digits, or a letter $ . _ - and then any of those and digits */
static const char *suffix_id(const char *p, const char *end)
{
	if (p < end && is(*p, DIGIT))
		return skip(p, end, DIGIT);
	return skip(p, end, SUFFIX);
}

static void lex_prefixed(Lexer *lx, TokKind kind, const char *error)
{
	const char *p = lx->tok.at + 1;
	const char *e = suffix_id(p, lx->end);
	if (e == p)
		fail(lx, p, error);
	else
		finish(lx, kind, e);
}

static void lex_symbol(Lexer *lx)
{
	const char *p = lx->tok.at + 1;
	if (p < lx->end && *p == '"') {
		const char *e = string_end(p, lx->end);
		if (e)
			finish(lx, TOK_SYMBOL, e);
		else
			fail(lx, p, "expected '\"' in string literal");
		return;
	}
	/* The design document writes `@ name` once. */
	const char *name = p;
	while (name < lx->end && (*name == ' ' || *name == '\t'))
		name++;
	const char *e = skip(name, lx->end, SUFFIX);
	if (e == name)
		fail(lx, p, "expected a symbol name after '@'");
	else
		finish(lx, TOK_SYMBOL, e);
}

static void lex_number(Lexer *lx)
{
	const char *p = lx->tok.at, *end = lx->end;
	if (*p == '-' || *p == '+')
		p++;
	if (end - p > 2 && p[0] == '0' && p[1] == 'x' && is(p[2], HEX)) {
		finish(lx, TOK_INT, skip(p + 2, end, HEX));
		return;
	}
	p = skip(p, end, DIGIT);
	if (p == end || *p != '.' || (end - p > 1 && p[1] == '.')) {
		finish(lx, TOK_INT, p);
		return;
	}
	p = skip(p + 1, end, DIGIT);
	if (p < end && (*p == 'e' || *p == 'E')) {
		const char *e = p + 1;
		if (e < end && (*e == '+' || *e == '-'))
			e++;
		if (e < end && is(*e, DIGIT))
			p = skip(e, end, DIGIT);
	}
	finish(lx, TOK_FLOAT, p);
}

static void lex_punctuation(Lexer *lx)
{
	const char *p = lx->tok.at;
	size_t left = (size_t)(lx->end - p);
	if (*p == '-' && left > 1 && p[1] == '>')
		finish(lx, TOK_ARROW, p + 2);
	else if ((*p == '-' || *p == '+') && left > 1 && is(p[1], DIGIT))
		lex_number(lx);
	else if (*p == '.' && left > 2 && p[1] == '.' && p[2] == '.')
		finish(lx, TOK_ELLIPSIS, p + 3);
	else if (*p == ':' && left > 1 && p[1] == ':')
		finish(lx, TOK_SCOPE, p + 2);
	else if (is(*p, PUNCT))
		finish(lx, (TokKind)*p, p + 1);
	else
		fail(lx, p + 1, "unexpected character");
}

void lex_next(Lexer *lx)
{
	lx->before_end = lx->cur;
	const char *p = lx->tok.at = skip_blanks(lx->cur, lx->end);
	if (p >= lx->end) {
		finish(lx, TOK_EOF, lx->end);
		return;
	}
	if (is(*p, LETTER)) {
		finish(lx, TOK_WORD, skip(p + 1, lx->end, IDENT));
		return;
	}
	switch (*p) {
	case '(':
	case ')':
	case '<':
	case '>':
	case ',':
	case '=':
		finish(lx, (TokKind)*p, p + 1);
		return;
	case '%':
		lex_prefixed(lx, TOK_VALUE, "expected a name after '%'");
		return;
	case '&':
		lex_prefixed(lx, TOK_VALUE, "unexpected character");
		return;
	case '!':
		lex_prefixed(lx, TOK_TYPE, "expected a type name after '!'");
		return;
	case '#':
		if (lx->end - p > 2 && p[1] == '-' && p[2] == '}')
			finish(lx, (TokKind)'#', p + 2);
		else
			lex_prefixed(lx, TOK_ATTR, "expected an attribute name after '#'");
		return;
	case '^':
		lex_prefixed(lx, TOK_BLOCK, "expected a name after '^'");
		return;
	case '@':
		lex_symbol(lx);
		return;
	case '"':
		lex_string(lx);
		return;
	default:
		if (is(*p, DIGIT))
			lex_number(lx);
		else
			lex_punctuation(lx);
	}
}

void lex_begin(Lexer *lx, Str text)
{
	*lx = (Lexer){
	    .base = text.data, .end = text.data + text.len, .cur = text.data, .before_end = text.data};
	lex_next(lx);
}

void lex_seek(Lexer *lx, const char *at)
{
	lx->cur = at;
	lex_next(lx);
}

static unsigned hex_value(char c)
{
	return is(c, DIGIT) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

Str lex_unquote(Arena *a, Token string)
{
	Str s = {string.at + 1, string.len - 2};
	if (!s.len || !memchr(s.data, '\\', s.len))
		return s;
	char *out = arena_alloc(a, s.len, 1);
	size_t n = 0;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];
		if (c == '\\' && i + 1 < s.len) {
			char next = s.data[++i];
			if (i + 1 < s.len && is(next, HEX) && is(s.data[i + 1], HEX)) {
				c = (char)(hex_value(next) << 4 | hex_value(s.data[++i]));
			} else {
				c = next == 'n' ? '\n' : next == 't' ? '\t' : next;
			}
		}
		out[n++] = c;
	}
	return (Str){out, n};
}
