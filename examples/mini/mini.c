/* mini: a small language with exceptions of its own, as a start for yours.
 *
 * 	mini FILE.mini [INPUT...] [-o OUTPUT] [--target=TRIPLE] [--run] [-g] [-O2] [--emit-cir]
 *
 * It makes a program for Linux or Windows; an object, if OUTPUT ends with .o or .obj; with --run it runs the program in
 * this process. INPUT is what else is linked: objects, or with --run shared libraries.
 *
 * 	program    = { exception | class | function }
 * 	exception  = "exception" NAME [ ":" NAME ] "{" { field } "}"
 * 	class      = "class" NAME "{" { field } [ "drop" block ] "}"
 * 	field      = NAME ":" type ";"
 * 	function   = "fn" NAME "(" [ NAME ":" type { "," NAME ":" type } ] ")" [ "->" type ] [ "nothrow" ] ( block | ";" )
 * 	type       = "int" | "string" | "bool" | NAME
 * 	block      = "{" { statement } "}"
 * 	statement  = "let" NAME "=" ( expression | CLASS "(" arguments ")" ) ";"
 * 	           | NAME [ "." NAME ] "=" expression ";"  |  call ";"  |  block
 * 	           | "if" expression block [ "else" ( block | if ) ]  |  "while" expression block
 * 	           | "break" ";"  |  "continue" ";"  |  "return" [ expression ] ";"
 * 	           | "print" expression { "," expression } ";"
 * 	           | ( "defer" | "errdefer" ) block
 * 	           | "throw" [ EXCEPTION "(" arguments ")" ] ";"
 * 	           | "try" block { "catch" [ EXCEPTION [ NAME ] ] [ "when" expression ] block } [ "finally" block ]
 * 	expression = || && == != < <= > >= + - * / % ! of C, NUMBER, STRING, "true", "false", calls, NAME [ "." NAME ]
 *
 * An object is destroyed, by the `drop` of its class, where the block of its `let` ends; a `defer` runs there, too, an
 * `errdefer` only when an exception leaves the block. Every exception extends Error, which has the line that threw and a
 * message. A function without a block is one of INPUT's. What is used must be declared before.
 *
 * There is no syntax tree: reading a statement builds its CIR. The parts of this file: words, names, pieces of CIR,
 * expressions, statements, declarations, the run time, the command. docs/languages.md shows what statements become. */
#include <circ/circ.h>
#include <circ/runtime.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 16, VARIABLES_MAX = 256, NAME_MAX_LEN = 64, DEPTH_MAX = 60 };
/* Members of CircRecord (circ/runtime.h). */
enum { RECORD_OBJECT = 2, RECORD_TYPE = 3, RECORD_NATIVE = 5, RECORD_LANGUAGE = 6 };
enum { LANGUAGE = 0x696e696d }; /* "mini": exceptions of other numbers are foreign */

typedef enum TokenKind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN } TokenKind;

typedef struct Token {
	TokenKind kind;
	const char *text; /* in the source */
	size_t len;
	unsigned line, column;
} Token;

/* Where reading is. A copy of it is a place to come back to. */
typedef struct Reader {
	const char *next, *line_start;
	unsigned line;
	Token token; /* the one that is looked at, in front of `next` */
} Reader;

typedef struct Type Type;

/* A field, a parameter or a local variable. */
typedef struct Variable {
	Token name;
	const Type *type;
	CircValue *address; /* of a variable; of an object's variable, the object */
} Variable;

struct Type {
	Type *next;
	Token name;
	bool thrown; /* an exception */
	CircType *cir;
	CircType *record; /* of classes and exceptions; `cir` is a pointer to it */
	Variable fields[LIST_MAX];
	size_t nfields;
	CircOp *symbol; /* an exception's circ.exception_type; the function of a class's drop, or NULL */
};

typedef struct Function {
	struct Function *next;
	Token name;
	Variable params[LIST_MAX];
	size_t nparams;
	const Type *result;
	bool nothrow;
	CircOp *op;
} Function;

typedef struct Value {
	CircValue *v; /* of an object, its address */
	const Type *type;
} Value;

typedef struct Options {
	const char *input, *output, *triple;
	const char **linked;
	size_t nlinked;
	char opt;
	bool run, debug, emit_cir;
} Options;

typedef struct Mini {
	Options options;
	Reader at;
	void *memory; /* all that was allocated, chained */

	CircModule *m;
	CircBuilder *b;
	CircType *s32, *s64, *chars, *any, *token, *record; /* record: CircRecord of circ/runtime.h */
	CircOp *is, *strcmp, *printf;                       /* functions that code calls */
	unsigned nstrings;
	bool failed; /* circ reported an error */

	Type *types;
	const Type *nothing, *integer, *string, *boolean, *error;
	Function *functions;

	/* What is around the statement that is read. */
	const Function *function;
	Variable variables[VARIABLES_MAX];
	size_t nvariables;
	unsigned loops, handlers, depth;
	bool deferred;
} Mini;

static void *allocate(Mini *p, size_t size)
{
	void **memory = calloc(1, 2 * sizeof(void *) + size);
	if (!memory) {
		fprintf(stderr, "mini: out of memory\n");
		exit(3);
	}
	*memory = p->memory;
	p->memory = memory;
	return memory + 2;
}

/* ---- words ---- */

/* The first error ends the program, since what follows may come from it. */
static _Noreturn void fail(const Mini *p, Token t, const char *format, ...)
{
	va_list args;
	const char *line = t.text - (t.column - 1);
	fprintf(stderr, "%s:%u:%u: error: ", p->options.input, t.line, t.column);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n%.*s\n%*s\n", (int)strcspn(line, "\n"), line, (int)t.column, "^");
	exit(1);
}

static _Noreturn void fail_name(const Mini *p, Token name, const char *what)
{
	fail(p, name, "'%.*s' %s", (int)name.len, name.text, what);
}

/* What circ finds, with the places that set_place() gave. */
static void report(const CircDiagnostic *d, void *user)
{
	static const char *const severities[] = {"note", "remark", "warning", "error", "error"};
	Mini *p = user;
	p->failed |= d->severity >= CIRC_ERROR;
	if (d->file)
		fprintf(stderr, "%s:%u:%u: ", d->file, d->line, d->column);
	fprintf(stderr, "%s: %s\n", severities[d->severity], d->message);
}

static void skip_space(Reader *r)
{
	for (;; r->next++) {
		if (r->next[0] == '/' && r->next[1] == '/')
			r->next += strcspn(r->next, "\n");
		if (!isspace((unsigned char)*r->next))
			return;
		if (*r->next == '\n') {
			r->line++;
			r->line_start = r->next + 1;
		}
	}
}

static size_t word_length(const char *text)
{
	size_t len = 0;
	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return len;
}

static size_t sign_length(const char *text)
{
	static const char *const pairs[] = {"==", "!=", "<=", ">=", "&&", "||", "->"};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strncmp(text, pairs[i], 2) == 0)
			return 2;
	return 1;
}

static void advance(Mini *p)
{
	Reader *r = &p->at;
	skip_space(r);
	Token t = {.text = r->next, .line = r->line, .column = (unsigned)(r->next - r->line_start) + 1};
	if (*t.text == '"') {
		t.kind = TOKEN_STRING;
		t.len = strcspn(t.text + 1, "\"\n") + 2;
		if (t.text[t.len - 1] != '"')
			fail(p, t, "string is not closed; add '\"'");
	} else if (*t.text) {
		t.len = word_length(t.text);
		t.kind = !t.len ? TOKEN_SIGN : isdigit((unsigned char)*t.text) ? TOKEN_NUMBER : TOKEN_NAME;
		t.len = t.len ? t.len : sign_length(t.text);
	}
	r->next += t.len;
	r->token = t;
}

static bool is(const Mini *p, const char *text)
{
	const Token *t = &p->at.token;
	return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

static bool accept(Mini *p, const char *text)
{
	bool found = is(p, text);
	if (found)
		advance(p);
	return found;
}

static void expect(Mini *p, const char *text)
{
	Token t = p->at.token;
	if (accept(p, text))
		return;
	if (t.kind == TOKEN_END)
		fail(p, t, "expected '%s' before the end of the file", text);
	fail(p, t, "expected '%s', not '%.*s'", text, (int)t.len, t.text);
}

static Token read_name(Mini *p)
{
	Token t = p->at.token;
	if (t.kind != TOKEN_NAME || t.len > NAME_MAX_LEN)
		fail(p, t, "expected a name");
	advance(p);
	return t;
}

static void skip_block(Mini *p)
{
	size_t depth = 0;
	do {
		depth += is(p, "{");
		depth -= is(p, "}");
		if (p->at.token.kind == TOKEN_END)
			expect(p, "}");
		advance(p);
	} while (depth);
}

static void skip_to_block(Mini *p)
{
	while (!is(p, "{") && !is(p, ";") && p->at.token.kind != TOKEN_END)
		advance(p);
}

/* ---- names ---- */

static Token known_name(const char *text)
{
	return (Token){TOKEN_NAME, text, strlen(text), 0, 0};
}

static bool same(Token a, Token b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static Type *find_type(const Mini *p, Token name)
{
	Type *t = p->types;
	while (t && !same(t->name, name))
		t = t->next;
	return t;
}

static const Type *read_type(Mini *p)
{
	Token name = read_name(p);
	const Type *t = find_type(p, name);
	return t ? t : (fail_name(p, name, "is not a type"), NULL);
}

static const Type *read_exception(Mini *p)
{
	Token name = read_name(p);
	const Type *t = find_type(p, name);
	return t && t->thrown ? t : (fail_name(p, name, "is not an exception"), NULL);
}

static Function *find_function(const Mini *p, Token name)
{
	Function *f = p->functions;
	while (f && !same(f->name, name))
		f = f->next;
	return f;
}

static const Variable *find_variable(const Mini *p, Token name)
{
	for (size_t i = p->nvariables; i-- > 0;)
		if (same(p->variables[i].name, name))
			return &p->variables[i];
	fail_name(p, name, "is not a variable");
}

static void add_variable(Mini *p, Token name, const Type *type, CircValue *address)
{
	if (p->nvariables == VARIABLES_MAX)
		fail_name(p, name, "is one variable too many");
	p->variables[p->nvariables++] = (Variable){name, type, address};
}

/* "PREFIX NAME SUFFIX" in one word. "mini." keeps functions apart from those of the C library. */
static const char *join(Mini *p, const char *prefix, Token name, const char *suffix)
{
	size_t size = strlen(prefix) + name.len + strlen(suffix) + 1;
	char *text = allocate(p, size);
	snprintf(text, size, "%s%.*s%s", prefix, (int)name.len, name.text, suffix);
	return text;
}

static bool is_scalar(const Mini *p, const Type *type)
{
	return type == p->integer || type == p->string || type == p->boolean;
}

/* Of fields, parameters, handlers, values to print. */
static void check_room(const Mini *p, size_t n)
{
	if (n == LIST_MAX)
		fail(p, p->at.token, "this is one too many; at most %d are possible", LIST_MAX);
}

static void check_type(const Mini *p, Token at, const Type *type, const Type *wanted)
{
	if (type != wanted)
		fail(p, at, "expected a value of type %.*s, not %.*s", (int)wanted->name.len,
		     wanted->name.text, (int)type->name.len, type->name.text);
}

/* ---- pieces of CIR ---- */

/* What is built next comes from here: for debuggers, and for what circ reports. */
static void set_place(Mini *p, Token t)
{
	circ_builder_set_loc(p->b, p->options.input, t.line, t.column);
}

static CircOp *build(Mini *p, const char *mnemonic, CircValue *operand)
{
	return circ_build_op(
	    p->b, &(CircOpSpec){.mnemonic = mnemonic, .operands = &operand, .noperands = operand != NULL});
}

static CircOp *build_with_result(Mini *p, const char *mnemonic, CircValue *operand, CircType *result)
{
	return circ_build_op(p->b, &(CircOpSpec){.mnemonic = mnemonic,
	                                         .operands = &operand,
	                                         .noperands = operand != NULL,
	                                         .result_types = &result,
	                                         .nresults = 1});
}

static CircBlock *enter(Mini *p, CircOp *op, size_t region)
{
	CircBlock *block = circ_block_create(p->m, circ_op_region(op, region));
	circ_builder_at_end(p->b, block);
	return block;
}

/* Nothing goes on here: the last operation returns, breaks, throws …. */
static bool ended(const Mini *p)
{
	const CircOp *last = circ_block_last_op(circ_builder_block(p->b));
	return last && circ_op_is_terminator(last);
}

/* Ends a region and goes back to the block with its operation. False: its end is never reached. */
static bool leave(Mini *p, CircValue *result, CircBlock *outside)
{
	bool reached = !ended(p);
	if (reached)
		build(p, "cir.yield", result);
	circ_builder_at_end(p->b, outside);
	return reached;
}

static CircOp *declare(Mini *p, const char *name, CircType *const *params, size_t n, CircType *result)
{
	return circ_func_declare(p->m, name, circ_type_func(p->m, params, n, result, false));
}

static CircValue *call(Mini *p, CircOp *callee, CircValue *const *args, size_t n)
{
	CircOp *op = circ_build_call(p->b, callee, args, n);
	return circ_op_nresults(op) ? circ_op_result(op, 0) : NULL;
}

static CircValue *build_address(Mini *p, CircOp *symbol)
{
	const char *name = circ_op_symbol_name(symbol, NULL);
	return circ_build_const(p->b, circ_attr_global_view(p->m, p->any, name, NULL, 0));
}

static CircValue *build_string(Mini *p, const char *bytes, size_t len)
{
	char name[32];
	CircType *type = circ_type_array(p->m, circ_type_elem(p->chars), len + 1);
	const CircAttr *value = circ_attr_const_string(p->m, type, bytes, len);
	snprintf(name, sizeof name, ".str.%u", p->nstrings++);
	CircOp *global = circ_global_create(p->m, name, type, "internal", value);
	circ_op_set_flag(p->m, global, "constant");
	return circ_build_cast(p->b, "array_to_ptrdecay", circ_build_get_global(p->b, global), p->chars);
}

static CircValue *build_text(Mini *p, const char *text)
{
	return build_string(p, text, strlen(text));
}

static CircValue *is_null(Mini *p, CircValue *pointer)
{
	const CircAttr *null = circ_attr_null(p->m, circ_value_type(pointer));
	return circ_build_cmp(p->b, "eq", pointer, circ_build_const(p->b, null));
}

static CircValue *load_field(Mini *p, CircValue *object, CircType *record, unsigned index)
{
	CircValue *typed = circ_build_cast(p->b, "bitcast", object, circ_type_ptr(p->m, record));
	return circ_build_load(p->b, circ_build_get_member(p->b, typed, index, ""));
}

static void store_fields(Mini *p, const Type *type, CircValue *object, CircValue *const *values)
{
	for (unsigned i = 0; i < type->nfields; i++)
		circ_build_store(
		    p->b, values[i],
		    circ_build_get_member(p->b, object, i, join(p, "", type->fields[i].name, "")));
}

/* The first value is the line; the others are given. The object is made once they are known: what they throw loses none. */
static void build_throw(Mini *p, const Type *type, CircValue **values, Token at)
{
	set_place(p, at);
	values[0] = circ_build_int(p->b, p->s64, at.line);
	CircValue *object = circ_build_alloc_exception(p->b, type->record);
	store_fields(p, type, object, values);
	circ_build_throw(p->b, object, circ_op_symbol_name(type->symbol, NULL), NULL);
	circ_build_unreachable(p->b);
}

/* if (condition) throw Error(message); */
static void build_check(Mini *p, CircValue *condition, const char *message, Token at)
{
	CircBlock *outside = circ_builder_block(p->b);
	enter(p, build(p, "cir.if", condition), 0);
	build_throw(p, p->error, (CircValue *[]){NULL, build_text(p, message)}, at);
	leave(p, NULL, outside);
}

/* The processor would trap. */
static void build_division_checks(Mini *p, CircValue *a, CircValue *b, Token at)
{
	build_check(p, circ_build_cmp(p->b, "eq", b, circ_build_int(p->b, p->s64, 0)), "division by zero",
	            at);
	CircValue *least = circ_build_cmp(p->b, "eq", a, circ_build_int(p->b, p->s64, INT64_MIN));
	CircValue *minus_one = circ_build_cmp(p->b, "eq", b, circ_build_int(p->b, p->s64, -1));
	CircValue *both = circ_build_select(p->b, least, minus_one, circ_build_bool(p->b, false));
	build_check(p, both, "the quotient is too large", at);
}

/* ---- expressions ---- */

static Value read_expression(Mini *p);

static CircValue *read_value(Mini *p, const Type *wanted)
{
	Token at = p->at.token;
	Value value = read_expression(p);
	check_type(p, at, value.type, wanted);
	return value.v;
}

static void read_arguments(Mini *p, const Variable *params, size_t n, CircValue **args)
{
	expect(p, "(");
	for (size_t i = 0; i < n; i++) {
		if (i)
			expect(p, ",");
		args[i] = read_value(p, params[i].type);
	}
	expect(p, ")");
}

static Value read_call(Mini *p, Token name)
{
	CircValue *args[LIST_MAX];
	const Function *f = find_function(p, name);
	if (!f)
		fail_name(p, name, "is not a function");
	read_arguments(p, f->params, f->nparams, args);
	set_place(p, name);
	return (Value){call(p, f->op, args, f->nparams), f->result};
}

/* NAME [ "." NAME ], the address of it. */
static Value read_place(Mini *p)
{
	const Variable *v = find_variable(p, read_name(p));
	if (!accept(p, "."))
		return (Value){v->address, v->type};
	Token name = read_name(p);
	for (unsigned i = 0; i < v->type->nfields; i++)
		if (same(v->type->fields[i].name, name))
			return (Value){circ_build_get_member(p->b, v->address, i, join(p, "", name, "")),
			               v->type->fields[i].type};
	fail_name(p, name, "is not a field");
}

static Value read_named(Mini *p)
{
	Reader start = p->at;
	Token name = read_name(p);
	if (is(p, "("))
		return read_call(p, name);
	p->at = start;
	Value place = read_place(p);
	if (!place.type->record)
		place.v = circ_build_load(p->b, place.v);
	return place;
}

static Value read_number(Mini *p)
{
	int64_t number = 0;
	Token t = p->at.token;
	for (size_t i = 0; i < t.len; i++) {
		int digit = t.text[i] - '0';
		if (digit < 0 || digit > 9 || number > (INT64_MAX - digit) / 10)
			fail_name(p, t, "is not a number of at most 63 bits");
		number = number * 10 + digit;
	}
	advance(p);
	return (Value){circ_build_int(p->b, p->s64, number), p->integer};
}

static Value read_primary(Mini *p)
{
	Token t = p->at.token;
	if (t.kind == TOKEN_NUMBER)
		return read_number(p);
	if (is(p, "true") || is(p, "false")) {
		bool value = accept(p, "true") || (advance(p), false);
		return (Value){circ_build_bool(p->b, value), p->boolean};
	}
	if (t.kind == TOKEN_NAME)
		return read_named(p);
	if (t.kind == TOKEN_STRING) {
		advance(p);
		return (Value){build_string(p, t.text + 1, t.len - 2), p->string};
	}
	if (!accept(p, "("))
		fail(p, t, "expected an expression");
	Value inner = read_expression(p);
	expect(p, ")");
	return inner;
}

static Value read_unary(Mini *p)
{
	Token sign = p->at.token;
	if (p->depth == DEPTH_MAX)
		fail(p, sign, "this is nested too deeply");
	p->depth++;
	bool minus = is(p, "-"), any = minus || is(p, "!");
	if (any)
		advance(p);
	Value v = any ? read_unary(p) : read_primary(p);
	if (any) {
		check_type(p, sign, v.type, minus ? p->integer : p->boolean);
		v.v = circ_build_unary(p->b, minus ? "cir.minus" : "cir.not", v.v);
	}
	p->depth--;
	return v;
}

typedef struct Operator {
	const char *sign;
	unsigned level;         /* a higher one binds tighter */
	const char *arithmetic; /* an operation */
	const char *comparison; /* a kind of cir.cmp */
} Operator;

static const Operator *find_operator(const Mini *p)
{
	static const Operator operators[] = {
	    {"||", 1, NULL, NULL},     {"&&", 2, NULL, NULL},     {"==", 3, NULL, "eq"},
	    {"!=", 3, NULL, "ne"},     {"<", 4, NULL, "lt"},      {"<=", 4, NULL, "le"},
	    {">", 4, NULL, "gt"},      {">=", 4, NULL, "ge"},     {"+", 5, "cir.add", NULL},
	    {"-", 5, "cir.sub", NULL}, {"*", 6, "cir.mul", NULL}, {"/", 6, "cir.div", NULL},
	    {"%", 6, "cir.rem", NULL},
	};
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (is(p, operators[i].sign))
			return &operators[i];
	return NULL;
}

static Value read_binary(Mini *p, unsigned level);

/* a && b is `if a then b else false`, a || b `if a then true else b`. */
static Value read_logical(Mini *p, const Operator *o, Token at, Value a)
{
	bool is_and = *o->sign == '&';
	CircBlock *outside = circ_builder_block(p->b);
	check_type(p, at, a.type, p->boolean);
	CircOp *choice = build_with_result(p, "cir.ternary", a.v, p->boolean->cir);
	enter(p, choice, is_and ? 1 : 0);
	leave(p, circ_build_bool(p->b, !is_and), outside);
	enter(p, choice, is_and ? 0 : 1);
	Value b = read_binary(p, o->level + 1);
	check_type(p, at, b.type, p->boolean);
	leave(p, b.v, outside);
	return (Value){circ_op_result(choice, 0), p->boolean};
}

static Value build_comparison(Mini *p, const Operator *o, Token at, Value a, Value b)
{
	bool equality = strcmp(o->comparison, "eq") == 0 || strcmp(o->comparison, "ne") == 0;
	if (a.type == p->string && equality) {
		a.v = call(p, p->strcmp, (CircValue *[]){a.v, b.v}, 2);
		b.v = circ_build_int(p->b, p->s32, 0);
	} else if (a.type != p->boolean || !equality) {
		check_type(p, at, a.type, p->integer);
	}
	return (Value){circ_build_cmp(p->b, o->comparison, a.v, b.v), p->boolean};
}

static Value build_binary(Mini *p, const Operator *o, Token at, Value a, Value b)
{
	check_type(p, at, b.type, a.type);
	set_place(p, at);
	if (o->comparison)
		return build_comparison(p, o, at, a, b);
	check_type(p, at, a.type, p->integer);
	if (*o->sign == '/' || *o->sign == '%')
		build_division_checks(p, a.v, b.v, at);
	return (Value){circ_build_binary(p->b, o->arithmetic, a.v, b.v), p->integer};
}

static Value read_binary(Mini *p, unsigned level)
{
	Value a = read_unary(p);
	for (const Operator *o; (o = find_operator(p)) && o->level >= level;) {
		Token at = p->at.token;
		advance(p);
		a = o->arithmetic || o->comparison ? build_binary(p, o, at, a, read_binary(p, o->level + 1))
		                                   : read_logical(p, o, at, a);
	}
	return a;
}

static Value read_expression(Mini *p)
{
	return read_binary(p, 1);
}

/* ---- statements ---- */

static void read_statement(Mini *p);

/* Up to the end of the block. A statement whose effect lasts until there, a `defer` for example, reads the others itself. */
static void read_statements(Mini *p)
{
	while (!is(p, "}")) {
		if (p->at.token.kind == TOKEN_END)
			expect(p, "}");
		if (ended(p))
			fail(p, p->at.token, "statement is never reached");
		read_statement(p);
	}
}

static void read_block(Mini *p)
{
	size_t outer = p->nvariables;
	if (p->depth == DEPTH_MAX)
		fail(p, p->at.token, "this is nested too deeply");
	p->depth++;
	expect(p, "{");
	read_statements(p);
	expect(p, "}");
	p->depth--;
	p->nvariables = outer;
}

static bool read_region(Mini *p, CircOp *op, size_t region)
{
	CircBlock *outside = circ_builder_block(p->b);
	enter(p, op, region);
	read_block(p);
	return leave(p, NULL, outside);
}

/* Behind an operation with regions: may anything come out of it? */
static void go_on(Mini *p, bool reached)
{
	if (!reached)
		circ_build_unreachable(p->b);
}

static CircOp *build_scope(Mini *p, const char *kind)
{
	CircNamedAttr attr = {"kind", circ_attr_enum(p->m, "cleanup_kind", kind)};
	return circ_build_op(p->b,
	                     &(CircOpSpec){.mnemonic = "cir.cleanup.scope", .attrs = &attr, .nattrs = 1});
}

/* The rest of the block is what a cleanup belongs to. */
static bool read_rest(Mini *p, CircOp *scope)
{
	CircBlock *outside = circ_builder_block(p->b);
	enter(p, scope, 0);
	read_statements(p);
	return leave(p, NULL, outside);
}

/* Its code stands here in the text, and in CIR behind the rest. It sees the variables as they are when it runs. */
static void read_defer(Mini *p, const char *kind)
{
	CircOp *scope = build_scope(p, kind);
	unsigned loops = p->loops;
	bool deferred = p->deferred;
	p->loops = 0;
	p->deferred = true;
	read_region(p, scope, 1);
	p->loops = loops;
	p->deferred = deferred;
	go_on(p, read_rest(p, scope));
}

/* The scope begins once there is an object. It ends at the brace that the destructor's call gets as its place. */
static void read_object(Mini *p, Token name, const Type *type)
{
	CircValue *fields[LIST_MAX];
	CircValue *object = circ_build_alloca(p->b, type->record, join(p, "", name, ""), 0);
	read_arguments(p, type->fields, type->nfields, fields);
	expect(p, ";");
	store_fields(p, type, object, fields);
	add_variable(p, name, type, object);
	if (!type->symbol)
		return;
	CircOp *scope = build_scope(p, "all");
	bool reached = read_rest(p, scope);
	CircBlock *outside = circ_builder_block(p->b);
	enter(p, scope, 1);
	set_place(p, p->at.token);
	call(p, type->symbol, &object, 1);
	leave(p, NULL, outside);
	go_on(p, reached);
}

/* Code uses an object by its address; its slot is for debuggers alone. */
static void add_value(Mini *p, Token name, const Type *type, CircValue *value)
{
	CircValue *slot = circ_build_alloca(p->b, type->cir, join(p, "", name, ""), 0);
	circ_build_store(p->b, value, slot);
	add_variable(p, name, type, type->record ? value : slot);
}

static void read_let(Mini *p)
{
	Token name = read_name(p);
	expect(p, "=");
	Token at = p->at.token;
	const Type *type = at.kind == TOKEN_NAME ? find_type(p, at) : NULL;
	if (type && type->record && !type->thrown) {
		advance(p);
		read_object(p, name, type);
		return;
	}
	Value value = read_expression(p);
	if (!is_scalar(p, value.type))
		fail(p, at, "expected an integer, string or bool");
	add_value(p, name, value.type, value.v);
	expect(p, ";");
}

/* Is this NAME [ "." NAME ] "="? */
static bool is_assignment(Mini *p)
{
	Reader start = p->at;
	advance(p);
	if (accept(p, "."))
		advance(p);
	bool found = is(p, "=");
	p->at = start;
	return found;
}

static void read_simple(Mini *p)
{
	if (p->at.token.kind == TOKEN_NAME && is_assignment(p)) {
		Value place = read_place(p);
		expect(p, "=");
		CircValue *value = read_value(p, place.type->record ? p->nothing : place.type);
		circ_build_store(p->b, value, place.v);
	} else {
		read_expression(p);
	}
	expect(p, ";");
}

/* Behind "if". */
static void read_if(Mini *p)
{
	CircOp *op = build(p, "cir.if", read_value(p, p->boolean));
	CircBlock *outside = circ_builder_block(p->b);
	bool reached = read_region(p, op, 0);
	if (!accept(p, "else"))
		return;
	if (accept(p, "if")) {
		enter(p, op, 1);
		read_if(p);
		reached |= leave(p, NULL, outside);
	} else {
		reached |= read_region(p, op, 1);
	}
	go_on(p, reached);
}

static void read_while(Mini *p)
{
	CircBlock *outside = circ_builder_block(p->b);
	CircOp *op = build(p, "cir.while", NULL);
	enter(p, op, 0);
	build(p, "cir.condition", read_value(p, p->boolean));
	circ_builder_at_end(p->b, outside);
	p->loops++;
	read_region(p, op, 1);
	p->loops--;
}

static void read_jump(Mini *p, Token at, const char *mnemonic)
{
	if (!p->loops)
		fail_name(p, at, p->deferred ? "cannot leave a 'defer'" : "is not in a loop");
	build(p, mnemonic, NULL);
	expect(p, ";");
}

static void read_return(Mini *p, Token at)
{
	const Type *result = p->function->result;
	if (p->deferred)
		fail_name(p, at, "cannot leave a 'defer'");
	circ_build_return(p->b, result == p->nothing ? NULL : read_value(p, result));
	expect(p, ";");
}

/* One call of printf(), whose format says what the values are. */
static void read_print(Mini *p, Token at)
{
	char format[4 * LIST_MAX + 2] = "";
	CircValue *args[LIST_MAX];
	size_t n = 1;
	do {
		Token t = p->at.token;
		Value v = read_expression(p);
		check_room(p, n);
		if (!is_scalar(p, v.type))
			fail(p, t, "expected an integer, string or bool");
		if (v.type == p->boolean)
			v.v = circ_build_select(p->b, v.v, build_text(p, "true"), build_text(p, "false"));
		strcat(format, v.type == p->integer ? "%lld" : "%s");
		args[n++] = v.v;
	} while (accept(p, ","));
	args[0] = build_text(p, strcat(format, "\n"));
	set_place(p, at);
	call(p, p->printf, args, n);
	expect(p, ";");
}

static void read_throw(Mini *p, Token at)
{
	CircValue *values[LIST_MAX];
	if (is(p, ";")) {
		if (!p->handlers)
			fail(p, at, "'throw' without an exception is not in a handler");
		circ_build_rethrow(p->b);
		circ_build_unreachable(p->b);
	} else {
		const Type *type = read_exception(p);
		read_arguments(p, type->fields + 1, type->nfields - 1, values + 1);
		build_throw(p, type, values, at);
	}
	expect(p, ";");
}

/* ---- try ---- */

typedef struct Handler {
	const Type *type; /* NULL: of any exception, foreign ones too */
	Token name;       /* of the variable; without letters, if there is none */
	bool guarded;
} Handler;

static Handler read_handler_head(Mini *p)
{
	Handler h = {0};
	if (!is(p, "{") && !is(p, "when"))
		h.type = read_exception(p);
	if (h.type && !is(p, "{") && !is(p, "when"))
		h.name = read_name(p);
	h.guarded = accept(p, "when");
	return h;
}

static const CircAttr *handler_attr(Mini *p, const Handler *h)
{
	if (h->guarded || !h->type)
		return circ_attr_enum(p->m, "handler", h->guarded ? "when" : "all");
	CircType *byte = circ_type_ptr(p->m, circ_type_int(p->m, 8, false));
	return circ_attr_global_view(p->m, byte, circ_op_symbol_name(h->type->symbol, NULL), NULL, 0);
}

/* The operation must know its handlers, which follow its body: their heads are read twice. */
static CircOp *build_try(Mini *p, bool *finally)
{
	Reader start = p->at;
	const CircAttr *types[LIST_MAX];
	size_t n = 0, regions = 1;
	for (skip_block(p); accept(p, "catch"); skip_block(p)) {
		Handler h = read_handler_head(p);
		check_room(p, n);
		types[n++] = handler_attr(p, &h);
		regions += h.guarded ? 2 : 1;
		skip_to_block(p);
	}
	*finally = is(p, "finally");
	if (!n && !*finally)
		fail(p, p->at.token, "expected 'catch' or 'finally'");
	p->at = start;
	CircNamedAttr attrs[] = {{"handler_types", circ_attr_array(p->m, types, n)},
	                         {"finally", circ_attr_unit(p->m)}};
	return circ_build_op(p->b, &(CircOpSpec){.mnemonic = "cir.try",
	                                         .attrs = attrs,
	                                         .nattrs = *finally ? 2 : 1,
	                                         .nregions = regions + *finally});
}

static CircValue *read_guard_with(Mini *p, const Handler *h, CircValue *object)
{
	size_t outer = p->nvariables;
	if (h->name.len)
		add_variable(p, h->name, h->type, circ_build_cast(p->b, "bitcast", object, h->type->cir));
	CircValue *holds = read_value(p, p->boolean);
	p->nvariables = outer;
	return holds;
}

/* A filter takes what it is asked about, so it first looks at the type itself: is(record, type) && expression. */
static void read_guard(Mini *p, const Handler *h, CircOp *op, size_t region)
{
	CircBlock *outside = circ_builder_block(p->b);
	CircBlock *filter = enter(p, op, region);
	CircValue *record = circ_block_add_arg(p->m, filter, p->any), *holds;
	if (h->type) {
		CircValue *object =
		    call(p, p->is, (CircValue *[]){record, build_address(p, h->type->symbol)}, 2);
		CircOp *choice = build_with_result(p, "cir.ternary", is_null(p, object), p->boolean->cir);
		enter(p, choice, 0);
		leave(p, circ_build_bool(p->b, false), filter);
		enter(p, choice, 1);
		leave(p, read_guard_with(p, h, object), filter);
		holds = circ_op_result(choice, 0);
	} else {
		holds = read_value(p, p->boolean);
	}
	leave(p, circ_build_cast(p->b, "bool_to_int", holds, p->s32), outside);
}

static bool read_handler(Mini *p, const Handler *h, CircOp *op, size_t region)
{
	CircBlock *outside = circ_builder_block(p->b);
	size_t outer = p->nvariables;
	circ_block_add_arg(p->m, enter(p, op, region), p->token);
	CircOp *param = build_with_result(p, "cir.catch_param", NULL, h->type ? h->type->cir : p->any);
	if (h->name.len)
		add_value(p, h->name, h->type, circ_op_result(param, 0));
	p->handlers++;
	read_block(p);
	p->handlers--;
	p->nvariables = outer;
	return leave(p, NULL, outside);
}

static void read_try(Mini *p)
{
	bool finally;
	size_t region = 1;
	CircOp *op = build_try(p, &finally);
	bool reached = read_region(p, op, 0);
	while (accept(p, "catch")) {
		set_place(p, p->at.token);
		Handler h = read_handler_head(p);
		if (h.guarded)
			read_guard(p, &h, op, region++);
		reached |= read_handler(p, &h, op, region++);
	}
	if (accept(p, "finally"))
		reached &= read_region(p, op, region);
	go_on(p, reached);
}

static void read_statement(Mini *p)
{
	Token at = p->at.token;
	set_place(p, at);
	if (accept(p, "let"))
		read_let(p);
	else if (accept(p, "if"))
		read_if(p);
	else if (accept(p, "while"))
		read_while(p);
	else if (accept(p, "break"))
		read_jump(p, at, "cir.break");
	else if (accept(p, "continue"))
		read_jump(p, at, "cir.continue");
	else if (accept(p, "return"))
		read_return(p, at);
	else if (accept(p, "print"))
		read_print(p, at);
	else if (accept(p, "defer"))
		read_defer(p, "all");
	else if (accept(p, "errdefer"))
		read_defer(p, "eh");
	else if (accept(p, "throw"))
		read_throw(p, at);
	else if (accept(p, "try"))
		read_try(p);
	else if (is(p, "{"))
		go_on(p, read_region(p, build(p, "cir.scope", NULL), 0));
	else
		read_simple(p);
}

/* ---- declarations ---- */

static void check_new(const Mini *p, Token name)
{
	if (find_type(p, name) || find_function(p, name))
		fail_name(p, name, "is declared twice");
}

static Type *add_type(Mini *p, Token name, CircType *cir)
{
	check_new(p, name);
	Type *t = allocate(p, sizeof *t);
	*t = (Type){.next = p->types, .name = name, .cir = cir};
	return p->types = t;
}

static void add_field(Mini *p, Type *t, Token name, const Type *type)
{
	check_room(p, t->nfields);
	if (!is_scalar(p, type))
		fail_name(p, name, "is not an integer, string or bool");
	t->fields[t->nfields++] = (Variable){name, type, NULL};
}

/* The record of an exception begins with that of its base, so that a handler of the base finds its fields. */
static void complete_type(Mini *p, Type *t, const Type *base)
{
	CircType *members[LIST_MAX];
	const char *name = join(p, "mini.", t->name, "");
	for (size_t i = 0; i < t->nfields; i++)
		members[i] = t->fields[i].type->cir;
	t->record = circ_type_record(p->m, CIRC_RECORD_STRUCT, name, strlen(name));
	circ_record_set_body(p->m, t->record, &(CircRecordBody){.members = members, .nmembers = t->nfields});
	t->cir = circ_type_ptr(p->m, t->record);
	if (t->thrown)
		t->symbol = circ_exception_type_create(p->m, name, t->record, base ? &base->symbol : NULL,
		                                       base != NULL, NULL);
}

static Function read_function_head(Mini *p)
{
	Function f = {.name = read_name(p), .result = p->nothing};
	expect(p, "(");
	while (!accept(p, ")")) {
		if (f.nparams)
			expect(p, ",");
		Token name = read_name(p);
		check_room(p, f.nparams);
		expect(p, ":");
		f.params[f.nparams++] = (Variable){name, read_type(p), NULL};
	}
	if (accept(p, "->"))
		f.result = read_type(p);
	if (f.result->record)
		fail_name(p, f.name, "cannot return an object");
	f.nothrow = accept(p, "nothrow");
	return f;
}

static void begin_function(Mini *p, const Function *f)
{
	CircBlock *entry = circ_func_add_entry(p->m, f->op);
	p->function = f;
	p->nvariables = 0;
	circ_builder_at_end(p->b, entry);
	circ_op_set_loc(p->m, f->op, p->options.input, f->name.line, f->name.column);
	set_place(p, f->name);
	for (size_t i = 0; i < f->nparams; i++)
		add_value(p, f->params[i].name, f->params[i].type, circ_block_arg(entry, i));
}

/* The body of a `nothrow` function is one of this try's, whose filter ends the program: while a handler is looked for, so that
 * nothing is cleaned up yet and the trace begins where the exception was thrown. */
static CircOp *build_barrier(Mini *p)
{
	const CircAttr *when = circ_attr_enum(p->m, "handler", "when");
	CircNamedAttr attr = {"handler_types", circ_attr_array(p->m, &when, 1)};
	CircOpSpec spec = {.mnemonic = "cir.try", .attrs = &attr, .nattrs = 1, .nregions = 3};
	CircOp *op = circ_build_op(p->b, &spec);
	CircBlock *outside = circ_builder_block(p->b);
	CircValue *record = circ_block_add_arg(p->m, enter(p, op, 1), p->any);
	CircValue *native = load_field(p, record, p->record, RECORD_NATIVE);
	call(p, declare(p, "circ_terminate", &p->any, 1, NULL), &native, 1);
	leave(p, circ_build_int(p->b, p->s32, 0), outside);
	circ_block_add_arg(p->m, enter(p, op, 2), p->token);
	build_with_result(p, "cir.catch_param", NULL, p->any);
	circ_build_unreachable(p->b);
	circ_builder_at_end(p->b, outside);
	return op;
}

static void read_body(Mini *p)
{
	CircOp *barrier = p->function->nothrow ? build_barrier(p) : NULL;
	CircBlock *outside = circ_builder_block(p->b);
	if (barrier)
		enter(p, barrier, 0);
	expect(p, "{");
	read_statements(p);
	if (barrier)
		go_on(p, leave(p, NULL, outside));
	if (!ended(p) && p->function->result != p->nothing)
		fail(p, p->at.token, "function can end without a value; add 'return'");
	set_place(p, p->at.token);
	if (!ended(p))
		circ_build_return(p->b, NULL);
	expect(p, "}");
}

/* One that ends without a body is another object's, and has the name there that it has here. */
static void read_function(Mini *p)
{
	CircType *params[LIST_MAX];
	Function *f = allocate(p, sizeof *f);
	*f = read_function_head(p);
	check_new(p, f->name);
	for (size_t i = 0; i < f->nparams; i++)
		params[i] = f->params[i].type->cir;
	f->op =
	    declare(p, join(p, is(p, ";") ? "" : "mini.", f->name, ""), params, f->nparams, f->result->cir);
	if (f->nothrow)
		circ_op_set_flag(p->m, f->op, "nothrow");
	f->next = p->functions;
	p->functions = f;
	if (accept(p, ";"))
		return;
	begin_function(p, f);
	read_body(p);
}

/* A function with the object as its parameter `self`. */
static void read_drop(Mini *p, Type *t)
{
	Function f = {.name = p->at.token, .nparams = 1, .result = p->nothing};
	expect(p, "drop");
	f.params[0] = (Variable){known_name("self"), t, NULL};
	f.op = t->symbol = declare(p, join(p, "mini.", t->name, ".drop"), &t->cir, 1, NULL);
	begin_function(p, &f);
	read_body(p);
}

static void read_type_declaration(Mini *p, bool thrown)
{
	Type *t = add_type(p, read_name(p), NULL);
	const Type *base = !thrown ? NULL : accept(p, ":") ? read_exception(p) : p->error;
	if (base)
		memcpy(t->fields, base->fields, sizeof t->fields);
	t->nfields = base ? base->nfields : 0;
	t->thrown = thrown;
	expect(p, "{");
	while (!is(p, "}") && !is(p, "drop")) {
		Token name = read_name(p);
		expect(p, ":");
		add_field(p, t, name, read_type(p));
		expect(p, ";");
	}
	complete_type(p, t, base);
	if (!thrown && is(p, "drop"))
		read_drop(p, t);
	expect(p, "}");
}

/* What is used was declared before; a function may call itself. */
static void read_program(Mini *p, const char *text)
{
	p->at = (Reader){.next = text, .line_start = text, .line = 1};
	for (advance(p); p->at.token.kind != TOKEN_END;) {
		bool class = is(p, "class");
		if (accept(p, "exception") || accept(p, "class")) {
			read_type_declaration(p, !class);
		} else {
			expect(p, "fn");
			read_function(p);
		}
	}
}

/* ---- the run time: functions of every program ---- */

static CircBlock *define(Mini *p, const char *name, CircType *const *params, size_t n, CircType *result)
{
	CircOp *f = declare(p, name, params, n, result);
	CircBlock *entry = circ_func_add_entry(p->m, f);
	circ_op_set_attr(p->m, f, "linkage", circ_attr_enum(p->m, "linkage", "internal"));
	circ_builder_at_end(p->b, entry);
	circ_builder_set_loc(p->b, NULL, 0, 0);
	return entry;
}

/* if (condition) return value; */
static void build_return_if(Mini *p, CircValue *condition, const CircAttr *value)
{
	CircBlock *outside = circ_builder_block(p->b);
	enter(p, build(p, "cir.if", condition), 0);
	circ_build_return(p->b, circ_build_const(p->b, value));
	leave(p, NULL, outside);
}

/* CircClause of circ/runtime.h, in a variable. */
static CircValue *build_clause(Mini *p, CircValue *type)
{
	static const char text[] =
	    "!cir.struct<\"CircClause\" {data !s32i, data !s32i, data !cir.ptr<!void>}>";
	CircValue *clause = circ_build_alloca(p->b, circ_type_parse(p->m, text, sizeof text - 1), "", 0);
	CircValue *fields[] = {circ_build_int(p->b, p->s32, CIRC_CLAUSE_EXCEPTION_TYPE),
	                       circ_build_int(p->b, p->s32, LANGUAGE), type};
	for (unsigned i = 0; i < 3; i++)
		circ_build_store(p->b, fields[i], circ_build_get_member(p->b, clause, i, ""));
	return circ_build_cast(p->b, "bitcast", clause, p->any);
}

/* void *mini_is(CircRecord *record, const CircType *type): the object, if its type is that or extends it; else null. */
static void build_is(Mini *p)
{
	CircType *params[] = {p->any, p->any, p->any};
	CircOp *match = declare(p, "circ_match_default", params, 3, p->boolean->cir);
	CircBlock *entry = define(p, "mini_is", params, 2, p->any);
	CircValue *object = load_field(p, circ_block_arg(entry, 0), p->record, RECORD_OBJECT);
	const CircAttr *null = circ_attr_null(p->m, p->any);
	build_return_if(p, is_null(p, object), null);
	CircValue *thrown = build_clause(p, load_field(p, circ_block_arg(entry, 0), p->record, RECORD_TYPE));
	CircValue *args[] = {thrown, build_clause(p, circ_block_arg(entry, 1)), circ_build_const(p->b, null)};
	CircValue *matches = call(p, match, args, 3);
	circ_build_return(p->b, circ_build_select(p->b, matches, object, args[2]));
	p->is = circ_module_symbol(p->m, "mini_is", strlen("mini_is"));
}

/* bool mini_describe(CircRecord *record, char *out, size_t size): what the report of an uncaught exception says of it. */
static void build_describe(Mini *p)
{
	CircType *params[] = {p->any, p->chars, p->s64}, *printed[] = {p->chars, p->s64, p->chars};
	CircOp *print = circ_func_declare(p->m, "snprintf", circ_type_func(p->m, printed, 3, p->s32, true));
	CircBlock *entry = define(p, "mini_describe", params, 3, p->boolean->cir);
	CircValue *record = circ_block_arg(entry, 0);
	CircValue *object = load_field(p, record, p->record, RECORD_OBJECT);
	build_return_if(p, is_null(p, object), circ_attr_bool(p->m, false));
	CircValue *language = load_field(p, record, p->record, RECORD_LANGUAGE);
	build_return_if(p, circ_build_cmp(p->b, "ne", language, circ_build_int(p->b, p->s64, LANGUAGE)),
	                circ_attr_bool(p->m, false));
	CircValue *args[] = {circ_block_arg(entry, 1), circ_block_arg(entry, 2),
	                     build_text(p, "line %lld: %s"), load_field(p, object, p->error->record, 0),
	                     load_field(p, object, p->error->record, 1)};
	call(p, print, args, 5);
	circ_build_return(p->b, circ_build_bool(p->b, true));
}

/* void mini_unhandled(CircRecord *record): abort() would lose what was printed. */
static void build_unhandled(Mini *p)
{
	CircOp *flush = declare(p, "fflush", &p->any, 1, p->s32);
	define(p, "mini_unhandled", &p->any, 1, NULL);
	call(p, flush, (CircValue *[]){circ_build_const(p->b, circ_attr_null(p->m, p->any))}, 1);
	circ_build_return(p->b, NULL);
}

static void build_hook(Mini *p, const char *setter, const char *function)
{
	CircOp *set = declare(p, setter, &p->any, 1, p->any);
	CircValue *address = build_address(p, circ_module_symbol(p->m, function, strlen(function)));
	call(p, set, &address, 1);
}

/* C's main(), which sets the hooks and calls the program's. */
static void build_main(Mini *p)
{
	const Function *f = find_function(p, known_name("main"));
	if (!f || f->nparams || f->result != p->integer)
		fail(p, f ? f->name : p->at.token, "program needs 'fn main() -> int'");
	CircOp *op = declare(p, "main", NULL, 0, p->s32);
	circ_builder_at_end(p->b, circ_func_add_entry(p->m, op));
	circ_op_set_loc(p->m, op, p->options.input, f->name.line, f->name.column);
	set_place(p, f->name);
	build_hook(p, "circ_set_describe", "mini_describe");
	build_hook(p, "circ_set_unhandled", "mini_unhandled");
	circ_build_return(p->b, circ_build_cast(p->b, "integral", call(p, f->op, NULL, 0), p->s32));
}

/* ---- the command ---- */

static void add_known_types(Mini *p)
{
	p->nothing = add_type(p, known_name("nothing"), NULL);
	p->integer = add_type(p, known_name("int"), p->s64);
	p->string = add_type(p, known_name("string"), p->chars);
	p->boolean = add_type(p, known_name("bool"), circ_type_simple(p->m, CIRC_TYPE_BOOL));
	Type *error = add_type(p, known_name("Error"), NULL);
	add_field(p, error, known_name("line"), p->integer);
	add_field(p, error, known_name("message"), p->string);
	error->thrown = true;
	complete_type(p, error, NULL);
	p->error = error;
}

static void begin_module(Mini *p)
{
	static const char record[] =
	    "!cir.struct<\"CircRecord\" {data !s32i, data !s32i, data !cir.ptr<!void>, data !cir.ptr<!void>, "
	    "data !cir.ptr<!void>, data !cir.ptr<!void>, data !s64i, data !s64i}>";
	p->m = circ_module_create(report, p);
	p->b = circ_builder_create(p->m);
	p->s32 = circ_type_int(p->m, 32, true);
	p->s64 = circ_type_int(p->m, 64, true);
	p->chars = circ_type_ptr(p->m, circ_type_int(p->m, 8, true));
	p->any = circ_type_ptr(p->m, circ_type_simple(p->m, CIRC_TYPE_VOID));
	p->token = circ_type_simple(p->m, CIRC_TYPE_EH_TOKEN);
	p->record = circ_type_parse(p->m, record, sizeof record - 1);
	circ_module_set_name(p->m, p->options.input);
	circ_module_set_attr(p->m, "circ.eh.runtime", circ_attr_string(p->m, "circ", 4));
	circ_module_set_attr(p->m, "circ.eh.language", circ_attr_i32(p->m, LANGUAGE));
	p->printf = circ_func_declare(p->m, "printf", circ_type_func(p->m, &p->chars, 1, p->s32, true));
	p->strcmp = declare(p, "strcmp", (CircType *[]){p->chars, p->chars}, 2, p->s32);
	circ_op_set_flag(p->m, p->printf, "nothrow");
	circ_op_set_flag(p->m, p->strcmp, "nothrow");
}

static bool build_program(Mini *p, const char *text)
{
	begin_module(p);
	add_known_types(p);
	build_is(p);
	build_describe(p);
	build_unhandled(p);
	read_program(p, text);
	build_main(p);
	return !p->failed;
}

static bool print_cir(Mini *p)
{
	char *text;
	if (!circ_module_print(p->m, 0, &text, NULL))
		return false;
	fputs(text, stdout);
	circ_free(text);
	return true;
}

static bool run(Mini *p, int *status)
{
	const Options *o = &p->options;
	int (*function)(void);
	CircJit *jit = circ_jit_create(&(CircJitOptions){.opt = o->opt, .debug = o->debug}, report, p);
	bool ok = jit != NULL;
	for (size_t i = 0; ok && i < o->nlinked; i++)
		ok = circ_jit_load_library(jit, o->linked[i]);
	void *address = ok && circ_jit_add_module(jit, p->m) ? circ_jit_lookup(jit, "main") : NULL;
	if (address) {
		memcpy(&function, &address, sizeof function); /* ISO C has no such cast */
		*status = function();
	}
	circ_jit_destroy(jit);
	return address != NULL;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text);
	return len >= strlen(end) && strcmp(text + len - strlen(end), end) == 0;
}

/* On windows-msvc the linker puts debug information into a file beside the program. */
static bool link_program(Mini *p, const char *object)
{
	const Options *o = &p->options;
	const char **inputs = allocate(p, (o->nlinked + 2) * sizeof *inputs);
	size_t n = 0;
	inputs[n++] = object;
	for (size_t i = 0; i < o->nlinked; i++)
		inputs[n++] = o->linked[i];
	if (o->debug && o->triple && strstr(o->triple, "msvc"))
		inputs[n++] = "-Wl,/debug";
	CircLinkOptions link = {.triple = o->triple,
	                        .cxxlib = CIRC_LIBSTDCXX,
	                        .inputs = inputs,
	                        .ninputs = n,
	                        .output = o->output};
	return circ_link(&link, report, p);
}

static bool make_program(Mini *p)
{
	const Options *o = &p->options;
	CircEmitOptions emit = {.triple = o->triple, .opt = o->opt, .debug = o->debug};
	if (ends_with(o->output, ".o") || ends_with(o->output, ".obj"))
		return circ_module_emit_file(p->m, &emit, CIRC_OBJECT, o->output);
	const char *object = join(p, "", known_name(o->output), ".o");
	bool ok = circ_module_emit_file(p->m, &emit, CIRC_OBJECT, object) && link_program(p, object);
	remove(object);
	return ok;
}

static char *read_file(Mini *p, const char *path)
{
	FILE *f = fopen(path, "rb");
	long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	char *text = size >= 0 ? allocate(p, (size_t)size + 1) : NULL;
	if (!text || fseek(f, 0, SEEK_SET) != 0 || fread(text, 1, (size_t)size, f) != (size_t)size) {
		fprintf(stderr, "mini: cannot read '%s'\n", path);
		exit(1);
	}
	fclose(f);
	return text;
}

static void read_option(Options *o, const char *arg)
{
	if (strcmp(arg, "--run") == 0)
		o->run = true;
	else if (strcmp(arg, "--emit-cir") == 0)
		o->emit_cir = true;
	else if (strcmp(arg, "-g") == 0)
		o->debug = true;
	else if (strncmp(arg, "-O", 2) == 0)
		o->opt = arg[2];
	else if (strncmp(arg, "--target=", 9) == 0)
		o->triple = arg + 9;
	else if (o->input)
		o->linked[o->nlinked++] = arg;
	else
		o->input = arg;
}

static void read_options(Mini *p, int argc, char **argv)
{
	Options *o = &p->options;
	o->linked = allocate(p, (size_t)argc * sizeof *o->linked);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			o->output = argv[++i];
		else
			read_option(o, argv[i]);
	if (!o->output)
		o->output = "a.out";
	if (o->input)
		return;
	fprintf(stderr, "usage: mini FILE.mini [INPUT...] [-o OUTPUT] [--target=TRIPLE] [--run] [-g] [-O2] "
	                "[--emit-cir]\n");
	exit(2);
}

int main(int argc, char **argv)
{
	Mini p = {.memory = NULL};
	int status = 0;
	read_options(&p, argc, argv);
	bool ok = build_program(&p, read_file(&p, p.options.input));
	if (ok)
		ok = p.options.emit_cir ? print_cir(&p) : p.options.run ? run(&p, &status) : make_program(&p);
	circ_module_destroy(p.m);
	for (void *next; p.memory; p.memory = next) {
		next = *(void **)p.memory;
		free(p.memory);
	}
	return ok ? status : 1;
}
