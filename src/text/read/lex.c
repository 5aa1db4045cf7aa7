#include "text/read/lex.h"

#include "text/read/scan.h"

/* clang-format off */
#define D_ (DIGIT | IDENT | SUFFIX | HEX)
#define H_ (LETTER | IDENT | SUFFIX | HEX)
#define L_ (LETTER | IDENT | SUFFIX)
const uint8_t scan_classes[256] = {
	[' '] = SPACE, ['\t'] = SPACE, ['\n'] = SPACE | TYPE_STOP, ['\r'] = SPACE,
	['0'] = D_, ['1'] = D_, ['2'] = D_, ['3'] = D_, ['4'] = D_, ['5'] = D_, ['6'] = D_, ['7'] = D_, ['8'] = D_, ['9'] = D_,
	['a'] = H_, ['b'] = H_, ['c'] = H_, ['d'] = H_, ['e'] = H_, ['f'] = H_, ['g'] = L_, ['h'] = L_, ['i'] = L_, ['j'] = L_,
	['k'] = L_, ['l'] = L_, ['m'] = L_, ['n'] = L_, ['o'] = L_, ['p'] = L_, ['q'] = L_, ['r'] = L_, ['s'] = L_, ['t'] = L_,
	['u'] = L_, ['v'] = L_, ['w'] = L_, ['x'] = L_, ['y'] = L_, ['z'] = L_,
	['A'] = H_, ['B'] = H_, ['C'] = H_, ['D'] = H_, ['E'] = H_, ['F'] = H_, ['G'] = L_, ['H'] = L_, ['I'] = L_, ['J'] = L_,
	['K'] = L_, ['L'] = L_, ['M'] = L_, ['N'] = L_, ['O'] = L_, ['P'] = L_, ['Q'] = L_, ['R'] = L_, ['S'] = L_, ['T'] = L_,
	['U'] = L_, ['V'] = L_, ['W'] = L_, ['X'] = L_, ['Y'] = L_, ['Z'] = L_,
	['_'] = L_, ['$'] = IDENT | SUFFIX, ['.'] = IDENT | SUFFIX, ['-'] = SUFFIX | PUNCT,
	['('] = PUNCT, [')'] = PUNCT, ['{'] = PUNCT | TYPE_STOP, ['}'] = PUNCT | TYPE_STOP, ['['] = PUNCT, [']'] = PUNCT, ['<'] = PUNCT | TYPE_STOP, ['>'] = PUNCT | TYPE_STOP,
	[','] = PUNCT, [':'] = PUNCT, ['='] = PUNCT, ['+'] = PUNCT, ['*'] = PUNCT, ['?'] = PUNCT, ['/'] = PUNCT | TYPE_STOP, ['|'] = PUNCT,
	['"'] = TYPE_STOP, ['#'] = TYPE_STOP,
};
#undef D_
#undef H_
#undef L_
/* clang-format on */

static const char *skip_comments(const char *p, const char *end)
{
	for (;;) {
		p = scan_space(p, end);
		if (p == end || *p != '/' || end - p < 2 || p[1] != '/')
			return p;
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
		const char *cr = memchr(p, '\r', (size_t)(stop - p)); /* ends it, too, as MLIR has it */
		p = cr ? cr : stop;
	}
}

/* Nothing or one blank stands before most tokens. */
static inline const char *skip_blanks(const char *p, const char *end)
{
	if (p < end && *p == ' ')
		p++;
	return p < end && !scan_is(*p, SPACE) && *p != '/' ? p : skip_comments(p, end);
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

/* The characters of the escape behind the backslash at p: `\n`, or `\0A`; 0: there is no such escape. */
static int escape_length(const char *p, const char *end)
{
	if (end - p > 2 && scan_is(p[1], HEX) && scan_is(p[2], HEX))
		return 2;
	return end - p > 1 && (p[1] == '"' || p[1] == '\\' || p[1] == 'n' || p[1] == 't');
}

/* The string at p, which ends on its line; a symbol's begins behind its `@`. */
static void lex_string(Lexer *lx, TokKind kind, const char *p)
{
	const char *begin = p, *end = lx->end, *unknown = NULL;
	for (p = scan_plain(p + 1, end); p < end && *p == '\\'; p = scan_plain(p + 1, end)) {
		int length = escape_length(p, end);
		if (!length && !unknown)
			unknown = p;
		p += length;
	}
	if (p == end || *p == '\n') {
		fail(lx, begin + (kind == TOK_STRING), "expected '\"' in string literal");
	} else if (unknown) {
		lx->tok.at = unknown;
		fail(lx, p + 1, "unknown escape in string literal");
	} else {
		finish(lx, kind, p + 1);
	}
}

/* digits, or a letter $ . _ - and then any of those and digits */
static inline const char *suffix_id(const char *p, const char *end)
{
	if (p < end && scan_is(*p, DIGIT))
		return scan_class(p, end, DIGIT);
	return scan_suffix(p, end);
}

static inline void lex_prefixed(Lexer *lx, TokKind kind, const char *error)
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
		lex_string(lx, TOK_SYMBOL, p);
		return;
	}
	/* The design document writes `@ name` once. */
	const char *name = p;
	while (name < lx->end && (*name == ' ' || *name == '\t'))
		name++;
	const char *e = scan_suffix(name, lx->end);
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
	if (end - p > 2 && p[0] == '0' && p[1] == 'x' && scan_is(p[2], HEX)) {
		finish(lx, TOK_INT, scan_class(p + 2, end, HEX));
		return;
	}
	p = scan_class(p, end, DIGIT);
	if (p == end || *p != '.' || (end - p > 1 && p[1] == '.')) {
		finish(lx, TOK_INT, p);
		return;
	}
	p = scan_class(p + 1, end, DIGIT);
	if (p < end && (*p == 'e' || *p == 'E')) {
		const char *e = p + 1;
		if (e < end && (*e == '+' || *e == '-'))
			e++;
		if (e < end && scan_is(*e, DIGIT))
			p = scan_class(e, end, DIGIT);
	}
	finish(lx, TOK_FLOAT, p);
}

static void lex_punctuation(Lexer *lx)
{
	const char *p = lx->tok.at;
	size_t left = (size_t)(lx->end - p);
	if (*p == '-' && left > 1 && p[1] == '>')
		finish(lx, TOK_ARROW, p + 2);
	else if ((*p == '-' || *p == '+') && left > 1 && scan_is(p[1], DIGIT))
		lex_number(lx);
	else if (*p == '.' && left > 2 && p[1] == '.' && p[2] == '.')
		finish(lx, TOK_ELLIPSIS, p + 3);
	else if (*p == ':' && left > 1 && p[1] == ':')
		finish(lx, TOK_SCOPE, p + 2);
	else if (*p == '{' && left > 2 && p[1] == '-' && p[2] == '#')
		finish(lx, TOK_METADATA, p + 3);
	else if (scan_is(*p, PUNCT))
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
	if (scan_is(*p, LETTER)) {
		finish(lx, TOK_WORD, scan_ident(p + 1, lx->end));
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
		lex_string(lx, TOK_STRING, p);
		return;
	default:
		if (scan_is(*p, DIGIT))
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
	if (str_begins_with(text, STR("\xEF\xBB\xBF")))
		fail(lx, text.data + 3, "a byte order mark; expected a text without one");
}

void lex_seek(Lexer *lx, const char *at)
{
	lx->cur = at;
	lex_next(lx);
}

static unsigned hex_value(char c)
{
	return scan_is(c, DIGIT) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
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
			if (i + 1 < s.len && scan_is(next, HEX) && scan_is(s.data[i + 1], HEX)) {
				c = (char)(hex_value(next) << 4 | hex_value(s.data[++i]));
			} else {
				c = next == 'n' ? '\n' : next == 't' ? '\t' : next;
			}
		}
		out[n++] = c;
	}
	return (Str){out, n};
}
