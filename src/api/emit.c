/* api/emit.c: from a module to what the machine runs; LLVM stays behind src/emit and src/lower. */
#include "api/emission.h"

#include "abi/convention.h"
#include "abi/itanium.h"
#include "abi/layout.h"
#include "abi/microsoft.h"
#include "abi/target.h"
#include "api/api.h"
#include "emit/link.h"
#include "expand/expand.h"
#include "flatten/flatten.h"
#include "ir/verify.h"
#include "lower/lower.h"

#include <stdlib.h>

_Static_assert((int)CIRC_LLVM_IR == EMIT_LLVM_IR && (int)CIRC_BITCODE == EMIT_BITCODE &&
                   (int)CIRC_ASSEMBLY == EMIT_ASSEMBLY && (int)CIRC_OBJECT == EMIT_OBJECT,
               "circ/emit.h and emit/emit.h must agree");
_Static_assert((int)CIRC_LIBCXX == CXXLIB_LIBCXX && (int)CIRC_LIBSTDCXX == CXXLIB_LIBSTDCXX,
               "circ/emit.h and emit/link.h must agree");

static bool check_options(ApiCall *c, const Emission *e)
{
	char opt = e->options->opt;
	if (opt && !strchr("0123s", opt))
		return api_error(c, "'opt' is '%c'; expected '0', '1', '2', '3' or 's'", opt);
	return (unsigned)e->format <= CIRC_OBJECT || api_error(c, "%d is not a format", (int)e->format);
}

static bool find_triple(ApiCall *c, Emission *e)
{
	Str own = ir_module_triple(c->m);
	const char *given = e->options->triple;
	if (!given && own.len)
		given = arena_copy(&c->m->scratch, own.data, own.len);
	e->triple = emit_triple(given);
	if (!e->triple)
		arena_exhausted(&c->m->arena);
	if (e->options->triple) /* what lowers to an ABI asks the module */
		ir_module_set_attr(c->m, ir_known_name(c->m, NAME_cir_triple),
		                   ir_attr_string(c->m, str_of(e->triple)));
	return true;
}

typedef bool Pass(IrModule *m, Diags *d);

static bool run_pass(ApiCall *c, Pass *pass)
{
	bool ok = pass(c->m, &c->api->d);
	api_forget_blocks(c->m);
	c->api->broken = !ok;
	return ok;
}

/* Verifies, and does what is missing up to the form of exceptions that the target needs. */
static bool lower_exceptions(ApiCall *c, const Emission *e, const AbiTarget *target)
{
	Diags *d = &c->api->d;
	Stage stage = ir_module_stage(c->m);
	if (!ir_verify(c->m, stage, d))
		return false;
	if (stage == STAGE_STRUCTURED) {
		c->api->broken = !expand_module(c->m, target, d);
		if (c->api->broken || !run_pass(c, flatten_module))
			return false;
		stage = STAGE_FLAT;
	}
	bool microsoft = target->runtime == RUNTIME_MICROSOFT;
	Stage form = microsoft ? STAGE_MICROSOFT : STAGE_ITANIUM;
	if (stage == STAGE_FLAT || (stage == STAGE_ITANIUM && !microsoft))
		return run_pass(c, microsoft ? abi_lower_microsoft : abi_lower_itanium);
	return stage == form ||
	       api_error(c, "the module is in the %s form, but target '%s' needs the %s form",
	                 microsoft ? "Itanium" : "Microsoft", e->triple, microsoft ? "Microsoft" : "Itanium");
}

static bool reach_abi(ApiCall *c, const Emission *e)
{
	const AbiTarget *target = abi_target(str_of(e->triple));
	if (!target) {
		emit_report_unsupported(e->triple, (Loc){0}, &c->api->d);
		return false;
	}
	if (!abi_check_layout(c->m, &c->api->d) || !lower_exceptions(c, e, target))
		return false;
	bool ok = abi_lower_convention(c->m, target, e->options->features, &c->api->d, NULL, NULL);
	api_forget_blocks(c->m);
	c->api->broken = !ok;
	return ok;
}

static bool open_machine(ApiCall *c, Emission *e)
{
	Diags *d = &c->api->d;
	EmitTarget t = {.triple = e->triple,
	                .cpu = e->options->cpu,
	                .features = e->options->features,
	                .opt = e->options->opt ? e->options->opt : '0',
	                .pic = !e->options->no_pic};
	if (!e->options->triple)
		t.at = c->m->attrs_loc;
	e->machine = emit_target_machine(&t, d);
	if (!e->machine)
		return false;
	e->context = emit_context(d);
	e->layout = emit_machine_data_layout(e->machine, d);
	return e->context && e->layout;
}

static bool make_llvm(ApiCall *c, Emission *e)
{
	Diags *d = &c->api->d;
	bool optimized = e->options->opt && e->options->opt != '0';
	bool code = e->format == CIRC_OBJECT || e->format == CIRC_ASSEMBLY;
	if (!open_machine(c, e))
		return false;
	LowerOptions options = {.triple = e->triple,
	                        .data_layout = e->layout,
	                        .pic = !e->options->no_pic,
	                        .pie = !e->options->no_pic,
	                        .frame_pointers = !optimized,
	                        .debug = e->options->debug ? 5 : 0,
	                        .optimized = optimized,
	                        .code_only = code && !optimized,
	                        .plain_cpu = !e->options->cpu && !e->options->features,
	                        .places = code};
	e->module = lower_module(c->m, e->context, &options, d);
	return e->module && emit_verify(e->module, d) &&
	       emit_optimize(e->module, e->machine, e->options->opt ? e->options->opt : '0', d);
}

bool emission_make_llvm(ApiCall *c, Emission *e)
{
	static const CircEmitOptions defaults;
	if (!e->options)
		e->options = &defaults;
	return check_options(c, e) && find_triple(c, e) && reach_abi(c, e) && make_llvm(c, e);
}

static bool write_out(ApiCall *c, Emission *e)
{
	EmitFormat format = (EmitFormat)e->format;
	return e->path ? emit_file(e->module, e->machine, format, e->path, &c->api->d)
	               : emit_memory(e->module, e->machine, format, e->data, e->len, &c->api->d);
}

void emission_close(Emission *e)
{
	emit_dispose(e->context, e->module, e->machine);
	free(e->triple);
	free(e->layout);
}

/* e lives in the caller's frame: it is still whole after a longjmp to here. */
static bool emit(CircModule *m, const char *function, Emission *e)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	if (setjmp(c.guard.env)) {
		emission_close(e);
		api_out_of_memory(&c);
		return false;
	}
	bool ok = emission_make_llvm(&c, e) && write_out(&c, e);
	emission_close(e);
	api_end(&c);
	return ok;
}

static bool missing(CircModule *m, const char *function, const char *what)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	api_error(&c, "'%s' is NULL", what);
	api_end(&c);
	return false;
}

bool circ_module_emit_file(CircModule *m, const CircEmitOptions *options, CircFormat format, const char *path)
{
	Emission e = {.options = options, .format = format, .path = path};
	return path ? emit(m, __func__, &e) : missing(m, __func__, "path");
}

bool circ_module_emit_memory(CircModule *m, const CircEmitOptions *options, CircFormat format, char **data,
                             size_t *len)
{
	if (data)
		*data = NULL;
	if (len)
		*len = 0;
	if (!data || !len)
		return missing(m, __func__, data ? "len" : "data");
	Emission e = {.options = options, .format = format, .data = data, .len = len};
	return emit(m, __func__, &e);
}

/* Programs */

static bool check_link(const CircLinkOptions *o, Diags *d)
{
	const char *wrong = !o                                     ? "'options' is NULL"
	                    : !o->output                           ? "'output' is NULL"
	                    : o->ninputs && !o->inputs             ? "'inputs' is NULL"
	                    : (unsigned)o->cxxlib > CIRC_LIBSTDCXX ? "'cxxlib' is not a CircCxxLib"
	                                                           : NULL;
	for (size_t i = 0; !wrong && i < o->ninputs; i++)
		if (!o->inputs[i])
			wrong = "an input is NULL";
	if (wrong)
		diag_error(d, (Loc){0}, "circ_link: %s", wrong);
	return !wrong;
}

static bool link_inputs(const CircLinkOptions *o, const char *triple, Arena *a, Diags *d)
{
	if (o->triple && !triple)
		arena_exhausted(a);
	LinkInput *inputs = arena_array(a, LinkInput, o->ninputs);
	for (size_t i = 0; i < o->ninputs; i++)
		inputs[i].arg = o->inputs[i];
	LinkJob job = {.triple = triple,
	               .cxxlib = (CxxLib)o->cxxlib,
	               .pie = !o->no_pie,
	               .shared = o->shared,
	               .winsdk = o->winsdk,
	               .inputs = inputs,
	               .ninputs = o->ninputs,
	               .output = o->output};
	return link_program(&job, a, d);
}

bool circ_link(const CircLinkOptions *options, CircDiagnosticHandler *handler, void *user)
{
	Arena arena;
	OomGuard guard;
	Diags d;
	diag_init(&d, handler, user);
	if (!check_link(options, &d))
		return false;
	char *triple = options->triple ? emit_triple(options->triple) : NULL;
	arena_init(&arena);
	arena.oom = &guard;
	bool ok = false;
	if (setjmp(guard.env) == 0)
		ok = link_inputs(options, triple, &arena, &d);
	else
		diag_failure(&d, "circ_link: out of memory");
	arena_free(&arena);
	free(triple);
	return ok;
}
