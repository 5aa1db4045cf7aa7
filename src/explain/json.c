/* explain/json.c: an explanation as JSON, a function a line. The keys are the fields of circ/explain.h; what is unknown, zero or
 * false is left out. docs/explain.md has the schema. */
#include "explain/throw.h"
#include "explain/words.h"

/* An object or array that is being written. */
typedef struct Json {
	Sink *out;
	bool behind; /* something stands before what comes next, at this level */
} Json;

static void separate(Json *j)
{
	if (j->behind)
		sink_put(j->out, STR(","));
	j->behind = true;
}

static void key(Json *j, const char *name)
{
	separate(j);
	sink_put(j->out, STR("\""));
	sink_text(j->out, name);
	sink_put(j->out, STR("\":"));
}

static void put_string(Json *j, const char *name, const char *value)
{
	if (!value)
		return;
	key(j, name);
	sink_json(j->out, value);
}

static void put_number(Json *j, const char *name, uint64_t value)
{
	if (!value)
		return;
	key(j, name);
	sink_printf(j->out, "%llu", (unsigned long long)value);
}

static void put_int(Json *j, const char *name, int64_t value, int64_t unless)
{
	if (value == unless)
		return;
	key(j, name);
	sink_printf(j->out, "%lld", (long long)value);
}

static void put_true(Json *j, const char *name, bool value)
{
	if (!value)
		return;
	key(j, name);
	sink_put(j->out, STR("true"));
}

static void put_place(Json *j, const CircPlace *place)
{
	put_string(j, "file", place->file);
	put_number(j, "line", place->line);
	put_number(j, "column", place->column);
}

static void put_types(Json *j, const char *name, const CircExplainedType *const *types, size_t n)
{
	key(j, name);
	sink_put(j->out, STR("["));
	for (size_t i = 0; i < n; i++)
		sink_printf(j->out, "%s%zu", i ? "," : "", types[i]->index);
	sink_put(j->out, STR("]"));
}

static Json open_object(Sink *s)
{
	sink_put(s, STR("{"));
	return (Json){.out = s};
}

static void write_type(Sink *s, const CircExplainedType *t)
{
	Json j = open_object(s);
	put_string(&j, "symbol", t->symbol);
	put_string(&j, "name", t->name);
	if (t->has_bases)
		put_types(&j, "bases", t->bases, t->nbases);
	sink_put(s, STR("}"));
}

/* taken: NULL, or a word. */
static void write_step(Sink *s, const CircStep *step, const char *taken)
{
	Json j = open_object(s);
	put_string(&j, "kind", explain_step_word(step->kind));
	if (step->ntypes || step->kind == CIRC_STEP_SPECIFICATION)
		put_types(&j, "types", step->types, step->ntypes);
	put_string(&j, "function", step->function);
	put_number(&j, "begin", step->begin);
	put_number(&j, "end", step->end);
	put_true(&j, "is_conditional", step->is_conditional);
	put_true(&j, "is_unwinding", step->is_unwinding);
	put_true(&j, "is_hidden", step->is_hidden);
	put_true(&j, "is_duplicate", step->is_duplicate);
	put_place(&j, &step->place);
	put_int(&j, "state", step->state, -1);
	put_number(&j, "adjectives", step->adjectives);
	put_int(&j, "object_offset", step->object_offset, 0);
	put_number(&j, "op", step->op);
	put_string(&j, "taken", taken);
	sink_put(s, STR("}"));
}

static void write_site_keys(Json *j, const CircSite *site)
{
	if (!site->op) {
		put_int(j, "begin", (int64_t)site->begin, -1);
		put_number(j, "end", site->end);
	}
	put_number(j, "pad", site->pad);
	put_string(j, "callee", site->callee);
	put_string(j, "operation", site->operation);
	put_true(j, "is_throw", site->is_throw);
	put_true(j, "is_unwinding", site->is_unwinding);
	if (site->thrown)
		put_int(j, "thrown", (int64_t)site->thrown->index, -1);
	put_place(j, &site->place);
	put_number(j, "op", site->op);
}

static void write_site(Sink *s, const CircSite *site)
{
	Json j = open_object(s);
	write_site_keys(&j, site);
	key(&j, "steps");
	sink_put(s, STR("["));
	for (size_t i = 0; i < site->nsteps; i++) {
		sink_text(s, i ? "," : "");
		write_step(s, &site->steps[i], NULL);
	}
	sink_put(s, STR("]"));
	put_string(&j, "end_of_path", explain_end_word(site->end_of_path));
	sink_put(s, STR("}"));
}

static void write_row(Sink *s, const CircUnwindRow *row)
{
	Json j = open_object(s);
	put_int(&j, "offset", (int64_t)row->offset, -1);
	put_string(&j, "rule", row->rule);
	sink_put(s, STR("}"));
}

static void write_function(Sink *s, const CircExplainedFunction *f)
{
	Json j = open_object(s);
	put_string(&j, "symbol", f->symbol);
	put_string(&j, "name", f->name);
	put_string(&j, "section", f->section);
	put_number(&j, "address", f->address);
	put_number(&j, "size", f->size);
	put_string(&j, "personality", f->personality);
	put_string(&j, "tables", explain_table_word(f->tables));
	put_number(&j, "table", f->table);
	if (f->parent)
		put_int(&j, "parent", (int64_t)f->parent->index, -1);
	put_place(&j, &f->place);
	put_number(&j, "op", f->op);
	key(&j, "sites");
	sink_put(s, STR("["));
	for (size_t i = 0; i < f->nsites; i++) {
		sink_text(s, i ? "," : "");
		write_site(s, &f->sites[i]);
	}
	sink_put(s, STR("]"));
	put_string(&j, "rest", explain_end_word(f->rest));
	if (f->nrows) {
		key(&j, "rows");
		sink_put(s, STR("["));
		for (size_t i = 0; i < f->nrows; i++) {
			sink_text(s, i ? "," : "");
			write_row(s, &f->rows[i]);
		}
		sink_put(s, STR("]"));
	}
	sink_put(s, STR("}"));
}

static void put_types_of(Json *j, const CircExplanation *e)
{
	key(j, "types");
	sink_put(j->out, STR("["));
	for (uint32_t i = 0; i < e->types.len; i++) {
		sink_text(j->out, i ? ",\n" : "\n");
		write_type(j->out, e->types.data[i]);
	}
	sink_put(j->out, STR("]"));
}

static Json open_document(const CircExplanation *e, Sink *s)
{
	Json j = open_object(s);
	put_int(&j, "version", 1, 0);
	put_string(&j, "file", e->file);
	put_string(&j, "format", e->format);
	put_string(&j, "target", e->target);
	put_true(&j, "linked", e->linked);
	put_types_of(&j, e);
	return j;
}

void explanation_write_json(const CircExplanation *e, Sink *s)
{
	Json j = open_document(e, s);
	key(&j, "functions");
	sink_put(s, STR("["));
	for (uint32_t i = 0; i < e->functions.len; i++) {
		sink_text(s, i ? ",\n" : "\n");
		write_function(s, e->functions.data[i]);
	}
	sink_put(s, STR("]}\n"));
	sink_flush(s);
}

static void write_frame(Sink *s, const CircThrowFrame *frame)
{
	static const char *const words[] = {
	    [CIRC_TAKEN_NO] = NULL, [CIRC_TAKEN_YES] = "yes", [CIRC_TAKEN_PERHAPS] = "perhaps"};
	Json j = open_object(s);
	put_int(&j, "depth", (int64_t)frame->depth, -1);
	put_string(&j, "symbol", frame->function->symbol);
	put_string(&j, "name", frame->function->name);
	put_int(&j, "function", (int64_t)frame->function->index, -1);
	if (frame->site) {
		key(&j, "site");
		Json site = open_object(s);
		write_site_keys(&site, frame->site);
		sink_put(s, STR("}"));
	}
	key(&j, "steps");
	sink_put(s, STR("["));
	for (size_t i = 0; i < frame->nsteps; i++) {
		sink_text(s, i ? "," : "");
		write_step(s, frame->steps[i].step, words[frame->steps[i].taken]);
	}
	sink_put(s, STR("]"));
	put_string(&j, "end", explain_end_word(frame->end));
	put_true(&j, "is_seen", frame->is_seen);
	sink_put(s, STR("}"));
}

void explanation_write_throw_json(const CircExplanation *e, const CircThrowPath *path, Sink *s)
{
	Json j = open_document(e, s);
	put_string(&j, "type", path->type);
	if (path->explained_type)
		put_int(&j, "explained_type", (int64_t)path->explained_type->index, -1);
	key(&j, "frames");
	sink_put(s, STR("["));
	for (size_t i = 0; i < path->nframes; i++) {
		sink_text(s, i ? ",\n" : "\n");
		write_frame(s, &path->frames[i]);
	}
	sink_put(s, STR("]"));
	put_true(&j, "is_cut", path->is_cut);
	sink_put(s, STR("}\n"));
	sink_flush(s);
}
