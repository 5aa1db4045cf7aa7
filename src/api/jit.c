/* api/jit.c: modules to code in this process; ORC stays behind src/jit. */
#include "jit/jit.h"
#include "api/emission.h"
#include "explain/loaded.h"
#include "explain/names/demangle.h"
#include "ir/eh_runtime.h"
#include "ir/external_symbols.h"
#include "pipeline/lazy.h"

#include <stdlib.h>

struct CircJit {
	Jit *jit;
	CircDiagnosticHandler *handler;
	void *user;
	CircJitCodeHandler *code_handler;
	void *code_user;
	char *cpu, *features; /* or NULL */
	char opt;
	bool debug;
	bool no_asm_files;
	bool lazy;
	uint32_t lazy_ops;
};

/* NULL stays NULL; false: no memory. */
static bool copy_string(const char *s, char **out)
{
	*out = s ? strdup(s) : NULL;
	return !s || *out;
}

static bool fill_options(CircJit *j, const CircJitOptions *o, Diags *d)
{
	if (o->opt && !strchr("0123s", o->opt)) {
		diag_error(d, (Loc){0}, "circ_jit_create: 'opt' is '%c'; expected '0', '1', '2', '3' or 's'",
		           o->opt);
		return false;
	}
	j->opt = o->opt;
	j->debug = o->debug;
	j->no_asm_files = o->no_asm_files;
	j->lazy = o->lazy && jit_is_lazy_here();
	j->lazy_ops = o->lazy_ops;
	if (copy_string(o->cpu, &j->cpu) && copy_string(o->features, &j->features))
		return true;
	diag_failure(d, "circ_jit_create: out of memory");
	return false;
}

CircJit *circ_jit_create(const CircJitOptions *options, CircDiagnosticHandler *handler, void *user)
{
	static const CircJitOptions defaults;
	Diags d;
	diag_init(&d, handler, user);
	CircJit *j = calloc(1, sizeof *j);
	if (!j) {
		diag_failure(&d, "circ_jit_create: out of memory");
		return NULL;
	}
	j->handler = handler;
	j->user = user;
	if (fill_options(j, options ? options : &defaults, &d))
		j->jit = jit_create(j->debug, &d);
	if (j->jit)
		return j;
	circ_jit_destroy(j);
	return NULL;
}

void circ_jit_destroy(CircJit *j)
{
	if (!j)
		return;
	if (j->jit)
		jit_destroy(j->jit);
	free(j->cpu);
	free(j->features);
	free(j);
}

/* Adding */

static bool check_target(ApiCall *c)
{
	Str own = ir_module_triple(c->m);
	if (!own.len)
		return true;
	const char *given = arena_copy(&c->m->scratch, own.data, own.len);
	char *host = emit_triple(NULL), *triple = emit_triple(given);
	bool known = host && triple;
	bool same = known && emit_runs_here(triple);
	if (known && !same)
		api_error(c, "module is for target '%s', but this process is '%s'", triple, host);
	free(host);
	free(triple);
	if (!known)
		arena_exhausted(&c->m->scratch);
	return same;
}

/* The runtime in this process is the one with tables. */
static bool check_model(ApiCall *c)
{
	if (!ir_module_is_sjlj(c->m))
		return true;
	api_error(c, "module has no exception tables ('circ.eh.model = \"sjlj\"'), which the JIT needs");
	return false;
}

/* What is to be given back however the call ends, or with a module that waits to be called. malloc'ed. */
typedef struct Addition {
	Emission emission;
	JitModule *begun; /* NULL: not yet, or it is the JIT's */
	JitModule *lazy;  /* whose part is compiled; NULL: the whole is */
	uint32_t part;
	Diags d; /* of calls */
} Addition;

static bool adapt(void *addition, LLVMModuleRef module, const char *part_prefix, Diags *d)
{
	Addition *a = addition;
	return a->lazy ? jit_prepare_part(a->lazy, module, a->part, part_prefix, d)
	               : jit_prepare_module(a->begun, module, part_prefix, d);
}

static void close_addition(Addition *a)
{
	if (a->begun)
		jit_drop_module(a->begun);
	emission_close(&a->emission);
	free(a);
}

static bool compile_part(void *addition, uint32_t part, EmitImage *image, Diags *d)
{
	Addition *a = addition;
	a->part = part;
	return pipeline_compile_part(&a->emission.pipeline, part, image, d);
}

static void drop_parts(void *addition)
{
	close_addition(addition);
}

/* The copy is used as long as the module is there. *kept: the JIT gives the addition back. */
static JitModule *end_lazily(ApiCall *c, CircJit *j, Addition *a, bool *kept)
{
	Emission *e = &a->emission;
	LazyFunctions functions = pipeline_lazy_functions(&e->pipeline, &c->m->scratch);
	IrReferences uses = ir_references(e->copy, &e->copy->arena);
	JitParts parts = {.compile = compile_part,
	                  .drop = drop_parts,
	                  .user = a,
	                  .d = &a->d,
	                  .uses = uses.data,
	                  .nuses = uses.len};
	diag_init(&a->d, j->handler, j->user);
	diag_set_source(&a->d, &e->copy->source);
	ir_module_guard(e->copy, NULL);
	a->lazy = a->begun;
	a->begun = NULL;
	*kept = true;
	return jit_end_lazily(a->lazy, &parts, functions.data, functions.len, &c->api->d);
}

static JitModule *add(ApiCall *c, CircJit *j, Addition *a, bool *kept)
{
	CircEmitOptions options = {.cpu = j->cpu,
	                           .features = j->features,
	                           .opt = j->opt,
	                           .debug = j->debug,
	                           .no_asm_files = j->no_asm_files};
	if (!check_target(c) || !check_model(c) ||
	    !emission_open_copy(c, &a->emission, &options, CIRC_OBJECT) ||
	    !(a->begun = jit_begin_module(j->jit, &c->api->d)))
		return NULL;
	a->emission.options.hooks = (PipelineHooks){.user = a, .adapt = adapt};
	a->emission.options.in_process = true;
	a->emission.options.lazy = j->lazy;
	a->emission.options.part_ops = j->lazy ? j->lazy_ops : 0;
	if (!emission_run(c, &a->emission, GOAL_IMAGE))
		return NULL;
	if (a->emission.pipeline.divided.nparts)
		return end_lazily(c, j, a, kept);
	IrReferences uses = ir_references(a->emission.copy, &c->m->scratch);
	JitModule *begun = a->begun;
	a->begun = NULL;
	return jit_end_module(begun, a->emission.pipeline.image.bytes, uses.data, uses.len, &c->api->d);
}

static JitModule *add_guarded(CircJit *j, CircModule *m, const char *function, Addition *a)
{
	ApiCall c;
	if (!api_begin(&c, m, function)) {
		close_addition(a);
		return NULL;
	}
	if (setjmp(c.guard.env)) {
		close_addition(a);
		api_out_of_memory_for_copy(&c);
		return NULL;
	}
	bool kept = false;
	JitModule *added = add(&c, j, a, &kept);
	if (!kept)
		close_addition(a);
	api_end(&c);
	return added;
}

CircJitModule *circ_jit_add_module(CircJit *j, CircModule *m)
{
	Addition *a = j ? calloc(1, sizeof *a) : NULL;
	if (j && !a) {
		Diags d;
		diag_init(&d, j->handler, j->user);
		diag_failure(&d, "%s: out of memory", __func__);
	}
	return a ? (CircJitModule *)add_guarded(j, m, __func__, a) : NULL;
}

/* Telling of code */

typedef struct Finding {
	JitModule *module;
	Diags *d;
	bool failed;
} Finding;

static uint64_t find_symbol(const char *symbol, void *user)
{
	Finding *f = user;
	void *address = f->failed ? NULL : jit_code_address(f->module, symbol, f->d);
	f->failed |= !address;
	return (uintptr_t)address;
}

static const void *find_entry(uint64_t function, void *user)
{
	size_t size;
	(void)user;
	return jit_unwind_info((const void *)(uintptr_t)function, &size);
}

static void drop_explanation(void *e)
{
	explanation_destroy(e);
}

static void tell_of_functions(const CircJit *j, const CircExplanation *e, JitModule *m)
{
	for (uint32_t i = 0; i < e->functions.len && j->code_handler; i++) {
		const CircExplainedFunction *f = e->functions.data[i];
		CircJitCode code = {.module = (CircJitModule *)jit_whole(m), .function = f};
		code.begin = (const void *)(uintptr_t)f->address;
		code.end = (const void *)(uintptr_t)(f->address + f->size);
		code.unwind_info = jit_unwind_info(code.begin, &code.unwind_info_size);
		j->code_handler(&code, j->code_user);
	}
}

static bool explain_linked(CircExplanation *e, JitModule *m, Str object, Diags *d)
{
	Finding f = {.module = m, .d = d};
	ExplainLoaded in = {
	    .name = "module", .object = object, .find = find_symbol, .entry = find_entry, .user = &f};
	OomGuard guard;
	e->arena.oom = &guard;
	if (setjmp(guard.env)) {
		diag_failure(d, "out of memory");
		return false;
	}
	bool ok = explain_loaded(e, &in, d);
	if (ok)
		explanation_finish(e, explain_demangle);
	e->arena.oom = NULL;
	return ok && !f.failed;
}

static bool tell_of_code(JitModule *m, Str object, void *user, Diags *d)
{
	CircExplanation *e = explanation_create();
	if (!e) {
		diag_failure(d, "out of memory");
		return false;
	}
	if (!explain_linked(e, m, object, d)) {
		explanation_destroy(e);
		return false;
	}
	jit_keep_code(m, e, drop_explanation);
	tell_of_functions(user, e, m);
	return true;
}

bool circ_jit_set_code_handler(CircJit *j, CircJitCodeHandler *handler, void *user)
{
	if (!j)
		return false;
	j->code_handler = handler;
	j->code_user = user;
	jit_set_code_hook(j->jit, handler ? tell_of_code : NULL, j);
	return true;
}

/* The rest */

static bool given(Diags *d, const void *p, const char *function, const char *what)
{
	if (!p)
		diag_error(d, (Loc){0}, "%s: '%s' is NULL", function, what);
	return p != NULL;
}

bool circ_jit_add_symbol(CircJit *j, const char *name, void *address)
{
	if (!j)
		return false;
	Diags d;
	diag_init(&d, j->handler, j->user);
	return given(&d, name, __func__, "name") && given(&d, address, __func__, "address") &&
	       jit_add_symbol(j->jit, name, address, &d);
}

bool circ_jit_load_library(CircJit *j, const char *path)
{
	if (!j)
		return false;
	Diags d;
	diag_init(&d, j->handler, j->user);
	return given(&d, path, __func__, "path") && jit_load_library(j->jit, path, &d);
}

void *circ_jit_lookup(CircJit *j, const char *name)
{
	if (!j)
		return NULL;
	Diags d;
	diag_init(&d, j->handler, j->user);
	return given(&d, name, __func__, "name") ? jit_lookup(j->jit, name, &d) : NULL;
}

bool circ_jit_remove_module(CircJit *j, CircJitModule *module)
{
	if (!j)
		return false;
	Diags d;
	diag_init(&d, j->handler, j->user);
	return given(&d, module, __func__, "module") && jit_remove_module(j->jit, (JitModule *)module, &d);
}
