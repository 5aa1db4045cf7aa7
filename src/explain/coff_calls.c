/* explain/coff_calls.c: calls, by the relocations that stand in them. Calls through pointers have none. */
#include "explain/code_calls.h"
#include "explain/code_machine.h"
#include "explain/coff_tables.h"

void coff_calls(const CoffTables *t, uint32_t section, uint64_t begin, uint64_t end, CoffCallVec *calls)
{
	/* Where the runtime looks an instruction before the return address (DISPATCHER_CONTEXT.ControlPcIsUnwound). */
	const CodeMachine *m = code_machine(t->o);
	bool by_call = m->looks_up_call;
	ObjectPlace from = {section, by_call ? begin : begin < 4 ? 0 : begin - 4};
	CodeCall found;
	calls->len = 0;
	while (end > from.offset && code_next_call(t->o, from, by_call ? end : end - 1, &found)) {
		unsigned size = m->call_size(t->o, (ObjectPlace){section, found.end});
		CoffCall call = {found.end - size, found.end, coff_tables_callee(t, found.callee)};
		vec_push(&t->e->arena, calls, call);
		from.offset = found.end;
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
		site.callee = calls.data[i].callee;
		if (!coff_tables_spend(t, entry->at, COFF_STEP_COST * ((uint64_t)steps->len + 1)))
			return;
		add_site(t, entry, site, calls.data[i].begin, steps, sites);
		site.begin = site.end;
	}
	if (!calls.len && !leaves &&
	    coff_tables_spend(t, entry->at, COFF_STEP_COST * ((uint64_t)steps->len + 1)))
		add_site(t, entry, site, begin, steps, sites);
}

static bool ends_the_program(const char *callee)
{
	return callee && (strcmp(callee, "__std_terminate") == 0 || strcmp(callee, "terminate") == 0 ||
	                  strcmp(callee, "?terminate@@YAXXZ") == 0);
}

bool coff_tables_terminates(const CoffTables *t, const ObjectTarget *code)
{
	enum { SMALL = 64 }; /* bytes: what does more than the call is not taken for it */
	const PdataEntry *entry = pdata_at(&t->entries, code->place);
	CoffCallVec calls = {0};
	if (!entry || entry->size > SMALL)
		return false;
	uint64_t begin = entry->begin.offset, end = begin + entry->size;
	const CodeMachine *m = code_machine(t->o);
	/* Linked code has no relocations: but bytes that are a call of that function by name are hardly anything else. */
	for (uint64_t at = begin + m->call_min; t->o->linked && at <= end; at += m->step) {
		CodeCall call;
		if (code_call_before(t->o, (ObjectPlace){entry->begin.section, at}, &call) &&
		    call.callee.len && ends_the_program(coff_tables_callee(t, call.callee)))
			return true;
	}
	coff_calls(t, entry->begin.section, begin, m->looks_up_call ? end : end + 1, &calls);
	return calls.len == 1 && ends_the_program(calls.data[0].callee);
}
