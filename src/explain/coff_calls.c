/* explain/coff_calls.c: calls, by the relocations that stand in them. Calls through pointers have none. */
#include "explain/coff_tables.h"

static uint8_t byte_at(const ObjectSection *s, uint64_t offset)
{
	return offset < s->bytes.len ? (uint8_t)s->bytes.data[offset] : 0;
}

/* The name of what is called through a pointer in the import table is behind "__imp_". */
static const char *callee_of(const CoffTables *t, const ObjectReloc *r, ObjectPlace at, bool imported)
{
	ObjectTarget target = object_reloc_target(t->o, r, at);
	const char *name = coff_tables_symbol(t, target.symbol);
	return imported && name && strncmp(name, "__imp_", 6) == 0 ? name + 6 : name;
}

void coff_calls(const CoffTables *t, uint32_t section, uint64_t begin, uint64_t end, CoffCallVec *calls)
{
	size_t n;
	const ObjectReloc *relocs = object_relocs(t->o, section, &n);
	const ObjectSection *s = &t->o->sections[section];
	calls->len = 0;
	if (t->o->machine != OBJECT_X86_64)
		return;
	for (size_t i = object_reloc_from(relocs, n, begin < 4 ? 0 : begin - 4); i < n; i++) {
		uint64_t at = relocs[i].offset;
		if (at + 4 >= end)
			break;
		bool direct = at >= 1 && byte_at(s, at - 1) == 0xe8;
		bool imported = at >= 2 && byte_at(s, at - 2) == 0xff && byte_at(s, at - 1) == 0x15;
		if (relocs[i].kind != OBJECT_RELOC_RELATIVE || (!direct && !imported))
			continue;
		CoffCall call = {at - (direct ? 1 : 2), at + 4,
		                 callee_of(t, &relocs[i], (ObjectPlace){section, at}, imported)};
		vec_push(&t->e->arena, calls, call);
	}
}

static void add_site(CoffTables *t, const PdataEntry *entry, CircSite site, uint64_t call,
                     const StepVec *steps, SiteVec *sites)
{
	site.place = line_table_find(&t->lines, (ObjectPlace){entry->begin.section, call});
	site.begin -= entry->begin.offset;
	site.end -= entry->begin.offset;
	explanation_set_steps(t->e, &site, steps);
	vec_push(&t->e->arena, sites, site);
}

void coff_sites(CoffTables *t, const PdataEntry *entry, uint64_t begin, uint64_t end, const StepVec *steps,
                CircEnd end_of_path, SiteVec *sites)
{
	CoffCallVec calls = {0};
	CircSite site = {.begin = begin, .end = end, .end_of_path = end_of_path};
	bool leaves = steps->len == 0 && end_of_path == CIRC_END_LEAVES;
	coff_calls(t, entry->begin.section, begin, end, &calls);
	for (uint32_t i = 0; i < calls.len; i++) {
		bool last = i + 1 == calls.len;
		/* What has steps is covered without a gap: calls through pointers, which nothing shows, are in it. */
		if (leaves)
			site.begin = calls.data[i].begin > begin ? calls.data[i].begin : begin;
		site.end = last && !leaves ? end : calls.data[i].end;
		site.callee =
		    calls.data[i].callee ? explanation_string(t->e, str_of(calls.data[i].callee)) : NULL;
		if (!coff_tables_spend(t, entry->at, COFF_STEP_COST * ((uint64_t)steps->len + 1)))
			return;
		add_site(t, entry, site, calls.data[i].begin, steps, sites);
		site.begin = site.end;
	}
	if (!calls.len && !leaves &&
	    coff_tables_spend(t, entry->at, COFF_STEP_COST * ((uint64_t)steps->len + 1)))
		add_site(t, entry, site, begin, steps, sites);
}
