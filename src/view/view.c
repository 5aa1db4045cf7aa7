#include "view/view.h"

#include "view/explanation.h"
#include "view/stage.h"

#include <stdlib.h>

typedef struct View {
	const ViewOptions *o;
	Arena *mem;
	Diags *d;
	ViewData stages;
	ViewData explanations;
	Str flat; /* of the first target */
	/* What is open, for when memory runs out: */
	IrModule *m;
	Pipeline whole, image; /* open while they have a triple */
	PipelineOptions whole_options, image_options;
	CircExplanation *explanation;
} View;

/* ---- modules ---- */

static void close_pipeline(Pipeline *p)
{
	if (p->triple)
		pipeline_close(p);
}

static void drop_explanation(View *v)
{
	explanation_destroy(v->explanation);
	v->explanation = NULL;
}

static void drop_module(View *v)
{
	drop_explanation(v);
	close_pipeline(&v->image);
	close_pipeline(&v->whole);
	diag_set_source(v->d, NULL);
	ir_module_destroy(v->m);
	v->m = NULL;
}

static IrModule *read_module(View *v)
{
	IrModule *m = v->m = ir_module_create();
	if (!m) {
		diag_failure(v->d, "out of memory");
		return NULL;
	}
	ir_module_guard(m, v->mem->oom);
	if (!text_parse_as(m, v->o->name, v->o->text, v->o->from, v->d)) {
		drop_module(v);
		return NULL;
	}
	if (v->o->repair_given)
		m->repair = v->o->repair;
	if (v->o->eh)
		ir_module_set_attr(m, ir_known_name(m, NAME_ms_eh), ir_attr_string(m, str_of(v->o->eh)));
	return m;
}

/* ---- one target ---- */

static PipelineOptions options_of(const View *v, const char *triple)
{
	PipelineOptions o = v->o->pipeline;
	o.triple = triple;
	o.hooks = (PipelineHooks){0};
	return o;
}

/* What LLVM makes of a module in its final form, malloc'ed. numbered: with line tables whose lines are op numbers. */
static bool image_of(View *v, IrModule *m, const char *triple, EmitFormat format, bool numbered, Str *bytes)
{
	enum { DWARF = 5 };
	Pipeline *p = &v->image;
	PipelineOptions *o = &v->image_options;
	*o = options_of(v, triple);
	o->format = format;
	o->debug = numbered ? DWARF : 0;
	o->op_numbers = numbered;
	bool ok = pipeline_open(p, o, m, v->d) && pipeline_run(p, GOAL_IMAGE);
	if (ok)
		*bytes =
		    (Str){arena_copy(v->mem, p->image.bytes.data, p->image.bytes.len), p->image.bytes.len};
	close_pipeline(p);
	return ok;
}

static bool code_stages(View *v, IrModule *m, const char *triple)
{
	Str plain, numbered;
	if (!image_of(v, m, triple, EMIT_LLVM_IR, false, &plain) ||
	    !image_of(v, m, triple, EMIT_LLVM_IR, true, &numbered))
		return false;
	llvm_stage(&v->stages, triple, plain, numbered);
	if (!image_of(v, m, triple, EMIT_ASSEMBLY, false, &plain) ||
	    !image_of(v, m, triple, EMIT_ASSEMBLY, true, &numbered))
		return false;
	assembly_stage(&v->stages, triple, plain, numbered);
	return true;
}

/* ---- explanations ---- */

static bool explain_flat(View *v, IrModule *m, const char *triple)
{
	CircExplanation *e = v->explanation = view_explanation(v->mem, v->d);
	if (!e)
		return false;
	const ExplainModule in = {
	    .m = m, .name = v->o->name, .triple = triple, .target = abi_target(str_of(triple))};
	bool ok = explain_module(e, &in, v->d);
	if (ok) {
		data_key(&v->explanations, "module");
		put_explanation(&v->explanations, e);
	}
	drop_explanation(v);
	return ok;
}

/* For targets whose objects circ explain can read; others have no tables on the page. */
static bool explain_tables(View *v, IrModule *m, const char *triple)
{
	Str bytes;
	if (!image_of(v, m, triple, EMIT_OBJECT, true, &bytes))
		return false;
	CircExplanation *e = v->explanation = view_explanation(v->mem, v->d);
	if (!e)
		return false;
	const CircExplainOptions options = {.name = v->o->name, .rows = false};
	if (object_is_readable(bytes) && explain_object(e, bytes, &options, v->d)) {
		data_key(&v->explanations, "object");
		put_explanation(&v->explanations, e);
	}
	drop_explanation(v);
	return true;
}

static bool cir_stages(View *v, Pipeline *p, const char *triple)
{
	if (!pipeline_run(p, GOAL_FLAT))
		return false;
	bool first = !v->flat.data;
	if (p->stage == STAGE_FLAT) {
		Str flat =
		    cir_stage(&v->stages, p->m, "flat", STR("Flat CIR"), first ? NULL : triple, v->flat);
		v->flat = first ? flat : v->flat;
		if (!explain_flat(v, p->m, triple))
			return false;
	}
	if (!pipeline_run(p, GOAL_ABI))
		return false;
	cir_stage(&v->stages, p->m, "abi", STR("ABI CIR"), triple, (Str){0});
	return true;
}

static bool target_stages(View *v, const char *triple)
{
	IrModule *m = read_module(v);
	if (!m)
		return false;
	v->whole_options = options_of(v, triple);
	data_open(&v->explanations, '{');
	data_field(&v->explanations, "target", str_of(triple));
	bool ok = pipeline_open(&v->whole, &v->whole_options, m, v->d) && cir_stages(v, &v->whole, triple) &&
	          code_stages(v, m, triple) && explain_tables(v, m, triple);
	data_close(&v->explanations, '}');
	drop_module(v);
	return ok;
}

/* ---- the module ---- */

/* In LLVM's normal form, in the arena; NULL: no memory, reported. */
static const char *normal_triple(View *v, const char *given)
{
	char *triple = emit_triple(given);
	const char *copy = triple ? arena_copy(v->mem, triple, strlen(triple)) : NULL;
	free(triple);
	if (!copy)
		diag_failure(v->d, "out of memory");
	return copy;
}

/* The text as it is read; also what needs no target. */
static bool first_stages(View *v, ViewData *page, const char **own_triple)
{
	IrModule *m = read_module(v);
	if (!m)
		return false;
	Pipeline *p = &v->whole;
	v->whole_options = options_of(v, NULL);
	bool ok = pipeline_open(p, &v->whole_options, m, v->d) && pipeline_run(p, GOAL_VERIFIED);
	if (ok) {
		*own_triple = normal_triple(v, p->triple);
		source_stages(&v->stages, m, v->o->name);
		bool structured = p->stage == STAGE_STRUCTURED;
		cir_stage(&v->stages, m, structured ? "structured" : "read",
		          structured ? STR("Structured CIR") : STR("CIR as read"), NULL, (Str){0});
		scope_data(page, m);
	}
	drop_module(v);
	return ok && *own_triple;
}

static bool targets_stages(View *v, ViewData *page, const char *own_triple)
{
	uint32_t n = v->o->ntriples ? v->o->ntriples : 1;
	const char **triples = arena_array(v->mem, const char *, n);
	for (uint32_t i = 0; i < n; i++) {
		triples[i] = v->o->ntriples ? normal_triple(v, v->o->triples[i]) : own_triple;
		if (!triples[i] || !target_stages(v, triples[i]))
			return false;
	}
	data_key(page, "targets");
	data_open(page, '[');
	for (uint32_t i = 0; i < n; i++)
		data_string(page, str_of(triples[i]));
	data_close(page, ']');
	return true;
}

static Str base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return str_of(slash ? slash + 1 : path);
}

/* The data, as far as it came: false. */
static bool make_data(View *v, StrBuf *out)
{
	StrBuf stages = {0}, explanations = {0};
	ViewData data = {.mem = v->mem, .out = out, .first = true};
	const char *own_triple = NULL;
	v->stages = (ViewData){.mem = v->mem, .out = &stages, .first = true};
	v->explanations = (ViewData){.mem = v->mem, .out = &explanations, .first = true};
	data_open(&data, '{');
	data_field(&data, "file", base_name(v->o->name));
	if (!first_stages(v, &data, &own_triple) || !targets_stages(v, &data, own_triple))
		return false;
	data_key(&data, "stages");
	data_open(&data, '[');
	buf_put(v->mem, out, (Str){stages.data, stages.len});
	data_close(&data, ']');
	data_key(&data, "explanations");
	data_open(&data, '[');
	buf_put(v->mem, out, (Str){explanations.data, explanations.len});
	data_close(&data, ']');
	data_close(&data, '}');
	return true;
}

static bool make_page(View *v, StrBuf *page)
{
	StrBuf data = {0};
	bool ok = make_data(v, &data);
	if (ok)
		page_put(base_name(v->o->name), (Str){data.data, data.len}, v->mem, page);
	return ok;
}

static bool make_guarded(View *v, StrBuf *page, OomGuard *guard)
{
	if (!setjmp(guard->env))
		return make_page(v, page);
	drop_module(v);
	diag_failure(v->d, "out of memory");
	return false;
}

bool view_make(const ViewOptions *o, Arena *mem, Diags *d, StrBuf *page)
{
	View *v = arena_new(mem, View);
	OomGuard guard, *former = mem->oom;
	*v = (View){.o = o, .mem = mem, .d = d};
	mem->oom = &guard;
	bool ok = make_guarded(v, page, &guard);
	mem->oom = former;
	return ok;
}
