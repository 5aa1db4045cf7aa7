/* A calculator that compiles: every line becomes machine code in this process, runs, and may throw.
 *
 * 	> ratio(a, b) = 100 * a / b      a function: a module that stays
 * 	> x = 6                          a variable: memory of this program that the code refers to
 * 	> ratio(x, 8)                    an expression: a module that is removed once it has run
 * 	75
 * 	> ratio(x, 0)                    the division throws, through the frames of both modules
 * 	error: division by zero
 *
 * Numbers are 64-bit integers that wrap around. Lines come from standard input; each is
 * made of two functions, as if it were
 *
 * 	long value() { return ratio(x, 0); }
 * 	int line(long *result) { try { *result = value(); return OK; } catch (int code) { return code; } }
 *
 * of which the second is called. */
#include <circ/circ.h>

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_LEN = 32, PARAMS_MAX = 8, DEPTH_MAX = 200 };
enum { OK, DIVISION_BY_ZERO, OVERFLOW }; /* what is thrown, and what a line returns */

typedef struct Variable {
	struct Variable *next;
	char name[NAME_MAX_LEN];
	char symbol[NAME_MAX_LEN + 16];
	int64_t value;
} Variable;

typedef struct Function {
	struct Function
	    *next; /* an older one of the same name may follow: what was compiled with it still uses it */
	char name[NAME_MAX_LEN];
	char symbol[NAME_MAX_LEN + 16];
	size_t nparams;
} Function;

typedef struct Calculator {
	CircJit *jit;
	Variable *variables;
	Function *functions;
	unsigned nlines;
} Calculator;

/* One line while it is compiled. After an error nothing more is built. */
typedef struct Line {
	Calculator *calculator;
	const char *text, *at;
	char params[PARAMS_MAX][NAME_MAX_LEN];
	size_t nparams;
	unsigned depth;
	CircModule *m;
	CircBuilder *b;
	CircType *s64, *s32;
	CircOp *func; /* that is being built */
	CircBlock *entry;
} Line;

/* Every problem that libcirc finds arrives here. */
static void report(const CircDiagnostic *d, void *user)
{
	(void)user;
	printf("error: %s\n", d->message);
}

static void *allocate(size_t size)
{
	void *p = calloc(1, size);
	if (!p) {
		fprintf(stderr, "out of memory\n");
		exit(EXIT_FAILURE);
	}
	return p;
}

/* ---- reading ---- */

static CircValue *syntax_error(const Line *l, const char *what)
{
	printf("error: column %d: %s\n", (int)(l->at - l->text) + 1, what);
	return NULL;
}

static char peek(Line *l)
{
	while (isspace((unsigned char)*l->at))
		l->at++;
	return *l->at;
}

static bool accept(Line *l, char c)
{
	if (peek(l) != c)
		return false;
	l->at++;
	return true;
}

static bool read_name(Line *l, char name[NAME_MAX_LEN])
{
	size_t len = 0;
	peek(l);
	while (isalnum((unsigned char)l->at[len]))
		len++;
	if (!isalpha((unsigned char)*l->at) || len >= NAME_MAX_LEN) {
		syntax_error(l, len >= NAME_MAX_LEN ? "the name is too long" : "expected a name");
		return false;
	}
	memcpy(name, l->at, len);
	name[len] = '\0';
	l->at += len;
	return true;
}

/* ---- code ---- */

static CircBlock *new_block(Line *l)
{
	return circ_block_create(l->m, circ_op_region(l->func, 0));
}

/* if (condition) throw code; what follows is built behind it. */
static void build_throw_if(Line *l, CircValue *condition, int code)
{
	CircBlock *throws = new_block(l), *goes_on = new_block(l);
	circ_build_brcond(l->b, condition, (CircSuccessor){.block = throws},
	                  (CircSuccessor){.block = goes_on});
	circ_builder_at_end(l->b, throws);
	CircValue *exception = circ_build_alloc_exception(l->b, l->s32);
	circ_build_store(l->b, circ_build_int(l->b, l->s32, code), exception);
	circ_build_throw(l->b, exception, "_ZTIi", NULL);
	circ_build_unreachable(l->b);
	circ_builder_at_end(l->b, goes_on);
}

static CircValue *build_division(Line *l, CircValue *a, CircValue *b)
{
	CircValue *by_zero = circ_build_cmp(l->b, "eq", b, circ_build_int(l->b, l->s64, 0));
	build_throw_if(l, by_zero, DIVISION_BY_ZERO);
	/* The one quotient that does not fit; the processor would trap. */
	CircValue *no = circ_build_bool(l->b, false);
	CircValue *least = circ_build_cmp(l->b, "eq", a, circ_build_int(l->b, l->s64, INT64_MIN));
	CircValue *minus_one = circ_build_cmp(l->b, "eq", b, circ_build_int(l->b, l->s64, -1));
	build_throw_if(l, circ_build_select(l->b, least, minus_one, no), OVERFLOW);
	return circ_build_binary(l->b, "cir.div", a, b);
}

/* The type of a function of `n` numbers. */
static CircType *function_type(Line *l, size_t n)
{
	CircType *params[PARAMS_MAX];
	for (size_t i = 0; i < n; i++)
		params[i] = l->s64;
	return circ_type_func(l->m, params, n, l->s64, false);
}

static CircValue *build_variable(Line *l, const char *name)
{
	for (size_t i = 0; i < l->nparams; i++)
		if (strcmp(l->params[i], name) == 0)
			return circ_block_arg(l->entry, i);
	for (const Variable *v = l->calculator->variables; v; v = v->next) {
		if (strcmp(v->name, name) != 0)
			continue;
		CircOp *global = circ_module_symbol(l->m, v->symbol, strlen(v->symbol));
		if (!global)
			global = circ_global_create(l->m, v->symbol, l->s64, "external", NULL);
		return circ_build_load(l->b, circ_build_get_global(l->b, global));
	}
	return syntax_error(l, "there is no such variable");
}

/* ---- expressions ---- */

static CircValue *read_sum(Line *l);

static CircValue *read_call(Line *l, const char *name)
{
	CircValue *args[PARAMS_MAX];
	size_t nargs = 0;
	const Function *f = l->calculator->functions;
	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	if (!f)
		return syntax_error(l, "there is no such function");
	do {
		if (nargs == f->nparams)
			return syntax_error(l, "the function has fewer parameters");
		if (!(args[nargs++] = read_sum(l)))
			return NULL;
	} while (accept(l, ','));
	if (nargs < f->nparams)
		return syntax_error(l, "the function has more parameters");
	if (!accept(l, ')'))
		return syntax_error(l, "expected ')'");
	CircOp *callee = circ_func_declare(l->m, f->symbol, function_type(l, nargs));
	return circ_op_result(circ_build_call(l->b, callee, args, nargs), 0);
}

static CircValue *read_number(Line *l)
{
	char *end;
	int64_t value = (int64_t)strtoull(l->at, &end, 10);
	l->at = end;
	return circ_build_int(l->b, l->s64, value);
}

static CircValue *read_operand(Line *l);

static CircValue *read_operand_inside(Line *l)
{
	char name[NAME_MAX_LEN];
	if (accept(l, '-')) {
		CircValue *operand = read_operand(l);
		return operand ? circ_build_unary(l->b, "cir.minus", operand) : NULL;
	}
	if (accept(l, '(')) {
		CircValue *inner = read_sum(l);
		return inner && !accept(l, ')') ? syntax_error(l, "expected ')'") : inner;
	}
	if (isdigit((unsigned char)peek(l)))
		return read_number(l);
	if (!read_name(l, name))
		return NULL;
	return accept(l, '(') ? read_call(l, name) : build_variable(l, name);
}

static CircValue *read_operand(Line *l)
{
	if (l->depth == DEPTH_MAX)
		return syntax_error(l, "this is nested too deeply");
	l->depth++;
	CircValue *operand = read_operand_inside(l);
	l->depth--;
	return operand;
}

static CircValue *read_product(Line *l)
{
	CircValue *a = read_operand(l);
	while (a && (peek(l) == '*' || peek(l) == '/')) {
		bool times = *l->at++ == '*';
		CircValue *b = read_operand(l);
		if (!b)
			return NULL;
		a = times ? circ_build_binary(l->b, "cir.mul", a, b) : build_division(l, a, b);
	}
	return a;
}

static CircValue *read_sum(Line *l)
{
	CircValue *a = read_product(l);
	while (a && (peek(l) == '+' || peek(l) == '-')) {
		const char *mnemonic = *l->at++ == '+' ? "cir.add" : "cir.sub";
		CircValue *b = read_product(l);
		a = b ? circ_build_binary(l->b, mnemonic, a, b) : NULL;
	}
	return a;
}

/* ---- lines ---- */

/* The function whose result is the expression that follows. Its errors have been printed. */
static bool build_function(Line *l, const char *symbol)
{
	l->func = circ_func_create(l->m, symbol, function_type(l, l->nparams));
	l->entry = circ_func_add_entry(l->m, l->func);
	circ_builder_at_end(l->b, l->entry);
	CircValue *result = read_sum(l);
	if (result && peek(l) != '\0')
		result = syntax_error(l, "expected an operator or the end of the line");
	return result && circ_build_return(l->b, result);
}

/* int line(long *result) { try { *result = value(); return OK; } catch (int code) { return code; } } */
static void build_line(Line *l, CircOp *value)
{
	CircType *param = circ_type_ptr(l->m, l->s64),
	         *token_type = circ_type_simple(l->m, CIRC_TYPE_EH_TOKEN);
	l->func = circ_func_create(l->m, "line", circ_type_func(l->m, &param, 1, l->s32, false));
	l->entry = circ_func_add_entry(l->m, l->func);
	CircBlock *returned = new_block(l), *thrown = new_block(l), *caught = new_block(l),
	          *other = new_block(l);
	CircValue *token = circ_block_add_arg(l->m, caught, token_type), *object;

	circ_builder_at_end(l->b, l->entry);
	CircOp *call = circ_build_try_call(l->b, value, NULL, 0, returned, thrown);
	circ_builder_at_end(l->b, returned);
	circ_build_store(l->b, circ_op_result(call, 0), circ_block_arg(l->entry, 0));
	circ_build_return(l->b, circ_build_int(l->b, l->s32, OK));

	circ_builder_at_end(l->b, thrown);
	circ_build_eh_dispatch(l->b, circ_build_eh_initiate(l->b, false), &(CircHandler){"_ZTIi", caught}, 1,
	                       other);
	circ_builder_at_end(l->b, caught);
	CircValue *scope = circ_build_begin_catch(l->b, token, circ_type_ptr(l->m, l->s32), &object);
	CircValue *code = circ_build_load(l->b, object);
	circ_build_end_catch(l->b, scope);
	circ_build_return(l->b, code);

	token = circ_block_add_arg(l->m, other, token_type);
	circ_builder_at_end(l->b, other);
	circ_build_resume(l->b, token);
}

static bool run(Line *l, int64_t *result)
{
	static const char *const messages[] = {"", "division by zero", "the quotient does not fit"};
	int (*line)(int64_t *);
	int code = -1;
	CircJitModule *module = circ_jit_add_module(l->calculator->jit, l->m);
	void *address = module ? circ_jit_lookup(l->calculator->jit, "line") : NULL;
	if (address) {
		memcpy(&line, &address, sizeof line); /* ISO C has no such cast */
		code = line(result);
	}
	if (module)
		circ_jit_remove_module(l->calculator->jit, module);
	if (code > OK)
		printf("error: %s\n", messages[code]);
	return code == OK;
}

static bool evaluate(Line *l, int64_t *result)
{
	if (!build_function(l, "value"))
		return false;
	build_line(l, l->func);
	return run(l, result);
}

static void assign(Line *l, const char *name)
{
	Calculator *c = l->calculator;
	Variable *v = c->variables;
	int64_t value;
	if (!evaluate(l, &value))
		return;
	while (v && strcmp(v->name, name) != 0)
		v = v->next;
	if (!v) {
		v = allocate(sizeof *v);
		v->next = c->variables;
		c->variables = v;
		strcpy(v->name, name);
		snprintf(v->symbol, sizeof v->symbol, "variable.%s", name);
		circ_jit_add_symbol(c->jit, v->symbol, &v->value);
	}
	v->value = value;
}

/* It knows those before it; so nothing is recursive. */
static void define(Line *l, const char *name)
{
	Calculator *c = l->calculator;
	Function *f = allocate(sizeof *f);
	f->nparams = l->nparams;
	strcpy(f->name, name);
	snprintf(f->symbol, sizeof f->symbol, "%s.%u", name, c->nlines);
	if (!build_function(l, f->symbol) || !circ_jit_add_module(c->jit, l->m)) {
		free(f);
		return;
	}
	f->next = c->functions;
	c->functions = f;
}

static bool read_params(Line *l)
{
	do {
		if (l->nparams == PARAMS_MAX) {
			syntax_error(l, "there are too many parameters");
			return false;
		}
		if (!read_name(l, l->params[l->nparams++]))
			return false;
	} while (accept(l, ','));
	if (accept(l, ')'))
		return true;
	syntax_error(l, "expected ')'");
	return false;
}

/* name = expression, name(params) = expression. */
static void read_definition(Line *l)
{
	char name[NAME_MAX_LEN];
	if (!read_name(l, name))
		return;
	bool is_function = accept(l, '(');
	if (is_function && !read_params(l))
		return;
	if (!accept(l, '='))
		syntax_error(l, "expected '='");
	else if (is_function)
		define(l, name);
	else
		assign(l, name);
}

static void read_line(Calculator *c, const char *text)
{
	Line l = {.calculator = c, .text = text, .at = text, .m = circ_module_create(report, NULL)};
	int64_t result;
	c->nlines++;
	l.b = circ_builder_create(l.m);
	l.s64 = circ_type_int(l.m, 64, true);
	l.s32 = circ_type_int(l.m, 32, true);
	circ_global_create(l.m, "_ZTIi", circ_type_ptr(l.m, circ_type_int(l.m, 8, false)), "external", NULL);
	if (strchr(text, '='))
		read_definition(&l);
	else if (peek(&l) != '\0' && evaluate(&l, &result))
		printf("%lld\n", (long long)result);
	circ_module_destroy(l.m);
}

static void finish(Calculator *c)
{
	circ_jit_destroy(c->jit);
	for (Variable *v = c->variables, *next; v; v = next) {
		next = v->next;
		free(v);
	}
	for (Function *f = c->functions, *next; f; f = next) {
		next = f->next;
		free(f);
	}
}

int main(void)
{
	Calculator c = {.jit = circ_jit_create(NULL, report, NULL)};
	bool asks = isatty(STDIN_FILENO);
	char *text = NULL;
	size_t size = 0;
	if (!c.jit)
		return EXIT_FAILURE;
	while (asks ? fputs("> ", stdout) : true, fflush(stdout), getline(&text, &size, stdin) >= 0)
		read_line(&c, text);
	free(text);
	finish(&c);
	return EXIT_SUCCESS;
}
