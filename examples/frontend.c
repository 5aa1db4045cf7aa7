/* A front end in miniature: makes this function in memory, compiles it, links it with
 * frontend.cpp, and runs the program.
 *
 * 	int checked_sum(int a, int b) {
 * 		try {
 * 			Log log;                   // destroyed on every way out of the try
 * 			return checked(a) + checked(b);  // may throw an int, or anything else
 * 		} catch (int code) {
 * 			return -code;
 * 		}
 * 	}
 *
 * A real front end walks its syntax tree where this program has straight code; the calls
 * of libcirc are the same.
 *
 * 	frontend frontend.cpp
 */
#include <circ/circ.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Frontend {
	CircModule *m;
	CircBuilder *b;
	CircType *int_type, *void_ptr, *log_type, *log_ptr, *token;
	CircOp *log_ctor, *log_dtor, *checked;
} Frontend;

/* Every problem arrives here, whichever call had it. */
static void report(const CircDiagnostic *d, void *user)
{
	static const char *const severities[] = {"note", "remark", "warning", "error", "error"};
	(void)user;
	if (d->file)
		fprintf(stderr, "%s:%u:%u: ", d->file, d->line, d->column);
	fprintf(stderr, "%s: %s\n", severities[d->severity], d->message);
}

static CircOp *declare(Frontend *f, const char *name, CircType *param, CircType *result)
{
	return circ_func_declare(f->m, name, circ_type_func(f->m, &param, 1, result, false));
}

/* What the function refers to: the class Log { int depth; }, its constructor and destructor, and typeid(int). */
static void declare_surroundings(Frontend *f)
{
	CircModule *m = f->m;
	f->b = circ_builder_create(m);
	f->int_type = circ_type_int(m, 32, true);
	f->void_ptr = circ_type_ptr(m, circ_type_simple(m, CIRC_TYPE_VOID));
	f->token = circ_type_simple(m, CIRC_TYPE_EH_TOKEN);
	f->log_type = circ_type_record(m, CIRC_RECORD_STRUCT, "Log", 3);
	circ_record_set_body(m, f->log_type, &(CircRecordBody){.members = &f->int_type, .nmembers = 1});
	f->log_ptr = circ_type_ptr(m, f->log_type);

	f->log_ctor = declare(f, "_ZN3LogC1Ev", f->log_ptr, NULL);
	f->log_dtor = declare(f, "_ZN3LogD1Ev", f->log_ptr, NULL);
	circ_op_set_flag(m, f->log_ctor, "nothrow");
	circ_op_set_flag(m, f->log_dtor, "nothrow");
	f->checked = declare(f, "checked", f->int_type, f->int_type);
	circ_global_create(m, "_ZTIi", circ_type_ptr(m, circ_type_int(m, 8, false)), "external", NULL);
}

/* A block whose one argument is the exception on its way. */
static CircBlock *token_block(Frontend *f, CircRegion *body)
{
	CircBlock *b = circ_block_create(f->m, body);
	circ_block_add_arg(f->m, b, f->token);
	return b;
}

/* A call that goes to `unwind` when it throws; what follows is built where it returns. */
static CircValue *call_checked(Frontend *f, CircRegion *body, CircValue *argument, CircBlock *unwind)
{
	CircBlock *next = circ_block_create(f->m, body);
	CircOp *call = circ_build_try_call(f->b, f->checked, &argument, 1, next, unwind);
	circ_builder_at_end(f->b, next);
	return circ_op_result(call, 0);
}

/* ^unwind: the exception begins here; the Log is destroyed, then a handler is looked for. */
static void build_unwinding(Frontend *f, CircBlock *unwind, CircBlock *cleanup, CircBlock *dispatch,
                            CircValue *log)
{
	circ_builder_at_end(f->b, unwind);
	CircValue *token = circ_build_eh_initiate(f->b, true);
	circ_build_br(f->b, cleanup, &token, 1);

	circ_builder_at_end(f->b, cleanup);
	token = circ_block_arg(cleanup, 0);
	CircValue *scope = circ_build_begin_cleanup(f->b, token);
	circ_build_call(f->b, f->log_dtor, &log, 1);
	circ_build_end_cleanup(f->b, scope);
	circ_build_br(f->b, dispatch, &token, 1);
}

/* catch (int code) { return -code; } and, for everything else, onward. */
static void build_handlers(Frontend *f, CircRegion *body, CircBlock *dispatch)
{
	CircBlock *caught = token_block(f, body), *other = token_block(f, body);
	CircHandler handler = {"_ZTIi", caught};
	circ_builder_at_end(f->b, dispatch);
	circ_build_eh_dispatch(f->b, circ_block_arg(dispatch, 0), &handler, 1, other);

	circ_builder_at_end(f->b, caught);
	CircValue *object;
	CircValue *scope = circ_build_begin_catch(f->b, circ_block_arg(caught, 0),
	                                          circ_type_ptr(f->m, f->int_type), &object);
	CircValue *code = circ_build_load(f->b, object);
	circ_build_end_catch(f->b, scope);
	circ_build_return(f->b, circ_build_unary(f->b, "cir.minus", code));

	circ_builder_at_end(f->b, other);
	circ_build_resume(f->b, circ_block_arg(other, 0));
}

static void build_checked_sum(Frontend *f)
{
	CircType *params[] = {f->int_type, f->int_type};
	CircOp *func =
	    circ_func_create(f->m, "checked_sum", circ_type_func(f->m, params, 2, f->int_type, false));
	CircBlock *entry = circ_func_add_entry(f->m, func);
	CircRegion *body = circ_op_region(func, 0);
	CircBlock *unwind = circ_block_create(f->m, body);
	CircBlock *cleanup = token_block(f, body), *dispatch = token_block(f, body);

	circ_builder_at_end(f->b, entry);
	circ_builder_set_loc(f->b, "sum.lang", 3, 3);
	CircValue *log = circ_build_alloca(f->b, f->log_type, "log", 0);
	circ_build_call(f->b, f->log_ctor, &log, 1);
	circ_builder_set_loc(f->b, "sum.lang", 4, 10);
	CircValue *a = call_checked(f, body, circ_block_arg(entry, 0), unwind);
	CircValue *b = call_checked(f, body, circ_block_arg(entry, 1), unwind);
	CircValue *sum = circ_build_binary(f->b, "cir.add", a, b);
	circ_build_call(f->b, f->log_dtor, &log, 1);
	circ_build_return(f->b, sum);

	build_unwinding(f, unwind, cleanup, dispatch, log);
	build_handlers(f, body, dispatch);
}

/* The module as text, before anything is lowered: what `circ --emit=cir` would print. */
static bool show(Frontend *f)
{
	char *text;
	if (!circ_module_print(f->m, 0, &text, NULL))
		return false;
	fputs(text, stdout);
	circ_free(text);
	return true;
}

static bool make_object(const char *path)
{
	Frontend f = {.m = circ_module_create(report, NULL)};
	if (!f.m)
		return false;
	declare_surroundings(&f);
	build_checked_sum(&f);
	CircEmitOptions options = {.opt = '2'};
	bool ok = circ_module_verify(f.m, CIRC_STAGE_FLAT) && show(&f) &&
	          circ_module_emit_file(f.m, &options, CIRC_OBJECT, path);
	circ_module_destroy(f.m);
	return ok;
}

int main(int argc, char **argv)
{
	const char *inputs[] = {"checked_sum.o", argc > 1 ? argv[1] : "frontend.cpp"};
	CircLinkOptions link = {.inputs = inputs, .ninputs = 2, .output = "checked_sum"};
	if (!make_object("checked_sum.o") || !circ_link(&link, report, NULL))
		return 1;
	fflush(stdout);
	return system("./checked_sum") != 0;
}
