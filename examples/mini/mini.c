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

enum { LIST_MAX = 16, SYMBOLS_MAX = 500, DEPTH_MAX = 100, WORD_SIZE = 200, SOURCE_SIZE = 1 << 20 };

/* The module before anything is read. The language has a number: exceptions of others are foreign. */
static const char prelude[] =
    "module attributes {circ.eh.runtime = \"circ\", circ.eh.language = 1768843629 : i32} {\n"
    "cir.func private @printf(!cir.ptr<!cir.int<s, 8>>, ...) -> !cir.int<s, 32> attributes {nothrow}\n"
    "cir.func private @fflush(!cir.ptr<!cir.void>) -> !cir.int<s, 32> attributes {nothrow}\n"
    "}\n";

/* A name, number, sign, or a string with the quote that begins it; "" at the end of the file. */
typedef struct Word {
	char text[WORD_SIZE];
	unsigned line, column;
} Word;

/* What a name stands for. */
typedef struct Symbol {
	enum { SCALAR = 1, CLASS = 2, EXCEPTION = 4, FUNCTION = 8, VARIABLE = 16 } kind;
	Word name;
	CircType *type;     /* of objects: a pointer to their record. Of a function: its result's, or NULL */
	CircValue *address; /* of a variable; of an object's variable, the object */
	CircOp *op;         /* a function, an exception's circ.exception_type, a class's drop or NULL */
	unsigned nparts;
	struct Part {
		Word name;
		CircType *type;
	} parts[LIST_MAX]; /* fields of a class or exception, parameters of a function */
} Symbol;

static const char *path, *output, *triple, **inputs; /* inputs: in argv */
static char opt, source[SOURCE_SIZE];
static unsigned ninputs;

static const char *next = source, *line_start = source; /* next: behind the word */
static unsigned line = 1;
static Word word; /* the one that is looked at */

static CircModule *m;
static CircBuilder *b;
static CircType *s32, *chars, *any, *result; /* result: of the function that is read */
static bool failed;                          /* circ reported an error */

static Symbol symbols[SYMBOLS_MAX]; /* variables come and go at the end, with their blocks */
static unsigned nsymbols, depth;

/* ---- words and names ---- */

/* The first error ends the program, since what follows may come from it. */
static _Noreturn void fail(Word at, const char *format, const char *text)
{
	fprintf(stderr, "%s:%u:%u: error: ", path, at.line, at.column);
	fprintf(stderr, format, text);
	fprintf(stderr, "\n");
	exit(1);
}

static void check_room(Word at, size_t n, size_t max)
{
	if (n >= max)
		fail(at, "'%s' is one too many here", at.text);
}

static void advance(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	while (isspace((unsigned char)*next) || strncmp(next, "//", 2) == 0) {
		next += *next == '/' ? strcspn(next, "\n") : 1;
		if (next[-1] == '\n') {
			line++;
			line_start = next;
		}
	}
	word = (Word){.line = line, .column = (unsigned)(next - line_start) + 1};
	bool string = *next == '"', arrow = strncmp(next, "->", 2) == 0;
	size_t len = string ? 1 + strcspn(next + 1, "\"\n") : strspn(next, letters);
	if (*next && !len)
		len = arrow || (strchr("=!<>", *next) && next[1] == '=') ? 2 : 1;
	if (len >= WORD_SIZE)
		fail(word, "this is too long for a name, number or string", NULL);
	memcpy(word.text, next, len);
	next += len;
	if (string && *next++ != '"')
		fail(word, "string is not closed; add '\"'", NULL);
}

static bool is(const char *text)
{
	return strcmp(word.text, text) == 0;
}

static bool accept(const char *text)
{
	bool found = is(text);
	if (found)
		advance();
	return found;
}

static void expect(const char *text)
{
	if (!accept(text))
		fail(word, "expected '%s'", text);
}

static Word read_name(void)
{
	Word name = word;
	if (!isalpha((unsigned char)*name.text) && *name.text != '_')
		fail(name, "expected a name, not '%s'", name.text);
	advance();
	return name;
}

static Symbol *find(const char *name)
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
	check_room(name, nsymbols, SYMBOLS_MAX);
	if (s.kind != VARIABLE && find(name.text))
		fail(name, "'%s' is declared twice", name.text);
	s.name = name;
	symbols[nsymbols] = s;
	return &symbols[nsymbols++];
}

static const Symbol *symbol_of(CircType *type)
{
	for (unsigned i = 0; i < nsymbols; i++)
		if (symbols[i].kind <= EXCEPTION && symbols[i].type == type)
			return &symbols[i];
	return NULL;
}

/* Code uses an object by its address; its slot is for debuggers alone. */
static void add_value(Word name, CircValue *value)
{
	CircType *type = circ_value_type(value);
	CircValue *slot = circ_build_alloca(b, type, name.text, 0);
	circ_build_store(b, value, slot);
	slot = symbol_of(type)->kind == SCALAR ? slot : value;
	add(name, (Symbol){.kind = VARIABLE, .type = type, .address = slot});
}

/* What is built next comes from here: for debuggers, and for what circ reports. */
static void set_place(Word at)
{
	circ_builder_set_loc(b, path, at.line, at.column);
}

/* ---- expressions ---- */

static CircValue *read_expression(unsigned level);

static void check_type(Word at, CircValue *value, CircType *wanted)
{
	if (!value || circ_value_type(value) != wanted)
		fail(at, "expected a value of type %s", symbol_of(wanted)->name.text);
}

static CircValue *read_value(CircType *wanted)
{
	Word at = word;
	CircValue *value = read_expression(1);
	check_type(at, value, wanted);
	return value;
}

static CircValue *read_condition(void)
{
	return circ_build_cmp(b, "ne", read_value(s32), circ_build_int(b, s32, 0));
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

/* NAME [ "." NAME ]: the address of an integer or string, else the object. */
static CircValue *read_place(Word name)
{
	const Symbol *v = known(name, VARIABLE, "'%s' is not a variable"), *type = symbol_of(v->type);
	if (!accept("."))
		return v->address;
	Word field = read_name();
	for (unsigned i = 0; i < type->nparts; i++)
		if (strcmp(type->parts[i].name.text, field.text) == 0)
			return circ_build_get_member(b, v->address, i, field.text);
	fail(field, "'%s' is not a field", field.text);
}

static CircValue *read_primary(void)
{
	Word at = word;
	if (accept("(")) {
		CircValue *inner = read_expression(1);
		expect(")");
		return inner;
	}
	if (*at.text == '"') {
		advance();
		return circ_build_string(b, at.text + 1, strlen(at.text + 1));
	}
	if (isdigit((unsigned char)*at.text)) {
		char *end;
		long long number = strtoll(at.text, &end, 10);
		if (*end || number > INT32_MAX)
			fail(at, "'%s' is not a number of at most 31 bits", at.text);
		advance();
		return circ_build_int(b, s32, number);
	}
	read_name();
	if (is("("))
		return read_call(at);
	CircValue *place = read_place(at);
	return symbol_of(circ_value_type(place)) ? place : circ_build_load(b, place);
}

/* The higher the level, the tighter it binds. mnemonic: an operation, or a kind of cir.cmp. */
static const struct Operator {
	const char *sign, *mnemonic;
	unsigned level;
} operators[] = {
    {"|", "cir.or", 1},  {"&", "cir.and", 2}, {"==", "eq", 3},     {"!=", "ne", 3},
    {"<", "lt", 4},      {"<=", "le", 4},     {">", "gt", 4},      {">=", "ge", 4},
    {"+", "cir.add", 5}, {"-", "cir.sub", 5}, {"*", "cir.mul", 6}, {"", "", 0},
};

/* The row of the word, or the last. */
static const struct Operator *find_operator(void)
{
	const struct Operator *o = operators;
	while (o->level && !is(o->sign))
		o++;
	return o;
}

/* Of operators of that level and above. */
static CircValue *read_expression(unsigned level)
{
	check_room(word, depth++, DEPTH_MAX);
	CircValue *left = read_primary();
	for (const struct Operator *o; (o = find_operator())->level >= level;) {
		Word at = word;
		advance();
		CircValue *right = read_expression(o->level + 1);
		check_type(at, left, s32);
		check_type(at, right, s32);
		set_place(at);
		if (strncmp(o->mnemonic, "cir.", 4) == 0)
			left = circ_build_binary(b, o->mnemonic, left, right);
		else
			left = circ_build_cast(b, "bool_to_int", circ_build_cmp(b, o->mnemonic, left, right),
			                       s32);
	}
	depth--;
	return left;
}

/* ---- statements ---- */

static void read_statement(void);

/* Up to the end of the block. A statement whose effect lasts until there, a `defer` for example, reads the others itself. */
static void read_statements(void)
{
	while (!is("}") && *word.text) {
		if (circ_builder_ended(b))
			fail(word, "statement is never reached", NULL);
		read_statement();
	}
}

/* Into the region that the builder is in, then on behind its operation. False: the end of the region is never reached. */
static bool read_block(void)
{
	unsigned outer = nsymbols;
	expect("{");
	read_statements();
	expect("}");
	nsymbols = outer;
	return circ_builder_leave(b, NULL);
}

static void read_nested(void)
{
	circ_builder_enter(b, circ_build_scope(b), 0);
	if (!read_block())
		circ_build_unreachable(b);
}

/* The rest of the block is the first region of the scope; the second is its cleanup. */
static void read_rest(CircOp *scope)
{
	circ_builder_enter(b, scope, 0);
	read_statements();
	if (!circ_builder_leave(b, NULL))
		circ_build_unreachable(b); /* nothing goes on behind the scope */
}

/* Its code stands here in the text, and in CIR behind the rest. It sees the variables as they are when it runs. */
static void read_defer(const char *kind)
{
	CircOp *scope = circ_build_cleanup(b, kind);
	circ_builder_enter(b, scope, 1);
	read_block();
	read_rest(scope);
}

static void store_fields(const Symbol *type, CircValue *object, CircValue *const *values)
{
	for (unsigned i = 0; i < type->nparts; i++)
		circ_build_store(b, values[i], circ_build_get_member(b, object, i, type->parts[i].name.text));
}

/* The scope of an object begins once there is one, and ends at the brace that the destructor's call gets as its place. */
static void read_object(Word name, const Symbol *class)
{
	CircValue *fields[LIST_MAX],
	    *object = circ_build_alloca(b, circ_type_elem(class->type), name.text, 0);
	read_arguments(class, 0, fields);
	expect(";");
	store_fields(class, object, fields);
	add(name, (Symbol){.kind = VARIABLE, .type = class->type, .address = object});
	if (!class->op)
		return;
	CircOp *scope = circ_build_cleanup(b, "all");
	read_rest(scope);
	circ_builder_enter(b, scope, 1);
	set_place(word);
	circ_build_call(b, class->op, &object, 1);
	circ_builder_leave(b, NULL);
}

static void read_let(void)
{
	Word name = read_name(), at = (expect("="), word);
	const Symbol *class = find(at.text);
	if (class && class->kind == CLASS) {
		advance();
		read_object(name, class);
		return;
	}
	CircValue *value = read_expression(1);
	if (!value || symbol_of(circ_value_type(value))->kind != SCALAR)
		fail(at, "expected an integer or a string", NULL);
	add_value(name, value);
	expect(";");
}

static void read_if(void)
{
	CircOp *op = circ_build_if(b, read_condition());
	circ_builder_enter(b, op, 0);
	bool reached = read_block();
	if (!accept("else"))
		return;
	circ_builder_enter(b, op, 1);
	read_statement();
	if (!circ_builder_leave(b, NULL) && !reached)
		circ_build_unreachable(b);
}

/* One call of printf(). What was printed is out before the report of an uncaught exception. */
static void read_print(Word at)
{
	char format[3 * LIST_MAX] = "";
	CircValue *args[LIST_MAX], *every_stream = circ_build_const(b, circ_attr_null(m, any));
	unsigned n = 1;
	do {
		check_room(word, n, LIST_MAX);
		args[n] = read_expression(1);
		bool text = args[n] && circ_value_type(args[n]) == chars;
		check_type(at, args[n++], text ? chars : s32);
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

/* The object is made when its fields are known: what they throw loses none. The first is the line. */
static void read_throw(Word at)
{
	CircValue *values[LIST_MAX] = {circ_build_int(b, s32, at.line)};
	if (is(";")) {
		circ_build_rethrow(b);
	} else {
		const Symbol *type = read_exception();
		read_arguments(type, 1, values);
		set_place(at);
		CircValue *object = circ_build_alloc_exception(b, circ_type_elem(type->type));
		store_fields(type, object, values);
		circ_build_throw(b, object, circ_op_symbol_name(type->op, NULL), NULL);
	}
	circ_build_unreachable(b);
}

/* Behind "when". A filter is asked about every exception, so it first looks at the type: object != null && expression. */
static void read_guard(const Symbol *type, Word name, CircBlock *filter)
{
	CircOp *choice = NULL;
	circ_builder_at_end(b, filter);
	if (type) {
		const char *symbol = circ_op_symbol_name(type->op, NULL);
		CircValue *object = circ_build_object_as(b, circ_block_arg(filter, 0), symbol, type->type);
		CircValue *null = circ_build_const(b, circ_attr_null(m, type->type));
		choice = circ_build_ternary(b, circ_build_cmp(b, "ne", object, null), s32);
		circ_builder_enter(b, choice, 1);
		circ_builder_leave(b, circ_build_int(b, s32, 0));
		circ_builder_enter(b, choice, 0);
		add(name, (Symbol){.kind = VARIABLE, .type = type->type, .address = object});
	}
	circ_builder_leave(b, circ_build_cast(b, "bool_to_int", read_condition(), s32));
	if (choice)
		circ_builder_leave(b, circ_op_result(choice, 0));
}

/* Behind "catch". Without a type it is one of any exception, foreign ones too. */
static bool read_handler(CircOp *op)
{
	Word name = {.text = ""};
	CircBlock *filter, *handler;
	const Symbol *type = is("{") || is("when") ? NULL : read_exception();
	if (type && !is("{") && !is("when"))
		name = read_name();
	if (accept("when")) {
		handler = circ_try_add_when(m, op, &filter);
		read_guard(type, name, filter);
	} else {
		handler = circ_try_add_handler(m, op, type ? circ_op_symbol_name(type->op, NULL) : NULL);
	}
	circ_builder_at_end(b, handler);
	CircValue *object = circ_build_catch_param(b, type ? type->type : any);
	if (*name.text)
		add_value(name, object);
	return read_block();
}

static void read_try(void)
{
	unsigned outer = nsymbols;
	CircOp *op = circ_build_try(b);
	circ_builder_enter(b, op, 0);
	bool reached = read_block();
	if (!is("catch") && !is("finally"))
		fail(word, "expected 'catch' or 'finally'", NULL);
	for (Word at = word; accept("catch"); at = word) {
		set_place(at);
		reached |= read_handler(op);
		nsymbols = outer;
	}
	if (accept("finally")) {
		circ_builder_at_end(b, circ_try_add_finally(m, op));
		reached &= read_block();
	}
	if (!reached)
		circ_build_unreachable(b);
}

static void read_assignment(Word name)
{
	CircValue *place = read_place(name);
	if (symbol_of(circ_value_type(place)))
		fail(name, "'%s' is an object; assign to its fields", name.text);
	expect("=");
	circ_build_store(b, read_value(circ_type_elem(circ_value_type(place))), place);
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
	else if (read_name(), is("("))
		read_call(at);
	else
		read_assignment(at);
	expect(";");
}

static void read_statement(void)
{
	Word at = word;
	check_room(at, depth++, DEPTH_MAX);
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
	check_room(name, s->nparts, LIST_MAX);
	expect(":");
	CircType *type = known(read_name(), kinds, "'%s' is not a type that can stand here")->type;
	s->parts[s->nparts++] = (struct Part){name, type};
}

/* format: what its name is in the object; "mini.%s" keeps it apart from the C library's. Without a block it is INPUT's. */
static void read_body(Symbol *f, const char *format, const char *name)
{
	CircType *params[LIST_MAX];
	char symbol[2 * WORD_SIZE];
	unsigned outer = nsymbols;
	for (unsigned i = 0; i < f->nparts; i++)
		params[i] = f->parts[i].type;
	snprintf(symbol, sizeof symbol, format, name);
	f->op = circ_func_declare(m, symbol, circ_type_func(m, params, f->nparts, f->type, false));
	if (f->kind == FUNCTION && accept(";"))
		return;
	circ_builder_at_end(b, circ_func_add_entry(m, f->op));
	circ_op_set_loc(m, f->op, path, f->name.line, f->name.column);
	set_place(f->name);
	for (unsigned i = 0; i < f->nparts; i++)
		add_value(f->parts[i].name, circ_block_arg(circ_builder_block(b), i));
	result = f->type;
	expect("{");
	read_statements();
	set_place(word);
	if (!circ_builder_ended(b) && result)
		fail(word, "function can end without a value; add 'return'", NULL);
	if (!circ_builder_ended(b))
		circ_build_return(b, NULL);
	expect("}");
	nsymbols = outer;
}

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
		f->type = known(read_name(), SCALAR, "'%s' is not int or string")->type;
	bool main = strcmp(f->name.text, "main") == 0;
	if (main && (f->nparts || f->type != s32 || is(";")))
		fail(f->name, "expected 'fn main() -> int' with a block", NULL);
	read_body(f, main || is(";") ? "%s" : "mini.%s", f->name.text);
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
		members[i] = t->parts[i].type;
	snprintf(name, sizeof name, "mini.%s", t->name.text);
	CircType *record = circ_type_record(m, CIRC_RECORD_STRUCT, name, strlen(name));
	circ_record_set_body(m, record, &(CircRecordBody){.members = members, .nmembers = t->nparts});
	t->type = circ_type_ptr(m, record);
	if (thrown)
		t->op =
		    circ_exception_type_create(m, name, record, base ? &base->op : NULL, base != NULL, NULL);
	if (!thrown && accept("drop")) { /* a function with the object as its parameter `self` */
		Symbol f = {.name = word, .nparts = 1, .parts = {{{.text = "self"}, t->type}}};
		read_body(&f, "mini.%s.drop", t->name.text);
		t->op = f.op;
	}
	expect("}");
}

static void read_program(const char *text)
{
	next = line_start = text;
	line = 1;
	for (advance(); *word.text;) {
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
	failed |= d->severity >= CIRC_ERROR;
	if (failed && (depth || *word.text))
		fail(word, "%s", d->message);
	if (d->file)
		fprintf(stderr, "%s:%u:%u: ", d->file, d->line, d->column);
	fprintf(stderr, "%s: %s\n", severities[d->severity], d->message);
}

static void begin_module(void)
{
	m = circ_module_parse_as(CIRC_DIALECT_NEWEST, path, prelude, sizeof prelude - 1, report, NULL);
	b = circ_builder_create(m);
	s32 = circ_type_int(m, 32, true);
	chars = circ_type_ptr(m, circ_type_int(m, 8, true));
	any = circ_type_ptr(m, circ_type_simple(m, CIRC_TYPE_VOID));
	circ_module_set_name(m, path);
	add((Word){.text = "int"}, (Symbol){.kind = SCALAR, .type = s32});
	add((Word){.text = "string"}, (Symbol){.kind = SCALAR, .type = chars});
	read_program("exception Error { line: int; message: string; }");
}

static int run(void)
{
	int (*function)(void), status = 1;
	CircJit *jit = circ_jit_create(&(CircJitOptions){.opt = opt, .debug = true}, report, NULL);
	for (unsigned i = 0; i < ninputs; i++)
		circ_jit_load_library(jit, inputs[i]);
	void *address = circ_jit_add_module(jit, m) ? circ_jit_lookup(jit, "main") : NULL;
	if (address && !failed) {
		memcpy(&function, &address, sizeof function); /* ISO C has no such cast */
		status = function();
	}
	circ_jit_destroy(jit);
	return status;
}

static int make_output(void)
{
	const char *suffix = strrchr(output, '.');
	CircEmitOptions emit = {.triple = triple, .opt = opt, .debug = true};
	CircLinkOptions link = {
	    .cxxlib = CIRC_LIBSTDCXX, .output = output, .inputs = inputs, .ninputs = ninputs};
	char *text = NULL;
	if (strcmp(output, "-") == 0 && circ_module_print(m, 0, &text, NULL))
		fputs(text, stdout);
	else if (suffix && strcmp(suffix, ".o") == 0)
		circ_module_emit_file(m, &emit, CIRC_OBJECT, output);
	else
		circ_module_link(m, &emit, &link);
	circ_free(text);
	return failed;
}

int main(int argc, char **argv)
{
	inputs = (const char **)argv;
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "-O", 2) == 0)
			opt = argv[i][2];
		else if (strncmp(argv[i], "--target=", 9) == 0)
			triple = argv[i] + 9;
		else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			output = argv[++i];
		else if (!path)
			path = argv[i];
		else
			inputs[ninputs++] = argv[i];
	}
	FILE *f = path ? fopen(path, "rb") : NULL;
	size_t size = f ? fread(source, 1, SOURCE_SIZE, f) : 0;
	if (!f || ferror(f) || size == SOURCE_SIZE) {
		fprintf(stderr, "mini: cannot read '%s', or it has 1 MiB\n", path ? path : "FILE.mini");
		return 2;
	}
	fclose(f);
	begin_module();
	read_program(source);
	if (next != source + size)
		fail(word, "byte 0 is not of the language", NULL);
	int status = failed ? 1 : output ? make_output() : run();
	circ_module_destroy(m);
	return status;
}
