/* msvc/symbol_callee.c: reads mangled names up to the letter that tells what a function is:
 *
 *	?area@Shape@@UEBA?AUSize@@XZ
 *	             U: public, virtual, takes `this`
 *
 * The name in front of it may hold types and whole symbols (arguments of templates, functions that a class
 * is local to), so all of the grammar is read, though nothing is kept.
 */
#include "msvc/symbol_callee.h"

enum { DEPTH_MAX = 512 };

typedef struct Reader {
	const char *at, *end;
	unsigned depth; /* of calls of read_type, read_symbol and read_value */
	bool ok;
} Reader;

static void read_type(Reader *r);
static void read_symbol(Reader *r);
static void read_argument(Reader *r);
static void read_value(Reader *r);

/* Nothing is left to read, so that all loops end. */
static void fail(Reader *r)
{
	r->ok = false;
	r->at = r->end;
}

static char peek(const Reader *r)
{
	return r->at < r->end ? *r->at : '\0';
}

static char take(Reader *r)
{
	if (r->at < r->end)
		return *r->at++;
	fail(r);
	return '\0';
}

static bool accept(Reader *r, const char *text)
{
	size_t len = strlen(text);
	bool is = (size_t)(r->end - r->at) >= len && memcmp(r->at, text, len) == 0;
	r->at += is ? len : 0;
	return is;
}

static bool is_among(char c, const char *set)
{
	return c && strchr(set, c);
}

static void skip_among(Reader *r, const char *set)
{
	while (is_among(peek(r), set))
		r->at++;
}

static void expect_among(Reader *r, const char *set)
{
	if (!is_among(take(r), set))
		fail(r);
}

static bool enter(Reader *r)
{
	if (r->depth == DEPTH_MAX)
		fail(r);
	else
		r->depth++;
	return r->ok;
}

/* A digit, or hexadecimal digits from A to P and @. */
static void read_number(Reader *r)
{
	accept(r, "?");
	if (is_among(peek(r), "0123456789")) {
		r->at++;
		return;
	}
	while (peek(r) >= 'A' && peek(r) <= 'P')
		r->at++;
	expect_among(r, "@");
}

static void read_numbers(Reader *r, unsigned n)
{
	while (n--)
		read_number(r);
}

/* Names */

static void read_identifier(Reader *r)
{
	const char *first = r->at;
	while (r->at < r->end && *r->at != '@')
		r->at++;
	if (r->at == first)
		fail(r);
	expect_among(r, "@");
}

/* What follows the ? of an operator: a letter or a digit, _ and one, __ and one. What is data has none here. */
static void read_operator(Reader *r)
{
	if (!accept(r, "_")) {
		char c = take(r);
		if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')))
			fail(r);
	} else if (!accept(r, "_")) {
		expect_among(r, "01234569DEFGHIJKLMNOTUVXY");
	} else if (accept(r, "K")) { /* operator""_x */
		read_identifier(r);
	} else {
		expect_among(r, "ABLMEF");
	}
}

static void read_arguments(Reader *r)
{
	while (r->ok && !accept(r, "@"))
		read_argument(r);
}

static void read_template(Reader *r)
{
	if (accept(r, "?"))
		read_operator(r);
	else
		read_identifier(r);
	read_arguments(r);
}

static void read_scope(Reader *r)
{
	if (is_among(peek(r), "0123456789")) {
		r->at++;
	} else if (accept(r, "?$")) {
		read_template(r);
	} else if (accept(r, "?A")) { /* an anonymous namespace */
		while (r->ok && take(r) != '@')
			;
	} else if (accept(r, "?")) { /* ?1??f@@YAXXZ: the second scope in f() */
		read_number(r);
		expect_among(r, "?");
		read_symbol(r);
	} else {
		read_identifier(r);
	}
}

static void read_scopes(Reader *r)
{
	while (r->ok && !accept(r, "@"))
		read_scope(r);
}

static void read_type_name(Reader *r)
{
	read_scope(r);
	read_scopes(r);
}

/* What initializes or destroys a variable: its name, or its symbol where it is a member or a static one. False: that
 * was all, for its scopes are in the symbol. */
static bool read_stub_name(Reader *r)
{
	if (accept(r, "?$")) {
		read_template(r);
	} else if (peek(r) == '?') {
		read_symbol(r);
		expect_among(r, "@");
		accept(r, "@");
		return false;
	} else {
		read_identifier(r);
	}
	return true;
}

/* Behind the first ? of a symbol. */
static void read_symbol_name(Reader *r)
{
	bool scoped = true;
	if (accept(r, "?$"))
		read_template(r);
	else if (accept(r, "?__E") || accept(r, "?__F"))
		scoped = read_stub_name(r);
	else if (accept(r, "?"))
		read_operator(r);
	else
		read_identifier(r);
	if (scoped)
		read_scopes(r);
}

/* Types */

static void read_this_qualifiers(Reader *r)
{
	skip_among(r, "EFIGH");
	expect_among(r, "ABCD");
}

static void read_function(Reader *r)
{
	take(r); /* calling convention */
	if (!accept(r, "@"))
		read_type(r);
	if (!accept(r, "X")) {
		while (r->ok && peek(r) != '@' && peek(r) != 'Z')
			read_type(r);
		take(r);
	}
	if (!accept(r, "_E"))
		expect_among(r, "Z");
}

/* What a pointer or a reference is to. */
static void read_pointee(Reader *r)
{
	skip_among(r, "EFI");
	char c = take(r);
	if (c == '6') {
		read_function(r);
	} else if (c == '8') {
		read_type_name(r);
		read_this_qualifiers(r);
		read_function(r);
	} else if (is_among(c, "QRST")) {
		read_type_name(r);
		read_type(r);
	} else if (is_among(c, "ABCD")) {
		read_type(r);
	} else {
		fail(r);
	}
}

static void read_array(Reader *r)
{
	const char *first = r->at;
	read_number(r);
	unsigned rank = r->at - first == 1 && *first >= '0' ? (unsigned)(*first - '0') + 1 : 0;
	if (!rank)
		fail(r);
	read_numbers(r, rank);
	read_type(r);
}

/* Behind $$. */
static void read_extended_type(Reader *r)
{
	char c = take(r);
	if (c == 'Q' || c == 'R') {
		read_pointee(r);
	} else if (c == 'B') {
		read_type(r);
	} else if (c == 'C') {
		expect_among(r, "ABCD");
		read_type(r);
	} else if (c == 'A' && accept(r, "6")) {
		read_function(r);
	} else if (c == 'A' && accept(r, "8@@")) {
		read_this_qualifiers(r);
		read_function(r);
	} else if (c != 'T') {
		fail(r);
	}
}

/* Behind a ?: with its qualifiers, or by a name of its own: ?<auto>@@. */
static void read_result_type(Reader *r)
{
	if (is_among(peek(r), "ABCD")) {
		r->at++;
		read_type(r);
	} else {
		read_identifier(r);
		expect_among(r, "@");
	}
}

static void read_type(Reader *r)
{
	if (!enter(r))
		return;
	char c = take(r);
	if (is_among(c, "ABPQRS")) {
		read_pointee(r);
	} else if (is_among(c, "TUV")) {
		read_type_name(r);
	} else if (c == 'W') {
		take(r);
		read_type_name(r);
	} else if (c == 'Y') {
		read_array(r);
	} else if (c == '?') {
		read_result_type(r);
	} else if (c == '_') {
		take(r);
	} else if (c == '$' && accept(r, "$")) {
		read_extended_type(r);
	} else if (!is_among(c, "CDEFGHIJKMNOX0123456789")) {
		fail(r);
	}
	r->depth--;
}

/* Arguments of templates */

/* Of an object: scalars say their type; a pointer to data in a class is its name, or N: null. */
static void read_member(Reader *r)
{
	if (is_among(peek(r), "237")) {
		read_value(r);
		return;
	}
	read_type(r);
	if (accept(r, "8")) {
		read_scopes(r);
		read_identifier(r);
		expect_among(r, "@");
	} else if (!accept(r, "N")) {
		read_value(r);
	}
}

static void read_members(Reader *r)
{
	while (r->ok && !accept(r, "@"))
		read_member(r);
}

/* C1?array@@3PAHA01@: an element, or a member, of a variable, and of that one again: C and 6 for each, the innermost
 * first, the variable, and an index or a name for each, the outermost first. */
static void read_part(Reader *r)
{
	const char *first = r->at;
	skip_among(r, "C6");
	const char *kind = r->at;
	expect_among(r, "1E");
	read_symbol(r);
	while (r->ok && kind-- > first) {
		if (*kind == 'C') {
			expect_among(r, "0");
			read_number(r);
		} else {
			read_identifier(r);
		}
		expect_among(r, "@");
	}
}

/* Behind $, but for what kind of value it is. */
static void read_rest(Reader *r, char kind)
{
	switch (kind) {
	case '0':
	case 'D':
	case 'A': /* the bits of a float, of a double, of what MSVC has not */
	case 'B':
	case 'V':
	case 'W':
	case 'X':
	case 'Y':
		read_number(r);
		break;
	case 'F':
	case 'G':
		read_numbers(r, kind == 'F' ? 2 : 3);
		break;
	case '1':
	case 'E':
		read_symbol(r);
		break;
	case 'H':
	case 'I':
	case 'J':
		if (peek(r) == '?') /* else null */
			read_symbol(r);
		read_numbers(r, 1 + (unsigned)(kind - 'H'));
		break;
	case 'M': /* of a parameter that is `auto` */
		read_type(r);
		read_value(r);
		break;
	case '2': /* of a class */
		read_type(r);
		read_members(r);
		break;
	case '3': /* of an array */
	case '8': /* of a vector */
		read_type(r);
		for (; r->ok && !accept(r, "@"); expect_among(r, "@"))
			read_value(r);
		break;
	case '5':
		read_part(r);
		expect_among(r, "@");
		break;
	case '7': /* of a union: the name of the member that it has, and its value */
		read_type(r);
		if (!accept(r, "@")) {
			read_identifier(r);
			read_value(r);
			expect_among(r, "@");
		}
		break;
	case 'C':
	case '6':
		r->at--;
		read_part(r);
		break;
	case 'S':
		break;
	default:
		fail(r);
	}
}

/* Behind $. */
static void read_value(Reader *r)
{
	if (!enter(r))
		return;
	char kind = take(r);
	if (r->ok)
		read_rest(r, kind);
	r->depth--;
}

static void read_argument(Reader *r)
{
	if (accept(r, "$$V") || accept(r, "$$Z") || accept(r, "$$$V")) /* an empty pack, the end of one */
		return;
	if (accept(r, "$$Y"))
		read_type_name(r);
	else if (peek(r) != '$' || (r->end - r->at > 1 && r->at[1] == '$'))
		read_type(r);
	else {
		r->at++;
		read_value(r);
	}
}

/* Symbols */

/* Private, protected and public functions have eight letters each: two for members, two for static ones, two
 * for virtual ones, and two for thunks that adjust `this`. */
enum { MEMBER, STATIC, VIRTUAL, ADJUSTING };

static bool is_member_code(char c)
{
	return c >= 'A' && c <= 'X';
}

static unsigned member_kind(char c)
{
	return (unsigned)(c - 'A') % 8 / 2;
}

/* Those of pointers to members name the class. */
static void read_variable_qualifiers(Reader *r)
{
	skip_among(r, "EFI");
	char c = take(r);
	if (is_among(c, "QRST"))
		read_type_name(r);
	else if (!is_among(c, "ABCD"))
		fail(r);
}

static void read_encoding(Reader *r)
{
	char c = take(r);
	if (c >= '0' && c <= '5') { /* a variable */
		read_type(r);
		read_variable_qualifiers(r);
	} else if (is_member_code(c)) {
		if (member_kind(c) == ADJUSTING)
			read_number(r);
		if (member_kind(c) != STATIC)
			read_this_qualifiers(r);
		read_function(r);
	} else if (c == 'Y' || c == 'Z') {
		read_function(r);
	} else if (c == '$' && accept(r, "B")) { /* calls what stands there in the virtual table */
		read_number(r);
		expect_among(r, "A");
		take(r);
	} else if (c != '9') { /* extern "C" */
		fail(r);
	}
}

static void read_symbol(Reader *r)
{
	if (!enter(r))
		return;
	expect_among(r, "?");
	read_symbol_name(r);
	if (r->ok)
		read_encoding(r);
	r->depth--;
}

/* $: thunks that find `this` first, of constructors' virtual bases and of pointers to members. */
static MsCallee callee_of_code(char c)
{
	if (c == 'Y' || c == 'Z')
		return MS_CALLEE_PLAIN;
	if (is_member_code(c))
		return member_kind(c) == STATIC ? MS_CALLEE_PLAIN : MS_CALLEE_METHOD;
	return c == '$' ? MS_CALLEE_METHOD : MS_CALLEE_UNTOLD;
}

MsCallee ms_symbol_callee(Str symbol)
{
	Reader r = {.at = symbol.data, .end = symbol.data + symbol.len, .ok = true};
	if (!accept(&r, "?"))
		return MS_CALLEE_UNTOLD;
	read_symbol_name(&r);
	if (r.ok && accept(&r, "$$J")) /* of what is extern "C" otherwise */
		take(&r);
	char code = r.ok ? take(&r) : '\0';
	return r.ok ? callee_of_code(code) : MS_CALLEE_UNTOLD;
}
