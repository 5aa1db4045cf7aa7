/* repl: a small interactive language. Every line becomes machine code in this process, runs, and may throw.
 *
 * 	> ratio(a, b) = 100 * a / b              a function: a module that stays until it is replaced or dropped
 * 	> x = 6                                  a variable: memory of this program that the code refers to
 * 	> ratio(x, 8)                            an expression: a module that is removed once it has run
 * 	75
 * 	> ratio(x, 0)                            an exception passes the frames of all modules on its way
 * 	error: division by zero
 * 	> safe(a, b) = try ratio(a, b) catch e : 0
 * 	> safe(x, 0)
 * 	0
 * 	> ratio(a, b) = b < 1 ? throw b : a / b  a new module in place of the old one, also for safe()
 * 	> drop ratio/2                           and none at all
 *
 * 	line       = NAME "(" [ NAME { "," NAME } ] ")" "=" expression  |  NAME "=" expression  |  "drop" NAME "/" NUMBER  |  expression
 * 	expression = "try" expression "catch" NAME ":" expression  |  "throw" expression
 * 	           | condition [ "?" expression ":" expression ]
 * 	condition  = == != < <= > >= + - * / of C, "-", "(" expression ")", NUMBER, NAME, NAME "(" arguments ")"
 *
 * Numbers have 64 bits and wrap around; so do exceptions, which are numbers, too: long in C++. print(x) is a function of this program. Functions
 * are called through a pointer, their cell: so one may call what is defined later or not at all, and modules never need each other. */
#define _POSIX_C_SOURCE 200809L
#include <circ/circ.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 32, SYMBOL_SIZE = 2 * NAME_SIZE, LOCALS_MAX = 32, DEPTH_MAX = 200, STACK = 4 << 20 };
/* What is thrown, but by `throw`. */
#define BY_ZERO   INT64_MIN
#define UNDEFINED (INT64_MIN + 1)
#define TOO_DEEP  (INT64_MIN + 2)

/* The first module. */
static const char prelude[] = "!s64i = !cir.int<s, 64>\n"
                              "cir.global \"private\" constant external @_ZTIl : !cir.ptr<!cir.int<u, 8>>\n"
                              "cir.func @throw(%x: !s64i) -> !s64i {\n"
                              "  %e = cir.alloc.exception 8 -> !cir.ptr<!s64i>\n"
                              "  cir.store %x, %e : !s64i, !cir.ptr<!s64i>\n"
                              "  cir.throw %e : !cir.ptr<!s64i>, @_ZTIl\n"
                              "  cir.unreachable\n"
                              "}\n";

/* A variable or a function: an address that code knows as SYMBOL, and what is there. */
typedef struct Entry {
	struct Entry *next;
	char name[NAME_SIZE], symbol[SYMBOL_SIZE];
	int nparams; /* -1: a variable */
	int64_t value;
	void *code;            /* NULL: not defined yet */
	CircJitModule *module; /* that has the code */
} Entry;

static CircJit *jit;
static Entry *entries;
static unsigned nmodules;
static int64_t lowest; /* address on the stack that calls may reach */

/* The line at hand. */
static const char *text, *next;
static unsigned depth;
static jmp_buf wrong;
static CircModule *m;
static CircBuilder *b;
static CircType *number, *number_ptr;
static struct Local {
	char name[NAME_SIZE];
	CircValue *value;
} locals[LOCALS_MAX];
static int nlocals;

/* ---- words ---- */

static _Noreturn void fail(const char *what)
{
	printf("error: column %d: %s\n", (int)(next - text) + 1, what);
	longjmp(wrong, 1);
}

/* Every problem that libcirc finds comes here. */
static void report(const CircDiagnostic *d, void *user)
{
	(void)user;
	printf("error: %s\n", d->message);
}

static bool accept(const char *word)
{
	size_t len = strlen(word);
	next += strspn(next, " \t\n");
	bool whole = !isalpha((unsigned char)*word) || !isalnum((unsigned char)next[len]);
	if (strncmp(next, word, len) != 0 || !whole)
		return false;
	next += len;
	return true;
}

static void expect(const char *word)
{
	char message[NAME_SIZE];
	snprintf(message, sizeof message, "expected '%s'", word);
	if (!accept(word))
		fail(message);
}

static void read_name(char name[NAME_SIZE])
{
	size_t len = 0;
	accept("");
	while (isalnum((unsigned char)next[len]))
		len++;
	if (!isalpha((unsigned char)*next) || len >= NAME_SIZE)
		fail(len >= NAME_SIZE ? "the name is too long" : "expected a name");
	snprintf(name, NAME_SIZE, "%.*s", (int)len, next);
	next += len;
}

/* A new one with nothing there, if need be. */
static Entry *entry(const char *name, int nparams, bool create)
{
	Entry *e = entries;
	while (e && (strcmp(e->name, name) != 0 || e->nparams != nparams))
		e = e->next;
	if (e || !create)
		return e;
	e = calloc(1, sizeof *e);
	if (!e)
		abort();
	e->next = entries;
	e->nparams = nparams;
	snprintf(e->name, sizeof e->name, "%s", name);
	snprintf(e->symbol, sizeof e->symbol, "%s.%d", name, nparams);
	circ_jit_add_symbol(jit, e->symbol, nparams < 0 ? (void *)&e->value : (void *)&e->code);
	return entries = e;
}

static void add_local(const char *name, CircValue *value)
{
	if (nlocals == LOCALS_MAX)
		fail("there are too many names");
	struct Local *local = &locals[nlocals++];
	snprintf(local->name, sizeof local->name, "%s", name);
	local->value = value;
}

/* ---- code ---- */

/* Of a function of numbers. */
static CircType *function_type(int nparams)
{
	CircType *params[LOCALS_MAX];
	for (int i = 0; i < nparams; i++)
		params[i] = number;
	return circ_type_func(m, params, (size_t)nparams, number, false);
}

/* What is at the entry's address. */
static CircValue *load(const Entry *e)
{
	CircType *type = e->nparams < 0 ? number : circ_type_ptr(m, function_type(e->nparams));
	CircOp *global = circ_module_symbol(m, e->symbol, strlen(e->symbol));
	if (!global)
		global = circ_global_create(m, e->symbol, type, "external", NULL);
	return circ_build_load(b, circ_build_get_global(b, global));
}

static CircValue *build_throw(CircValue *value)
{
	CircOp *callee = circ_func_declare(m, "throw", function_type(1));
	return circ_op_result(circ_build_call(b, callee, &value, 1), 0);
}

/* by == 0 ? throw BY_ZERO : by == -1 ? -value : value / by; the second, since the processor traps where the quotient does not fit. */
static CircValue *build_division(CircValue *value, CircValue *by)
{
	CircOp *zero =
	    circ_build_ternary(b, circ_build_cmp(b, "eq", by, circ_build_int(b, number, 0)), number);
	circ_builder_enter(b, zero, 0);
	circ_builder_leave(b, build_throw(circ_build_int(b, number, BY_ZERO)));
	circ_builder_enter(b, zero, 1);
	CircOp *minus =
	    circ_build_ternary(b, circ_build_cmp(b, "eq", by, circ_build_int(b, number, -1)), number);
	circ_builder_enter(b, minus, 0);
	circ_builder_leave(b, circ_build_unary(b, "cir.minus", value));
	circ_builder_enter(b, minus, 1);
	circ_builder_leave(b, circ_build_binary(b, "cir.div", value, by));
	circ_builder_leave(b, circ_op_result(minus, 0));
	return circ_op_result(zero, 0);
}

/* ---- expressions ---- */

static CircValue *read_expression(void);

static CircValue *read_call(const char *name)
{
	CircValue *args[LOCALS_MAX];
	int nargs = 0;
	while (!accept(")")) {
		if (nargs == LOCALS_MAX)
			fail("there are too many arguments");
		if (nargs)
			expect(",");
		args[nargs++] = read_expression();
	}
	CircValue *callee = load(entry(name, nargs, true));
	return circ_op_result(circ_build_call_indirect(b, callee, args, (size_t)nargs), 0);
}

static CircValue *read_number(void)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(next, &end, 10);
	if (errno)
		fail("the number is too large");
	next = end;
	return circ_build_int(b, number, (int64_t)value);
}

static CircValue *read_plain_operand(void)
{
	char name[NAME_SIZE];
	if (accept("(")) {
		CircValue *inner = read_expression();
		expect(")");
		return inner;
	}
	if (isdigit((unsigned char)*next))
		return read_number();
	read_name(name);
	if (accept("("))
		return read_call(name);
	for (int i = nlocals; i > 0; i--)
		if (strcmp(locals[i - 1].name, name) == 0)
			return locals[i - 1].value;
	const Entry *variable = entry(name, -1, false);
	if (!variable)
		fail("there is no such variable");
	return load(variable);
}

static CircValue *read_operand(void)
{
	bool negative = false;
	while (accept("-"))
		negative = !negative;
	CircValue *value = read_plain_operand();
	return negative ? circ_build_unary(b, "cir.minus", value) : value;
}

/* The higher the level, the tighter it binds. */
static const struct Operator {
	const char *sign, *mnemonic;
	int level;
} operators[] = {{"==", "eq", 1},     {"!=", "ne", 1},    {"<=", "le", 2},     {"<", "lt", 2},
                 {">=", "ge", 2},     {">", "gt", 2},     {"+", "cir.add", 3}, {"-", "cir.sub", 3},
                 {"*", "cir.mul", 4}, {"/", "cir.div", 4}};

static CircValue *build_operator(const struct Operator *o, CircValue *left, CircValue *right)
{
	if (strcmp(o->mnemonic, "cir.div") == 0)
		return build_division(left, right);
	if (strncmp(o->mnemonic, "cir.", 4) == 0)
		return circ_build_binary(b, o->mnemonic, left, right);
	return circ_build_cast(b, "bool_to_int", circ_build_cmp(b, o->mnemonic, left, right), number);
}

/* Of operators of that level and above. */
static CircValue *read_condition(int level)
{
	CircValue *left = read_operand();
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		if (operators[i].level < level || !accept(operators[i].sign))
			continue;
		left = build_operator(&operators[i], left, read_condition(operators[i].level + 1));
		i = SIZE_MAX; /* from the first on again */
	}
	return left;
}

static CircValue *read_try(void)
{
	char name[NAME_SIZE];
	CircValue *slot = circ_build_alloca(b, number, "", 0);
	CircOp *op = circ_build_try(b);
	circ_builder_enter(b, op, 0);
	circ_build_store(b, read_expression(), slot);
	expect("catch");
	read_name(name);
	expect(":");
	circ_builder_at_end(b, circ_try_add_handler(m, op, "_ZTIl"));
	add_local(name, circ_build_load(b, circ_build_catch_param(b, number_ptr)));
	circ_build_store(b, read_expression(), slot);
	nlocals--;
	circ_builder_finish(b, op);
	return circ_build_load(b, slot);
}

/* Behind the condition and "?". */
static CircValue *read_choice(CircValue *condition)
{
	CircOp *op = circ_build_ternary(
	    b, circ_build_cast(b, "int_to_bool", condition, circ_type_simple(m, CIRC_TYPE_BOOL)), number);
	circ_builder_enter(b, op, 0);
	circ_builder_leave(b, read_expression());
	expect(":");
	circ_builder_enter(b, op, 1);
	circ_builder_leave(b, read_expression());
	return circ_op_result(op, 0);
}

static CircValue *read_expression(void)
{
	CircValue *value;
	if (depth++ == DEPTH_MAX)
		fail("this is nested too deeply");
	if (accept("try"))
		value = read_try();
	else if (accept("throw"))
		value = build_throw(read_expression());
	else if (value = read_condition(1), accept("?"))
		value = read_choice(value);
	depth--;
	return value;
}

/* ---- modules ---- */

static CircBlock *begin_function(const char *symbol, CircType *type)
{
	CircOp *function = circ_func_create(m, symbol, type);
	CircBlock *body = circ_func_add_entry(m, function);
	circ_builder_at_end(b, body);
	return body;
}

/* Throws before the stack is full. */
static void check_depth(void)
{
	CircValue *here = circ_build_cast(b, "ptr_to_int", circ_build_alloca(b, number, "here", 0), number);
	CircOp *op = circ_build_if(b, circ_build_cmp(b, "lt", here, circ_build_int(b, number, lowest)));
	circ_builder_enter(b, op, 0);
	build_throw(circ_build_int(b, number, TOO_DEEP));
	circ_builder_finish(b, op);
}

/* The value of the rest of the line is what the function at hand returns, and what it stores, if it is told where. */
static void read_rest(CircValue *where)
{
	CircValue *value = read_expression();
	if (!accept("") || *next)
		fail("expected an operator or the end of the line");
	if (where)
		circ_build_store(b, value, where);
	else
		circ_build_return(b, value);
}

/* The code of m, which is there as SYMBOL from now on. */
static CircJitModule *add(const char *symbol, void **code)
{
	CircJitModule *added = circ_jit_add_module(jit, m);
	*code = added ? circ_jit_lookup(jit, symbol) : NULL;
	if (added && !*code)
		circ_jit_remove_module(jit, added);
	return *code ? added : NULL;
}

/* The function is the code of m now, and its former module goes. */
static void replace(Entry *e, const char *symbol)
{
	void *code;
	CircJitModule *former = e->module, *added = add(symbol, &code);
	if (!added)
		return;
	e->code = code;
	e->module = added;
	if (former)
		circ_jit_remove_module(jit, former);
}

static void begin_module(void)
{
	m = circ_module_create(report, NULL);
	b = circ_builder_create(m);
	number = circ_type_int(m, 64, true);
	number_ptr = circ_type_ptr(m, number);
	circ_global_create(m, "_ZTIl", circ_type_ptr(m, circ_type_int(m, 8, false)), "external", NULL);
	nlocals = 0;
	depth = 0;
	nmodules++;
}

/* A function that throws UNDEFINED. */
static void undefine(Entry *e)
{
	char symbol[SYMBOL_SIZE];
	begin_module();
	snprintf(symbol, sizeof symbol, "%s.%u.code", e->name, nmodules);
	begin_function(symbol, function_type(e->nparams));
	circ_build_return(b, build_throw(circ_build_int(b, number, UNDEFINED)));
	replace(e, symbol);
	circ_module_destroy(m);
}

/* ---- lines ---- */

static void read_function(const char *name)
{
	char symbol[SYMBOL_SIZE], params[LOCALS_MAX][NAME_SIZE];
	int nparams = 0;
	while (!accept(")")) {
		if (nparams == LOCALS_MAX)
			fail("there are too many parameters");
		if (nparams)
			expect(",");
		read_name(params[nparams++]);
	}
	expect("=");
	snprintf(symbol, sizeof symbol, "%s.%u.code", name, nmodules);
	const CircBlock *body = begin_function(symbol, function_type(nparams));
	for (int i = 0; i < nparams; i++)
		add_local(params[i], circ_block_arg(body, (size_t)i));
	check_depth();
	read_rest(NULL);
	replace(entry(name, nparams, true), symbol);
}

/* bool line(long *result) { try { *result = …; return true; } catch (long e) { *result = e; return false; } } */
static CircJitModule *compile_expression(void **code)
{
	CircType *yes_or_no = circ_type_simple(m, CIRC_TYPE_BOOL);
	CircValue *result =
	    circ_block_arg(begin_function("line", circ_type_func(m, &number_ptr, 1, yes_or_no, false)), 0);
	CircOp *op = circ_build_try(b);
	circ_builder_enter(b, op, 0);
	read_rest(result);
	circ_build_return(b, circ_build_bool(b, true));
	circ_builder_at_end(b, circ_try_add_handler(m, op, "_ZTIl"));
	circ_build_store(b, circ_build_load(b, circ_build_catch_param(b, number_ptr)), result);
	circ_build_return(b, circ_build_bool(b, false));
	circ_builder_finish(b, op);
	return add("line", code);
}

/* What the line names for the first time is there before it runs. */
static void define_the_rest(void)
{
	for (Entry *e = entries; e; e = e->next)
		if (e->nparams >= 0 && !e->code)
			undefine(e);
}

static void tell_thrown(int64_t value)
{
	if (value == BY_ZERO)
		printf("error: division by zero\n");
	else if (value == UNDEFINED)
		printf("error: a function is called that is not defined\n");
	else if (value == TOO_DEEP)
		printf("error: calls are nested too deeply\n");
	else
		printf("error: %" PRId64 " was thrown\n", value);
}

static bool evaluate(int64_t *result)
{
	bool (*line)(int64_t *);
	void *code;
	CircJitModule *module = compile_expression(&code);
	if (!module)
		return false;
	CircModule *own = m;
	define_the_rest();
	m = own;
	memcpy(&line, &code, sizeof line); /* ISO C has no such cast */
	bool ok = line(result);
	circ_jit_remove_module(jit, module);
	if (!ok)
		tell_thrown(*result);
	return ok;
}

static void read_drop(void)
{
	char name[NAME_SIZE];
	read_name(name);
	expect("/");
	Entry *e = entry(name, (int)strtol(next, (char **)(uintptr_t)&next, 10), false);
	if (!e || e->nparams < 0)
		fail("there is no such function");
	if (accept(""), *next)
		fail("expected the end of the line");
	CircModule *own = m;
	undefine(e);
	m = own;
}

static void read_line(void)
{
	char name[NAME_SIZE];
	int64_t value;
	const char *equals = strchr(text, '=');
	bool defines = equals && equals > text && equals[1] != '=' && !strchr("!<>", equals[-1]);
	if (accept("drop"))
		read_drop();
	else if (!defines && evaluate(&value))
		printf("%" PRId64 "\n", value);
	else if (defines && (read_name(name), accept("(")))
		read_function(name);
	else if (defines && (expect("="), evaluate(&value)))
		entry(name, -1, true)->value = value;
}

static void read_lines(void)
{
	bool asks = isatty(STDIN_FILENO);
	char *line = NULL;
	size_t size = 0;
	while (asks ? fputs("> ", stdout) : true, fflush(stdout), getline(&line, &size, stdin) >= 0) {
		text = next = line;
		if (accept(""), !*next)
			continue;
		begin_module();
		if (!setjmp(wrong))
			read_line();
		circ_module_destroy(m);
		define_the_rest();
	}
	free(line);
}

static int64_t print(int64_t value)
{
	printf("%" PRId64 "\n", value);
	return value;
}

int main(void)
{
	int64_t (*function)(int64_t) = print;
	/* Not that of a variable, which sanitizers keep elsewhere. */
	lowest = (int64_t)(intptr_t)__builtin_frame_address(0) - STACK;
	jit = circ_jit_create(NULL, report, NULL);
	m = circ_module_parse("prelude", prelude, strlen(prelude), report, NULL);
	if (!jit || !circ_jit_add_module(jit, m))
		return EXIT_FAILURE;
	circ_module_destroy(m);
	memcpy(&entry("print", 1, true)->code, &function, sizeof function);
	read_lines();
	circ_jit_destroy(jit);
	for (Entry *e = entries, *older; e; e = older) {
		older = e->next;
		free(e);
	}
	return EXIT_SUCCESS;
}
