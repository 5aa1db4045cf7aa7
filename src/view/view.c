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
} View;

/* ---- modules ---- */

static IrModule *read_module(View *v)
{
	IrModule *m = ir_module_create();
	if (!m) {
		diag_failure(v->d, "out of memory");
		return NULL;
	}
	ir_module_guard(m, v->mem->oom);
	if (!text_parse_as(m, v->o->name, v->o->text, v->o->from, v->d)) {
		ir_module_destroy(m);
		return NULL;
	}
	if (v->o->repair_given)
		m->repair = v->o->repair;
	if (v->o->eh)
		ir_module_set_attr(m, ir_known_name(m, NAME_ms_eh), ir_attr_string(m, str_of(v->o->eh)));
	return m;
}

static void drop_module(View *v, IrModule *m)
{
	diag_set_source(v->d, NULL);
	ir_module_destroy(m);
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
	PipelineOptions o = options_of(v, triple);
	Pipeline p;
	enum { DWARF = 5 };
	o.format = format;
	o.debug = numbered ? DWARF : 0;
	o.op_numbers = numbered;
	if (!pipeline_open(&p, &o, m, v->d))
		return false;
	bool ok = pipeline_run(&p, GOAL_IMAGE);
	if (ok)
		*bytes = (Str){arena_copy(v->mem, p.image.bytes.data, p.image.bytes.len), p.image.bytes.len};
	pipeline_close(&p);
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
	CircExplanation *e = view_explanation(v->mem, v->d);
	if (!e)
		return false;
	const ExplainModule in = {
	    .m = m, .name = v->o->name, .triple = triple, .target = abi_target(str_of(triple))};
	bool ok = explain_module(e, &in, v->d);
	if (ok) {
		data_key(&v->explanations, "module");
		put_explanation(&v->explanations, e);
	}
	explanation_destroy(e);
	return ok;
}

/* For targets whose objects circ explain can read; others have no tables on the page. */
static bool explain_tables(View *v, IrModule *m, const char *triple)
{
	Str bytes;
	if (!image_of(v, m, triple, EMIT_OBJECT, true, &bytes))
		return false;
	CircExplanation *e = view_explanation(v->mem, v->d);
	if (!e)
		return false;
	const CircExplainOptions options = {.name = v->o->name, .rows = false};
	if (explain_is_object(bytes) && explain_object(e, bytes, &options, v->d)) {
		data_key(&v->explanations, "object");
		put_explanation(&v->explanations, e);
	}
	explanation_destroy(e);
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
	PipelineOptions o = options_of(v, triple);
	Pipeline p;
	if (!m)
		return false;
	bool ok = pipeline_open(&p, &o, m, v->d);
	data_open(&v->explanations, '{');
	data_field(&v->explanations, "target", str_of(triple));
	if (ok) {
		ok = cir_stages(v, &p, triple) && code_stages(v, m, triple) && explain_tables(v, m, triple);
		pipeline_close(&p);
	}
	data_close(&v->explanations, '}');
	drop_module(v, m);
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
	Pipeline p;
	PipelineOptions o = options_of(v, NULL);
	bool ok = pipeline_open(&p, &o, m, v->d);
	if (ok && (ok = pipeline_run(&p, GOAL_VERIFIED))) {
		*own_triple = normal_triple(v, p.triple);
		source_stages(&v->stages, m, v->o->name);
		bool structured = p.stage == STAGE_STRUCTURED;
		cir_stage(&v->stages, m, structured ? "structured" : "read",
		          structured ? STR("Structured CIR") : STR("CIR as read"), NULL, (Str){0});
		scope_data(page, m);
	}
	pipeline_close(&p);
	drop_module(v, m);
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

bool view_make(const ViewOptions *o, Arena *mem, Diags *d, StrBuf *page)
{
	StrBuf out = {0}, stages = {0}, explanations = {0};
	View v = {.o = o,
	          .mem = mem,
	          .d = d,
	          .stages = {.mem = mem, .out = &stages, .first = true},
	          .explanations = {.mem = mem, .out = &explanations, .first = true}};
	ViewData data = {.mem = mem, .out = &out, .first = true};
	const char *own_triple = NULL;
	data_open(&data, '{');
	data_field(&data, "file", base_name(o->name));
	if (!first_stages(&v, &data, &own_triple) || !targets_stages(&v, &data, own_triple))
		return false;
	data_key(&data, "stages");
	data_open(&data, '[');
	buf_put(mem, &out, (Str){stages.data, stages.len});
	data_close(&data, ']');
	data_key(&data, "explanations");
	data_open(&data, '[');
	buf_put(mem, &out, (Str){explanations.data, explanations.len});
	data_close(&data, ']');
	data_close(&data, '}');
	page_put(base_name(o->name), (Str){out.data, out.len}, mem, page);
	return true;
}
