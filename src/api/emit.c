/* api/emit.c: from a module to what the machine runs; the passes are those of src/pipeline. */
#include "api/emission.h"

#include "api/api.h"
#include "ir/copy.h"
#include "ir/eh_runtime.h"
#include "link/link.h"

#include <stdlib.h>

_Static_assert((int)CIRC_LLVM_IR == EMIT_LLVM_IR && (int)CIRC_BITCODE == EMIT_BITCODE &&
                   (int)CIRC_ASSEMBLY == EMIT_ASSEMBLY && (int)CIRC_OBJECT == EMIT_OBJECT,
               "circ/emit.h and emit/emit.h must agree");
_Static_assert((int)CIRC_LIBCXX == CXXLIB_LIBCXX && (int)CIRC_LIBSTDCXX == CXXLIB_LIBSTDCXX,
               "circ/emit.h and link/link.h must agree");

static bool check_options(ApiCall *c, const CircEmitOptions *o, CircFormat format)
{
	if (o->opt && !strchr("0123s", o->opt))
		return api_error(c, "'opt' is '%c'; expected '0', '1', '2', '3' or 's'", o->opt);
	if (o->nprefix_maps && !o->prefix_maps)
		return api_error(c, "'prefix_maps' is NULL");
	for (size_t i = 0; i < o->nprefix_maps; i++)
		if (!o->prefix_maps[i].from || !o->prefix_maps[i].to)
			return api_error(c, "a prefix map has no '%s'",
			                 o->prefix_maps[i].from ? "to" : "from");
	return (unsigned)format <= CIRC_OBJECT ||
	       api_error(c, "'format' is %d; expected a CircFormat", (int)format);
}

bool emission_open(ApiCall *c, Emission *e)
{
	api_expect_warnings(c);
	e->options = (PipelineOptions){.opt = '0'};
	return pipeline_open(&e->pipeline, &e->options, c->m, &c->api->d);
}

/* Exhausted memory ends the call. */
static void copy_module(ApiCall *c, Emission *e)
{
	e->copy = ir_module_create();
	if (!e->copy)
		arena_exhausted(&c->m->scratch);
	ir_module_guard(e->copy, &c->guard);
	ir_module_copy(c->m, e->copy);
}

static void map_prefixes(Emission *e, const CircEmitOptions *o)
{
	for (size_t i = 0; i < o->nprefix_maps; i++) {
		const CircPrefixMap *map = &o->prefix_maps[i];
		vec_push(&e->copy->arena, &e->prefix_maps,
		         ((PrefixMap){str_of(map->from), str_of(map->to), map->debug_only}));
	}
	e->options.prefix_maps = &e->prefix_maps;
}

bool emission_open_copy(ApiCall *c, Emission *e, const CircEmitOptions *options, CircFormat format)
{
	static const CircEmitOptions defaults;
	const CircEmitOptions *o = options ? options : &defaults;
	if (!check_options(c, o, format))
		return false;
	e->options = (PipelineOptions){.triple = o->triple,
	                               .cpu = o->cpu,
	                               .features = o->features,
	                               .opt = o->opt ? o->opt : '0',
	                               .debug = o->debug ? 5 : 0,
	                               .no_asm_files = o->no_asm_files,
	                               .untrusted = o->untrusted,
	                               .max_copied_ops = o->max_copied_ops,
	                               .max_data = o->max_data,
	                               .max_constant_parts = o->max_constant_parts,
	                               .pic = !o->no_pic,
	                               .pie = !o->no_pic,
	                               .format = (EmitFormat)format};
	api_expect_warnings(c);
	c->api->d.most = o->untrusted ? DIAG_MOST : 0;
	copy_module(c, e);
	map_prefixes(e, o);
	return pipeline_open(&e->pipeline, &e->options, e->copy, &c->api->d);
}

bool emission_run(ApiCall *c, Emission *e, Goal goal)
{
	bool ok = pipeline_run(&e->pipeline, goal);
	if (e->copy) {
		c->m->warned = c->m->warned || ok;
		return ok;
	}
	if (e->pipeline.changed)
		api_forget_blocks(c->m);
	c->api->broken = e->pipeline.broken;
	return ok;
}

void emission_close(Emission *e)
{
	if (e->pipeline.o)
		pipeline_close(&e->pipeline);
	ir_module_destroy(e->copy);
	*e = (Emission){0};
}

typedef struct Output {
	const CircLinkOptions *link; /* NULL: no program */
	const char *path;            /* NULL: to memory */
	char **data;
	size_t *len;
} Output;

/* Programs */

static bool check_link(const char *function, const CircLinkOptions *o, Diags *d)
{
	const char *wrong = !o                                     ? "'options' is NULL"
	                    : !o->output                           ? "'output' is NULL"
	                    : o->ninputs && !o->inputs             ? "'inputs' is NULL"
	                    : o->is_static && o->shared            ? "'is_static' is set, and 'shared' too"
	                    : (unsigned)o->cxxlib > CIRC_LIBSTDCXX ? "'cxxlib' is not a CircCxxLib"
	                                                           : NULL;
	for (size_t i = 0; !wrong && i < o->ninputs; i++)
		if (!o->inputs[i])
			wrong = "an input is NULL";
	if (wrong)
		diag_error(d, (Loc){0}, "%s: %s", function, wrong);
	return !wrong;
}

/* object: data NULL: there are only those of the options. */
static bool link_inputs(const CircLinkOptions *o, const char *triple, Str object, Arena *a, Diags *d)
{
	size_t n = 0;
	LinkInput *inputs = arena_array(a, LinkInput, o->ninputs + 1);
	if (object.data)
		inputs[n++] = (LinkInput){"module.o", object};
	for (size_t i = 0; i < o->ninputs; i++)
		inputs[n++].arg = o->inputs[i];
	LinkJob job = {.triple = triple,
	               .cxxlib = (CxxLib)o->cxxlib,
	               .sjlj = o->sjlj,
	               .pie = !o->no_pie && !o->is_static,
	               .is_static = o->is_static,
	               .shared = o->shared,
	               .winsdk = o->winsdk,
	               .inputs = inputs,
	               .ninputs = n,
	               .output = o->output};
	return link_program(&job, a, d);
}

/* What came out */

static bool write_out(ApiCall *c, Emission *e, const Output *out)
{
	if (out->link) {
		CircLinkOptions link = *out->link;
		link.sjlj |= ir_module_is_sjlj(c->m);
		return link_inputs(&link, e->pipeline.triple, e->pipeline.image.bytes, &c->m->scratch,
		                   &c->api->d);
	}
	if (out->path)
		return emit_bytes(out->path, e->pipeline.image.bytes, &c->api->d);
	*out->data = emit_image_take(&e->pipeline.image, out->len);
	if (!*out->data)
		diag_failure(&c->api->d, "out of memory");
	return *out->data != NULL;
}

/* e lives in the caller's frame: it is still whole after a longjmp to here. */
static bool emit_guarded(CircModule *m, const char *function, const CircEmitOptions *options,
                         CircFormat format, const Output *out, Emission *e)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	if (setjmp(c.guard.env)) {
		emission_close(e);
		api_out_of_memory_for_copy(&c);
		return false;
	}
	bool ok = emission_open_copy(&c, e, options, format) && emission_run(&c, e, GOAL_IMAGE) &&
	          write_out(&c, e, out);
	emission_close(e);
	api_end(&c);
	return ok;
}

static bool emit(CircModule *m, const char *function, const CircEmitOptions *options, CircFormat format,
                 const Output *out)
{
	Emission e = {0};
	return emit_guarded(m, function, options, format, out, &e);
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
	Output out = {.path = path};
	return path ? emit(m, __func__, options, format, &out) : missing(m, __func__, "path");
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
	Output out = {.data = data, .len = len};
	return emit(m, __func__, options, format, &out);
}

static bool check_link_of_module(CircModule *m, const char *function, const CircLinkOptions *link)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	bool ok = check_link(function, link, &c.api->d);
	api_end(&c);
	return ok;
}

bool circ_module_link(CircModule *m, const CircEmitOptions *options, const CircLinkOptions *link)
{
	Output out = {.link = link};
	return check_link_of_module(m, __func__, link) && emit(m, __func__, options, CIRC_OBJECT, &out);
}

bool circ_link(const CircLinkOptions *options, CircDiagnosticHandler *handler, void *user)
{
	Arena arena;
	OomGuard guard;
	Diags d;
	diag_init(&d, handler, user);
	if (!check_link(__func__, options, &d))
		return false;
	char *triple = options->triple ? emit_triple(options->triple) : NULL;
	arena_init(&arena);
	arena.oom = &guard;
	bool ok = false;
	if (setjmp(guard.env)) {
		diag_failure(&d, "circ_link: out of memory");
	} else {
		if (options->triple && !triple)
			arena_exhausted(&arena);
		ok = link_inputs(options, triple, (Str){0}, &arena, &d);
	}
	arena_free(&arena);
	free(triple);
	return ok;
}
