/* mini: a small language with exceptions of its own, as a start for yours.
 *
 * 	mini FILE.mini [INPUT...] [-o OUTPUT] [--target=TRIPLE] [-O2]
 *
 * Without OUTPUT it runs the program in this process. With one it makes a program for Linux or Windows; an object, if OUTPUT
 * ends with .o; if it is "-", CIR on standard output. INPUT is what else is linked: objects, or shared libraries to run with.
 *
 * 	exception  = "exception" NAME [ ":" NAME ] "{" { NAME ":" type ";" } "}"
 * 	class      = "class" NAME "{" { NAME ":" type ";" } [ "drop" block ] "}"
 * 	function   = "fn" NAME "(" [ NAME ":" type { "," NAME ":" type } ] ")" [ "->" type ] ( block | ";" )
 * 	statement  = "let" NAME "=" ( expression | CLASS "(" arguments ")" ) ";"
 * 	           | NAME [ "." NAME ] "=" expression ";"  |  NAME "(" arguments ")" ";"  |  block
 * 	           | "if" expression block [ "else" statement ]  |  "return" [ expression ] ";"
 * 	           | "print" expression { "," expression } ";"  |  ( "defer" | "errdefer" ) block
 * 	           | "try" block { "catch" [ EXCEPTION [ NAME ] ] [ "when" expression ] block } [ "finally" block ]
 * 	           | "throw" [ EXCEPTION "(" arguments ")" ] ";"
 * 	expression = | & == != < <= > >= + - * of C, "(" expression ")", NUMBER, STRING, calls, NAME [ "." NAME ]
 *
 * Where the block of a `let` ends, its object is destroyed, by the `drop` of its class; a `defer` runs there, too, an `errdefer` only
 * when an exception leaves the block. Every exception extends Error, which has the line that threw and a message. A function
 * without a block is one of INPUT's. There is no syntax tree: reading a statement builds its CIR (docs/languages.md). */
#include <circ/circ.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
enum { LIST_MAX = 16, SYMBOLS_MAX = 500, DEPTH_MAX = 100, WORD_SIZE = 200, SOURCE_SIZE = 1 << 20 };

/* The module before anything is read. The language has a number: exceptions of others are foreign. */
static const char prelude[] =
    "module attributes {circ.eh.runtime = \"circ\", circ.eh.language = 1768843629 : i32} {\n"
    "cir.func private @printf(!cir.ptr<!cir.int<s, 8>>, ...) -> !cir.int<s, 32> attributes {nothrow}\n"
    "cir.func private @fflush(!cir.ptr<!cir.void>) -> !cir.int<s, 32> attributes {nothrow}\n"
    "}\n";

/* A place in the source, and the name that was read there. */
typedef struct Word {
	char text[WORD_SIZE];
	unsigned line, column;
} Word;

/* What a name stands for. */
typedef struct Symbol {
	enum { SCALAR = 1, CLASS = 2, EXCEPTION = 4, FUNCTION = 8, VARIABLE = 16 } kind;
	Word name;
	const struct Symbol *type; /* of a variable; of a function, its result's, or NULL */
	CircType *cir;             /* of a type; of classes and exceptions, a pointer to their record */
	CircValue *address;        /* of a variable; of an object's variable, the object */
	CircOp *op;      /* a function, an exception's circ.exception_type, a class's drop or NULL */
	unsigned nparts; /* fields of a class or exception, parameters of a function */
	struct Part {
		Word name;
		const struct Symbol *type;
	} parts[LIST_MAX];
} Symbol;

static const char *path, *next, *line_start; /* next: what is not read yet */
static char source[SOURCE_SIZE];
static unsigned line, depth;

static CircModule *m;
static CircBuilder *b;
static Symbol symbols[SYMBOLS_MAX]; /* variables come and go at the end, with their blocks */
static unsigned nsymbols;
static CircType *any;                           /* a pointer to what is not known */
static const Symbol *integer, *string, *result; /* result: of the function that is read */

/* ---- words and names ---- */

/* The first error ends the program, since what follows may come from it. */
static _Noreturn void fail(Word at, const char *format, const char *text)
{
	fprintf(stderr, "%s:%u:%u: error: ", path, at.line, at.column);
	fprintf(stderr, format, text);
	fprintf(stderr, "\n");
	exit(1);
}

/* Skips blanks and comments. */
static Word here(void)
{
	while (isspace((unsigned char)*next) || strncmp(next, "//", 2) == 0) {
		next += *next == '/' ? strcspn(next, "\n") : 1;
		if (next[-1] == '\n') {
			line++;
			line_start = next;
		}
	}
	return (Word){.line = line, .column = (unsigned)(next - line_start) + 1};
}

static void check_room(size_t n, size_t max)
{
	if (n >= max)
		fail(here(), "this is too much for mini", NULL);
}

/* Is that what comes next? Not, if it is only the beginning of a name. */
static bool is(const char *text)
{
	size_t len = strlen(text), letters = (here(), strspn(next, LETTERS));
	return strncmp(next, text, len) == 0 && letters <= len;
}

static bool accept(const char *text)
{
	bool found = is(text);
	next += found ? strlen(text) : 0;
	return found;
}

static void expect(const char *text)
{
	if (!accept(text))
		fail(here(), "expected '%s'", text);
}

static Word read_name(void)
{
	Word name = here();
	size_t len = isdigit((unsigned char)*next) ? 0 : strspn(next, LETTERS);
	check_room(len, WORD_SIZE);
	memcpy(name.text, next, len);
	next += len;
	if (len == 0)
		fail(name, "expected a name", NULL);
	return name;
}

static const Symbol *find(const char *name)
{
	for (unsigned i = nsymbols; i-- > 0;)
		if (strcmp(symbols[i].name.text, name) == 0)
			return &symbols[i];
	return NULL;
}

/* kinds: those of Symbol.kind that are possible. */
static const Symbol *known(Word name, unsigned kinds, const char *otherwise)
{
	const Symbol *s = find(name.text);
	if (!s || !(s->kind & kinds))
		fail(name, otherwise, name.text);
	return s;
}

static Symbol *add(Word name, Symbol s)
{
	check_room(nsymbols, SYMBOLS_MAX);
	if (s.kind != VARIABLE && find(name.text))
		fail(name, "'%s' is declared twice", name.text);
	s.name = name;
	symbols[nsymbols] = s;
	return &symbols[nsymbols++];
}

/* What is built next comes from here: for debuggers, and for what circ reports. */
static void set_place(Word at)
{
	circ_builder_set_loc(b, path, at.line, at.column);
}

/* ---- expressions ---- */

static CircValue *read_expression(unsigned level);

static CircValue *check_type(Word at, CircValue *value, const Symbol *type)
{
	if (!value || circ_value_type(value) != type->cir)
		fail(at, "expected a value of type %s", type->name.text);
	return value;
}

static CircValue *read_value(const Symbol *type)
{
	Word at = here();
	return check_type(at, read_expression(1), type);
}

static CircValue *read_condition(void)
{
	return circ_build_cast(b, "int_to_bool", read_value(integer), circ_type_simple(m, CIRC_TYPE_BOOL));
}

static CircValue *int_of(CircValue *condition)
{
	return circ_build_cast(b, "bool_to_int", condition, integer->cir);
}

/* For the parts of s from `first` on. */
static void read_arguments(const Symbol *s, unsigned first, CircValue **args)
{
	expect("(");
	for (unsigned i = first; i < s->nparts; i++) {
		if (i > first)
			expect(",");
		args[i] = read_value(s->parts[i].type);
	}
	expect(")");
}

static CircValue *read_call(Word name)
{
	CircValue *args[LIST_MAX];
	const Symbol *f = known(name, FUNCTION, "'%s' is not a function");
	read_arguments(f, 0, args);
	set_place(name);
	return circ_op_result(circ_build_call(b, f->op, args, f->nparts), 0);
}

/* NAME [ "." NAME ]: the address of an integer or string, or the object of a class. */
static CircValue *read_place(Word name, const Symbol **type)
{
	const Symbol *v = known(name, VARIABLE, "'%s' is not a variable"), *class = *type = v->type;
	if (!accept("."))
		return v->address;
	Word field = read_name();
	for (unsigned i = 0; i < class->nparts; i++) {
		*type = class->parts[i].type;
		if (strcmp(class->parts[i].name.text, field.text) == 0)
			return circ_build_get_member(b, v->address, i, field.text);
	}
	fail(field, "'%s' is not a field", field.text);
}

static CircValue *read_primary(void)
{
	Word at = here();
	if (accept("(")) {
		CircValue *inner = read_expression(1);
		expect(")");
		return inner;
	}
	if (accept("\"")) {
		const char *text = next;
		next += strcspn(next, "\"\n");
		if (*next++ != '"')
			fail(at, "string is not closed; add '\"'", NULL);
		return circ_build_string(b, text, (size_t)(next - text) - 1);
	}
	if (isdigit((unsigned char)*next)) {
		char *end;
		long long number = strtoll(next, &end, 10);
		if (strspn(end, LETTERS) || number > INT32_MAX)
			fail(at, "this is not a number of at most 31 bits", NULL);
		next = end;
		return circ_build_int(b, integer->cir, number);
	}
	Word name = read_name();
	if (is("("))
		return read_call(name);
	const Symbol *type;
	CircValue *place = read_place(name, &type);
	return type->kind == SCALAR ? circ_build_load(b, place) : place;
}

/* The higher the level, the tighter it binds. mnemonic: an operation, or a kind of cir.cmp. */
static const struct Operator {
	const char *sign, *mnemonic;
	unsigned level;
} operators[] = {
    {"|", "cir.or", 1},  {"&", "cir.and", 2}, {"==", "eq", 3},     {"!=", "ne", 3},
    {"<=", "le", 4},     {"<", "lt", 4},      {">=", "ge", 4},     {">", "gt", 4},
    {"+", "cir.add", 5}, {"-", "cir.sub", 5}, {"*", "cir.mul", 6}, {NULL, NULL, 0},
};

/* Of operators of that level and above. */
static CircValue *read_expression(unsigned level)
{
	check_room(depth++, DEPTH_MAX);
	CircValue *left = read_primary();
	for (const struct Operator *o = operators; o->sign;) {
		Word at = here();
		if (o->level < level || !accept(o->sign)) {
			o++;
			continue;
		}
		CircValue *right = check_type(at, read_expression(o->level + 1), integer);
		check_type(at, left, integer);
		set_place(at);
		if (strncmp(o->mnemonic, "cir.", 4) == 0)
			left = circ_build_binary(b, o->mnemonic, left, right);
		else
			left = int_of(circ_build_cmp(b, o->mnemonic, left, right));
		o = operators;
	}
	depth--;
	return left;
}

/* ---- statements ---- */

static void read_statement(void);

/* Up to the end of the block. A statement whose effect lasts until there, a `defer` for example, reads the others itself. */
static void read_statements(void)
{
	while (!is("}") && *next) {
		if (circ_builder_ended(b))
			fail(here(), "statement is never reached", NULL);
		read_statement();
	}
	set_place(here());
}

/* Into the region that the builder is in. */
static void read_block(void)
{
	unsigned outer = nsymbols;
	expect("{");
	read_statements();
	expect("}");
	nsymbols = outer;
}

static void add_variable(Word name, const Symbol *type, CircValue *address)
{
	add(name, (Symbol){.kind = VARIABLE, .type = type, .address = address});
}

/* Code uses an object by its address; its slot is for debuggers alone. */
static void add_value(Word name, const Symbol *type, CircValue *value)
{
	CircValue *slot = circ_build_alloca(b, type->cir, name.text, 0);
	circ_build_store(b, value, slot);
	add_variable(name, type, type->kind == SCALAR ? slot : value);
}

/* It is made when its fields are known: what they throw loses none. The first field of an exception is the line. */
static CircValue *read_object(const Symbol *type, Word name)
{
	bool thrown = type->kind == EXCEPTION;
	CircType *record = circ_type_elem(type->cir);
	CircValue *fields[LIST_MAX] = {thrown ? circ_build_int(b, integer->cir, name.line) : NULL}, *object;
	read_arguments(type, thrown, fields);
	set_place(name);
	object = thrown ? circ_build_alloc_exception(b, record) : circ_build_alloca(b, record, name.text, 0);
	for (unsigned i = 0; i < type->nparts; i++)
		circ_build_store(b, fields[i], circ_build_get_member(b, object, i, type->parts[i].name.text));
	return object;
}

/* The scope of an object begins once there is one, and ends at the brace, which is the place of the destructor's call. */
static void read_class_object(const Symbol *class, Word name)
{
	CircValue *object = read_object(class, name);
	expect(";");
	add_variable(name, class, object);
	if (!class->op)
		return;
	CircOp *scope = circ_build_cleanup(b, "all");
	circ_builder_enter(b, scope, 0);
	read_statements();
	circ_builder_enter(b, scope, 1);
	circ_build_call(b, class->op, &object, 1);
	circ_builder_finish(b, scope);
}

static void read_let(void)
{
	Word name = read_name();
	expect("=");
	for (unsigned i = 0; i < nsymbols; i++)
		if (symbols[i].kind == CLASS && accept(symbols[i].name.text)) {
			read_class_object(&symbols[i], name);
			return;
		}
	Word at = here();
	CircValue *value = read_expression(1);
	const Symbol *type = value && circ_value_type(value) == string->cir ? string : integer;
	add_value(name, type, check_type(at, value, type));
	expect(";");
}

/* Its code stands here in the text, and in CIR behind the rest. It sees the variables as they are when it runs. */
static void read_defer(const char *kind)
{
	CircOp *scope = circ_build_cleanup(b, kind);
	circ_builder_enter(b, scope, 1);
	read_block();
	circ_builder_enter(b, scope, 0);
	read_statements();
	circ_builder_finish(b, scope);
}

static void read_if(void)
{
	CircOp *op = circ_build_if(b, read_condition());
	circ_builder_enter(b, op, 0);
	read_block();
	if (accept("else")) {
		circ_builder_enter(b, op, 1);
		read_statement();
	}
	circ_builder_finish(b, op);
}

static void read_nested(void)
{
	CircOp *scope = circ_build_scope(b);
	circ_builder_enter(b, scope, 0);
	read_block();
	circ_builder_finish(b, scope);
}

/* One call of printf(). What was printed is out before the report of an uncaught exception. */
static void read_print(Word at)
{
	char format[3 * LIST_MAX] = "";
	CircValue *args[LIST_MAX], *every_stream = circ_build_null(b, any);
	unsigned n = 1;
	do {
		check_room(n, LIST_MAX);
		args[n] = read_expression(1);
		bool text = args[n] && circ_value_type(args[n]) == string->cir;
		check_type(at, args[n++], text ? string : integer);
		strcat(format, text ? "%s" : "%d");
	} while (accept(","));
	strcat(format, "\n");
	args[0] = circ_build_string(b, format, strlen(format));
	set_place(at);
	circ_build_call(b, circ_module_symbol(m, "printf", 6), args, n);
	circ_build_call(b, circ_module_symbol(m, "fflush", 6), &every_stream, 1);
}

static const Symbol *read_exception(void)
{
	return known(read_name(), EXCEPTION, "'%s' is not an exception");
}

static void read_throw(Word at)
{
	if (is(";")) {
		circ_build_rethrow(b);
	} else {
		const Symbol *type = read_exception();
		circ_build_throw(b, read_object(type, at), circ_op_symbol_name(type->op, NULL), NULL);
	}
	circ_build_unreachable(b);
}

/* "catch" [ EXCEPTION [ NAME ] ] [ "when" expression ] block. Without a type it is one of any exception, foreign ones too. */
static void read_handler(CircOp *op)
{
	Word name = {.text = ""};
	CircBlock *filter, *handler;
	unsigned outer = nsymbols;
	set_place(here());
	expect("catch");
	const Symbol *type = is("{") || is("when") ? NULL : read_exception();
	const char *symbol = type ? circ_op_symbol_name(type->op, NULL) : NULL;
	CircType *object = type ? type->cir : any;
	if (type && !is("{") && !is("when"))
		name = read_name();
	if (accept("when")) {
		handler = circ_try_add_when(m, op, &filter);
		circ_builder_at_end(b, filter);
		if (type)
			add_variable(name, type, circ_build_typed_filter(b, filter, symbol, object));
		circ_builder_leave(b, int_of(read_condition()));
	} else {
		handler = circ_try_add_handler(m, op, symbol);
	}
	circ_builder_at_end(b, handler);
	CircValue *caught = circ_build_catch_param(b, object);
	if (*name.text)
		add_value(name, type, caught);
	read_block();
	nsymbols = outer;
}

static void read_try(void)
{
	CircOp *op = circ_build_try(b);
	circ_builder_enter(b, op, 0);
	read_block();
	if (!is("catch") && !is("finally"))
		fail(here(), "expected 'catch' or 'finally'", NULL);
	while (is("catch"))
		read_handler(op);
	if (accept("finally")) {
		circ_builder_at_end(b, circ_try_add_finally(m, op));
		read_block();
	}
	circ_builder_finish(b, op);
}

static void read_assignment(Word name)
{
	const Symbol *type;
	CircValue *place = read_place(name, &type);
	if (type->kind != SCALAR)
		fail(name, "'%s' is an object; assign to its fields", name.text);
	expect("=");
	circ_build_store(b, read_value(type), place);
}

/* Those that end with a semicolon. */
static void read_simple(Word at)
{
	if (accept("return"))
		circ_build_return(b, result ? read_value(result) : NULL);
	else if (accept("print"))
		read_print(at);
	else if (accept("throw"))
		read_throw(at);
	else if (at = read_name(), is("("))
		read_call(at);
	else
		read_assignment(at);
	expect(";");
}

static void read_statement(void)
{
	Word at = here();
	check_room(depth++, DEPTH_MAX);
	set_place(at);
	if (accept("let"))
		read_let();
	else if (accept("if"))
		read_if();
	else if (accept("defer"))
		read_defer("all");
	else if (accept("errdefer"))
		read_defer("eh");
	else if (accept("try"))
		read_try();
	else if (is("{"))
		read_nested();
	else
		read_simple(at);
	depth--;
}

/* ---- declarations ---- */

/* NAME ":" type: a field or a parameter. */
static void read_part(Symbol *s, unsigned kinds)
{
	Word name = read_name();
	check_room(s->nparts, LIST_MAX);
	expect(":");
	const Symbol *type = known(read_name(), kinds, "'%s' is not a type that can stand here");
	s->parts[s->nparts++] = (struct Part){name, type};
}

/* format: what its name is in the object; "mini.%s" keeps it apart from the C library's. */
static void declare(Symbol *f, const char *format, const char *name)
{
	CircType *params[LIST_MAX];
	char symbol[2 * WORD_SIZE];
	for (unsigned i = 0; i < f->nparts; i++)
		params[i] = f->parts[i].type->cir;
	snprintf(symbol, sizeof symbol, format, name);
	f->op = circ_func_declare(m, symbol,
	                          circ_type_func(m, params, f->nparts, f->type ? f->type->cir : NULL, false));
}

static void read_body(const Symbol *f)
{
	unsigned outer = nsymbols;
	circ_builder_at_end(b, circ_func_add_entry(m, f->op));
	circ_op_set_loc(m, f->op, path, f->name.line, f->name.column);
	set_place(f->name);
	for (unsigned i = 0; i < f->nparts; i++)
		add_value(f->parts[i].name, f->parts[i].type, circ_block_arg(circ_builder_block(b), i));
	result = f->type;
	expect("{");
	read_statements();
	if (!circ_builder_ended(b) && result)
		fail(here(), "function can end without a value; add 'return'", NULL);
	if (!circ_builder_ended(b))
		circ_build_return(b, NULL);
	expect("}");
	nsymbols = outer;
}

/* Without a block it is INPUT's. */
static void read_function(void)
{
	expect("fn");
	Symbol *f = add(read_name(), (Symbol){.kind = FUNCTION});
	expect("(");
	while (!accept(")")) {
		if (f->nparts)
			expect(",");
		read_part(f, SCALAR | CLASS);
	}
	if (accept("->"))
		f->type = known(read_name(), SCALAR, "'%s' is not int or string");
	bool main = strcmp(f->name.text, "main") == 0, external = is(";");
	if (main && (f->nparts || f->type != integer || external))
		fail(f->name, "expected 'fn main() -> int' with a block", NULL);
	declare(f, main || external ? "%s" : "mini.%s", f->name.text);
	if (!accept(";"))
		read_body(f);
}

/* The fields of an exception begin with those of its base, so that a handler of the base finds them. */
static void read_class(bool thrown, const Symbol *base)
{
	CircType *members[LIST_MAX];
	char name[WORD_SIZE + 5];
	Symbol *t = add(read_name(), (Symbol){.kind = thrown ? EXCEPTION : CLASS});
	if (thrown && accept(":"))
		base = read_exception();
	if (base)
		memcpy(t->parts, base->parts, sizeof t->parts);
	t->nparts = base ? base->nparts : 0;
	for (expect("{"); !is("}") && !is("drop"); expect(";"))
		read_part(t, SCALAR);
	for (unsigned i = 0; i < t->nparts; i++)
		members[i] = t->parts[i].type->cir;
	snprintf(name, sizeof name, "mini.%s", t->name.text);
	CircType *record = circ_type_record(m, CIRC_RECORD_STRUCT, name, strlen(name));
	circ_record_set_body(m, record, &(CircRecordBody){.members = members, .nmembers = t->nparts});
	t->cir = circ_type_ptr(m, record);
	if (thrown)
		t->op =
		    circ_exception_type_create(m, name, record, base ? &base->op : NULL, base != NULL, NULL);
	Symbol drop = {.name = here(), .nparts = 1, .parts = {{{.text = "self"}, t}}};
	if (!thrown && accept("drop")) {
		declare(&drop, "mini.%s.drop", t->name.text);
		read_body(&drop);
		t->op = drop.op;
	}
	expect("}");
}

static void read_program(const char *text)
{
	next = line_start = text;
	line = 1;
	while (here(), *next) {
		if (accept("exception"))
			read_class(true, find("Error"));
		else if (accept("class"))
			read_class(false, NULL);
		else
			read_function();
	}
}

/* ---- the command ---- */

/* What circ finds, at the places that set_place() gave. While the program is read, it is the first error, too. */
static void report(const CircDiagnostic *d, void *user)
{
	static const char *const severities[] = {"note", "remark", "warning", "error", "error"};
	(void)user;
	if (d->severity >= CIRC_ERROR && *next)
		fail(here(), "%s", d->message);
	if (d->file)
		fprintf(stderr, "%s:%u:%u: ", d->file, d->line, d->column);
	fprintf(stderr, "%s: %s\n", severities[d->severity], d->message);
}

/* What has no place in the source. */
static void begin_module(void)
{
	m = circ_module_parse_as(CIRC_DIALECT_NEWEST, path, prelude, sizeof prelude - 1, report, NULL);
	b = circ_builder_create(m);
	circ_module_set_name(m, path);
	any = circ_type_ptr(m, circ_type_simple(m, CIRC_TYPE_VOID));
	CircType *chars = circ_type_ptr(m, circ_type_int(m, 8, true));
	integer = add((Word){.text = "int"}, (Symbol){.kind = SCALAR, .cir = circ_type_int(m, 32, true)});
	string = add((Word){.text = "string"}, (Symbol){.kind = SCALAR, .cir = chars});
	read_program("exception Error { line: int; message: string; }");
}

static int run(const CircEmitOptions *emit, const CircLinkOptions *link)
{
	int (*function)(void), status = 1;
	CircJit *jit = circ_jit_create(&(CircJitOptions){.opt = emit->opt, .debug = true}, report, NULL);
	for (size_t i = 0; i < link->ninputs; i++)
		circ_jit_load_library(jit, link->inputs[i]);
	void *address = circ_jit_add_module(jit, m) ? circ_jit_lookup(jit, "main") : NULL;
	if (address) {
		memcpy(&function, &address, sizeof function); /* ISO C has no such cast */
		status = function();
	}
	circ_jit_destroy(jit);
	return status;
}

static bool make_output(const CircEmitOptions *emit, const CircLinkOptions *link)
{
	const char *suffix = strrchr(link->output, '.');
	char *text = NULL;
	if (suffix && strcmp(suffix, ".o") == 0)
		return circ_module_emit_file(m, emit, CIRC_OBJECT, link->output);
	if (strcmp(link->output, "-") != 0)
		return circ_module_link(m, emit, link);
	bool made = circ_module_print(m, 0, &text, NULL) && fputs(text, stdout) >= 0;
	circ_free(text);
	return made;
}

static bool read_source(void)
{
	FILE *f = path ? fopen(path, "rb") : NULL;
	size_t size = f ? fread(source, 1, SOURCE_SIZE, f) : 0;
	bool whole = f && !ferror(f) && size < SOURCE_SIZE && strlen(source) == size;
	if (f)
		fclose(f);
	return whole;
}

int main(int argc, char **argv)
{
	CircEmitOptions emit = {.debug = true};
	CircLinkOptions link = {.cxxlib = CIRC_LIBSTDCXX, .inputs = (const char *const *)argv};
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "-O", 2) == 0)
			emit.opt = argv[i][2];
		else if (strncmp(argv[i], "--target=", 9) == 0)
			emit.triple = argv[i] + 9;
		else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			link.output = argv[++i];
		else if (!path)
			path = argv[i];
		else
			argv[link.ninputs++] = argv[i];
	}
	if (!read_source()) {
		fprintf(stderr, "mini: cannot read '%s', or it has a byte 0 or 1 MiB\n",
		        path ? path : "FILE.mini");
		return 2;
	}
	begin_module();
	read_program(source);
	int status = !link.output ? run(&emit, &link) : !make_output(&emit, &link);
	circ_module_destroy(m);
	return status;
}
