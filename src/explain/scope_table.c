/* explain/scope_table.c: the scope tables of __C_specific_handler: a number, and for each scope its begin, its end, a handler
 * and a target. The rows that cover a place are asked in their order, which is inner first.
 *
 *   target 0     the handler is a termination handler: runs, and the exception goes on
 *   handler 1    takes every exception (EXCEPTION_EXECUTE_HANDLER), and goes on at the target
 *   else         the handler is a filter
 *
 * Filters of circ's runtime pass a clause to circ_seh_match(): they are what the clause says, where relocations show it.
 */
#include "explain/clause.h"
#include "explain/code_machine.h"
#include "explain/coff_tables.h"
#include "explain/object/coff.h"

#include <stdlib.h>

enum { ROW = 16, EXECUTE_HANDLER = 1 };

typedef struct Scope {
	uint64_t begin, end; /* in the section of the function */
	CircStep step;
	ObjectPlace handler; /* a function; section OBJECT_NONE: none */
} Scope;

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

/* The clause that a filter passes to circ_seh_match(): what the code before that call names. False: it is another filter. */
static bool find_clause(const ObjectFile *o, ObjectPlace filter, ObjectTarget *clause)
{
	enum { FILTER_MAX = 64 /* bytes up to the call */ };
	const unsigned distance_from = code_machine(o)->distance_from;
	size_t n;
	if (o->linked || !distance_from || filter.section >= o->nsections)
		return false;
	const ObjectReloc *relocs = object_relocs(o, filter.section, &n);
	for (size_t i = object_reloc_from(relocs, n, filter.offset);
	     i < n && relocs[i].offset - filter.offset < FILTER_MAX; i++) {
		ObjectPlace at = {filter.section, relocs[i].offset};
		ObjectTarget target = object_reloc_target(o, &relocs[i], at);
		if (target.symbol < o->nsymbols && str_is(o->symbols[target.symbol].name, "circ_seh_match"))
			return clause->place.section < o->nsections;
		*clause = target;
		clause->place.offset += distance_from;
	}
	return false;
}

/* Goes on in the function itself. */
static CircStep handler_step(const CoffTables *t, CircStepKind kind, const ObjectTarget *target)
{
	CircStep step = coff_tables_step(t, kind, target);
	step.function = NULL;
	return step;
}

static CircStep filter_step(CoffTables *t, const ObjectTarget *filter, const ObjectTarget *target)
{
	CircStep step = handler_step(t, CIRC_STEP_WHEN, target);
	ObjectTarget clause = {.symbol = OBJECT_NONE, .place = {OBJECT_NONE, 0}};
	return find_clause(t->o, filter->place, &clause) && explain_clause(&t->types, &step, clause)
	           ? step
	           : coff_tables_step(t, CIRC_STEP_WHEN, filter);
}

/* What ends a scope may be the return address of a call that is last in the function. */
static bool is_range(const PdataEntry *entry, ObjectPlace begin, ObjectPlace end)
{
	uint64_t function_begin = entry->begin.offset, function_end = function_begin + entry->size;
	return begin.section == entry->begin.section && end.section == begin.section &&
	       begin.offset >= function_begin && end.offset <= function_end + 1 && begin.offset <= end.offset;
}

/* False: reported. */
static bool read_scope(CoffTables *t, const PdataEntry *entry, ObjectPlace row, Scope *s)
{
	ObjectTarget begin = coff_tables_target(t, row), handler = coff_tables_target(t, after(row, 8)),
	             target = coff_tables_target(t, after(row, 12));
	ObjectPlace end = coff_range_end(t->o, after(row, 4), begin.place);
	uint64_t function_end = entry->begin.offset + entry->size;
	if (!is_range(entry, begin.place, end)) {
		object_warning(t->o, row, "expected a scope in its function, found another place");
		return false;
	}
	uint64_t number = 0;
	object_read(t->o, after(row, 8), 4, &number);
	bool is_number = number == EXECUTE_HANDLER && !object_reloc_at(t->o, after(row, 8));
	bool is_cleanup = target.is_null;
	if (handler.is_null || (is_cleanup && is_number)) {
		object_warning(t->o, after(row, 8), "expected a handler, found %llu",
		               (unsigned long long)number);
		return false;
	}
	s->begin = begin.place.offset;
	s->end = end.offset < function_end ? end.offset : function_end;
	s->handler = is_number ? (ObjectPlace){OBJECT_NONE, 0} : handler.place;
	s->step = is_cleanup  ? coff_tables_step(t, CIRC_STEP_CLEANUP, &handler)
	          : is_number ? handler_step(t, CIRC_STEP_CATCH_ALL, &target)
	                      : filter_step(t, &handler, &target);
	return true;
}

static uint32_t read_scopes(CoffTables *t, const PdataEntry *entry, ObjectPlace data, Scope **scopes)
{
	uint64_t n;
	if (!object_read(t->o, data, 4, &n)) {
		object_warning(t->o, data, "expected a scope table, found the end of the section");
		return 0;
	}
	uint64_t room = (t->o->sections[data.section].size - data.offset - 4) / ROW;
	if (n > room) {
		object_warning(t->o, data, "expected %llu scopes, found room for %llu", (unsigned long long)n,
		               (unsigned long long)room);
		n = room;
	}
	if (!coff_tables_spend(t, data, n))
		return 0;
	*scopes = arena_array(&t->e->arena, Scope, n);
	uint32_t found = 0;
	for (uint64_t i = 0; i < n; i++)
		if (read_scope(t, entry, after(data, 4 + i * ROW), &(*scopes)[found]))
			found++;
	return found;
}

static int compare_offsets(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Between two of these offsets each scope covers all or nothing. */
static uint32_t find_bounds(CoffTables *t, const PdataEntry *entry, const Scope *scopes, uint32_t n,
                            uint64_t **bounds)
{
	uint64_t *b = *bounds = arena_array(&t->e->arena, uint64_t, 2 * (size_t)n + 2);
	b[0] = entry->begin.offset;
	b[1] = entry->begin.offset + entry->size;
	for (uint32_t i = 0; i < n; i++) {
		b[2 * i + 2] = scopes[i].begin;
		b[2 * i + 3] = scopes[i].end;
	}
	qsort(b, 2 * (size_t)n + 2, sizeof *b, compare_offsets);
	uint32_t distinct = 1;
	for (uint32_t i = 1; i < 2 * n + 2; i++)
		if (b[i] != b[distinct - 1])
			b[distinct++] = b[i];
	return distinct;
}

static CircEnd find_steps(CoffTables *t, const Scope *scopes, uint32_t n, uint64_t at, StepVec *steps)
{
	for (uint32_t i = 0; i < n; i++) {
		if (at < scopes[i].begin || at >= scopes[i].end)
			continue;
		vec_push(&t->e->arena, steps, scopes[i].step);
		if (scopes[i].step.kind == CIRC_STEP_CATCH_ALL)
			return CIRC_END_CAUGHT;
	}
	return CIRC_END_LEAVES;
}

static void set_parents(CoffTables *t, const Scope *scopes, uint32_t n, CircExplainedFunction *f)
{
	for (uint32_t i = 0; i < n; i++) {
		CircExplainedFunction *funclet = coff_tables_function(t, scopes[i].handler);
		if (funclet && funclet != f && !funclet->parent)
			funclet->parent = f;
	}
}

void scope_table_read(CoffTables *t, const PdataEntry *entry, ObjectPlace data, CircExplainedFunction *f)
{
	Scope *scopes = NULL;
	uint64_t *bounds;
	SiteVec sites = {0};
	StepVec steps = {0};
	uint32_t n = read_scopes(t, entry, data, &scopes);
	uint32_t nbounds = find_bounds(t, entry, scopes, n, &bounds);
	for (uint32_t i = 0; i + 1 < nbounds; i++) {
		if (!coff_tables_spend(t, data, n))
			break;
		steps.len = 0;
		CircEnd end = find_steps(t, scopes, n, bounds[i], &steps);
		coff_sites(t, entry, bounds[i], bounds[i + 1], &steps, end, &sites);
	}
	explanation_set_sites(t->e, f, &sites);
	set_parents(t, scopes, n, f);
}

bool scope_table_is(CoffTables *t, const PdataEntry *entry, ObjectPlace data)
{
	uint64_t n;
	if (!object_read(t->o, data, 4, &n) || !n ||
	    n > (t->o->sections[data.section].size - data.offset - 4) / ROW || !coff_tables_spend(t, data, n))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		ObjectPlace row = after(data, 4 + i * ROW);
		ObjectTarget begin = coff_tables_target(t, row),
		             handler = coff_tables_target(t, after(row, 8));
		uint64_t number = 0;
		object_read(t->o, after(row, 8), 4, &number);
		bool is_code =
		    handler.place.section < t->o->nsections && t->o->sections[handler.place.section].code;
		if (!is_range(entry, begin.place, coff_range_end(t->o, after(row, 4), begin.place)) ||
		    (!is_code && number != EXECUTE_HANDLER))
			return false;
	}
	return true;
}
