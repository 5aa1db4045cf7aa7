#include "explain/loaded.h"

#include "explain/explain.h"

typedef struct Loading {
	const ExplainLoaded *in;
	ObjectFile o;
	ObjectSection *sections; /* with their addresses */
	bool *asked;             /* by section */
} Loading;

static void find_section(Loading *l, const ObjectSymbol *s)
{
	if (!s->defined || !s->global || s->section >= l->o.nsections || l->asked[s->section])
		return;
	ObjectSection *section = &l->sections[s->section];
	if (!section->code)
		return;
	const char *name = arena_copy(l->o.mem, s->name.data, s->name.len);
	uint64_t address = l->in->find(name, l->in->user);
	l->asked[s->section] = true;
	section->address = address ? address - s->offset : 0;
}

static void find_sections(Loading *l)
{
	l->sections = arena_copy_n(l->o.mem, l->o.sections, l->o.nsections, sizeof *l->sections);
	l->asked = arena_array(l->o.mem, bool, (size_t)l->o.nsections + 1);
	for (uint32_t i = 0; i < l->o.nsections; i++)
		l->sections[i].address = 0;
	for (uint32_t i = 0; i < l->o.nsymbols; i++)
		find_section(l, &l->o.symbols[i]);
	l->o.sections = l->sections;
}

/* An address that is no more than an offset is of a section that was not found. */
static void drop_unknown(CircExplanation *e, uint64_t largest)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < e->functions.len; i++)
		if (e->functions.data[i]->address > largest)
			e->functions.data[n++] = e->functions.data[i];
	e->functions.len = n;
}

/* The section with the data has no symbol that could be found. */
static void find_tables(CircExplanation *e, const ExplainLoaded *in)
{
	for (uint32_t i = 0; i < e->functions.len; i++) {
		CircExplainedFunction *f = e->functions.data[i];
		const void *entry = in->entry(f->address, in->user);
		f->table = entry ? explain_loaded_table(entry) : 0;
	}
}

bool explain_loaded(CircExplanation *e, const ExplainLoaded *in, Diags *d)
{
	Loading l = {.in = in};
	CircExplainOptions options = {.name = in->name};
	if (!object_open(&l.o, in->object, in->name, &e->arena, d))
		return false;
	if (l.o.format != OBJECT_ELF || l.o.linked) {
		diag_error(d, (Loc){0}, "'%s' is not an ELF object", in->name);
		return false;
	}
	find_sections(&l);
	e->file = explanation_string(e, str_of(in->name));
	e->format = "elf";
	e->target = "x86_64";
	e->linked = true;
	if (!explain_elf(e, &l.o, &options))
		return false;
	drop_unknown(e, in->object.len);
	find_tables(e, in);
	return true;
}
