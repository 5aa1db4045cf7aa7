/* explain/cxx_frame_handler.c: the tables of __CxxFrameHandler3.
 *
 * Each place of the code is in a state. A state has an action, which is a cleanup, and leads to the state around it. A try covers
 * the states from its lowest to its highest; those behind, up to catchHigh, are those of its handlers. The runtime looks
 * at the tries of a state in the order of the table, and runs the actions from the state to the lowest of the try that has the
 * handler: so an action of a state inside of the try comes in front of its handlers here, and one around it behind. */
#include "explain/coff_tables.h"

#include <stdlib.h>

enum {
	MAGIC = 0x19930520, /* and 21: with exception specifications, 22: with flags */
	MAGIC_BITS = 0x1fffffff,
	FUNC_INFO = 40,
	NOEXCEPT = 4,
};

typedef struct Action {
	int32_t to;
	ObjectTarget code;
} Action;

typedef struct Try {
	int32_t low, high, catch_high;
	uint32_t nhandlers;
	ObjectPlace handlers;
} Try;

typedef struct Ip {
	ObjectPlace at;
	int32_t state;
	uint32_t order;
} Ip;

typedef struct FuncInfo {
	CoffTables *t;
	ObjectPlace at;
	uint32_t nactions, ntries, nips, flags;
	Action *actions;
	Try *tries;
	Ip *ips;
	ObjectPlace specification; /* of exceptions; section OBJECT_NONE: none */
} FuncInfo;

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

static uint32_t word_at(const FuncInfo *f, ObjectPlace at)
{
	uint64_t value;
	object_read(f->t->o, at, 4, &value);
	return (uint32_t)value;
}

bool cxx_frame_handler_is_table(const CoffTables *t, ObjectPlace data, ObjectPlace *table)
{
	uint64_t magic;
	*table = coff_tables_target(t, data).place;
	return table->section < t->o->nsections && object_read(t->o, *table, 4, &magic) &&
	       (magic & MAGIC_BITS) >= MAGIC && (magic & MAGIC_BITS) <= MAGIC + 2;
}

/* The table that a field points to, of *n rows; fewer where the section ends, or the budget. */
static ObjectPlace find_table(FuncInfo *f, unsigned field, unsigned row, const char *what, uint32_t *n)
{
	const ObjectFile *o = f->t->o;
	ObjectPlace at = after(f->at, field);
	ObjectPlace table = coff_tables_target(f->t, at).place;
	uint64_t room = 0;
	if (*n && table.section < o->nsections && table.offset <= o->sections[table.section].size)
		room = (o->sections[table.section].size - table.offset) / row;
	if (*n > room) {
		object_warning(o, at, "expected the address of %u %s, found room for %llu", *n, what,
		               (unsigned long long)room);
		*n = (uint32_t)room;
	}
	if (!coff_tables_spend(f->t, at, *n))
		*n = 0;
	return table;
}

/* Reading */

static void read_actions(FuncInfo *f)
{
	f->nactions = word_at(f, after(f->at, 4));
	ObjectPlace row = find_table(f, 8, 8, "states", &f->nactions);
	f->actions = arena_array(&f->t->e->arena, Action, f->nactions);
	for (uint32_t i = 0; i < f->nactions; i++, row.offset += 8) {
		Action *a = &f->actions[i];
		*a = (Action){(int32_t)word_at(f, row), coff_tables_target(f->t, after(row, 4))};
		if (a->to >= -1 && a->to < (int32_t)i)
			continue;
		object_warning(f->t->o, row, "expected state %u to lead to one before it, found %d", i,
		               a->to);
		a->to = -1;
	}
}

static void read_tries(FuncInfo *f)
{
	f->ntries = word_at(f, after(f->at, 12));
	ObjectPlace row = find_table(f, 16, 20, "tries", &f->ntries);
	f->tries = arena_array(&f->t->e->arena, Try, f->ntries);
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->ntries; i++, row.offset += 20) {
		Try y = {(int32_t)word_at(f, row), (int32_t)word_at(f, after(row, 4)),
		         (int32_t)word_at(f, after(row, 8)), word_at(f, after(row, 12)),
		         coff_tables_target(f->t, after(row, 16)).place};
		if (y.low < 0 || y.high < y.low || y.catch_high < y.high ||
		    y.catch_high >= (int64_t)f->nactions) {
			object_warning(f->t->o, row,
			               "expected a try in %u states, found states %d to %d, handlers to %d",
			               f->nactions, y.low, y.high, y.catch_high);
			continue;
		}
		uint64_t room =
		    y.handlers.section < f->t->o->nsections ? f->t->o->sections[y.handlers.section].size : 0;
		room = y.handlers.offset < room ? (room - y.handlers.offset) / 20 : 0;
		if (y.nhandlers > room) {
			object_warning(f->t->o, after(row, 12), "expected %u handlers, found room for %llu",
			               y.nhandlers, (unsigned long long)room);
			y.nhandlers = (uint32_t)room;
		}
		f->tries[n++] = y;
	}
	f->ntries = n;
}

static int compare_ips(const void *a, const void *b)
{
	const Ip *x = a, *y = b;
	if (x->at.section != y->at.section)
		return x->at.section < y->at.section ? -1 : 1;
	if (x->at.offset != y->at.offset)
		return x->at.offset < y->at.offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void read_ips(FuncInfo *f)
{
	f->nips = word_at(f, after(f->at, 20));
	ObjectPlace row = find_table(f, 24, 8, "places of code with their states", &f->nips);
	f->ips = arena_array(&f->t->e->arena, Ip, f->nips);
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->nips; i++, row.offset += 8) {
		Ip ip = {coff_tables_target(f->t, row).place, (int32_t)word_at(f, after(row, 4)), i};
		if (ip.at.section >= f->t->o->nsections || ip.state < -1 ||
		    ip.state >= (int64_t)f->nactions) {
			object_warning(
			    f->t->o, row, "expected a place of code and one of %u states, found %s %d",
			    f->nactions, ip.at.section >= f->t->o->nsections ? "no place, state" : "state",
			    ip.state);
			continue;
		}
		f->ips[n++] = ip;
	}
	f->nips = n;
	if (n)
		qsort(f->ips, n, sizeof *f->ips, compare_ips);
}

static bool read_func_info(FuncInfo *f)
{
	uint64_t magic, last;
	f->specification = (ObjectPlace){OBJECT_NONE, 0};
	if (!object_read(f->t->o, f->at, 4, &magic) || (magic & MAGIC_BITS) < MAGIC ||
	    (magic & MAGIC_BITS) > MAGIC + 2) {
		object_warning(f->t->o, f->at,
		               "expected the tables of __CxxFrameHandler3, which begin with "
		               "0x19930520 to 22; found 0x%llx",
		               (unsigned long long)magic);
		return false;
	}
	unsigned version = (unsigned)(magic & MAGIC_BITS) - MAGIC, size = FUNC_INFO - 4 * (2 - version);
	if (!object_read(f->t->o, after(f->at, size - 4), 4, &last)) {
		object_warning(f->t->o, f->at, "expected %u bytes of tables, found the end of the section",
		               size);
		return false;
	}
	if (version >= 1)
		f->specification = coff_tables_target(f->t, after(f->at, 32)).place;
	f->flags = version >= 2 ? word_at(f, after(f->at, 36)) : 0;
	read_actions(f);
	read_tries(f);
	read_ips(f);
	return true;
}

/* From a state outwards */

typedef struct Path {
	FuncInfo *f;
	StepVec *steps;
	CircEnd end;
	bool over; /* nothing gets further */
} Path;

static void add_step(Path *p, CircStep step)
{
	if (!coff_tables_spend(p->f->t, p->f->at, COFF_STEP_COST)) {
		p->over = true;
		return;
	}
	vec_push(&p->f->t->e->arena, p->steps, step);
}

/* Runs the actions of the states from *state to `until`, and of that one, too, if it is -1. */
static void leave_states(Path *p, int32_t *state, int32_t until)
{
	while (*state > until && !p->over) {
		const Action *a = &p->f->actions[*state];
		if (!a->code.is_null) {
			bool terminates = coff_tables_terminates(p->f->t, &a->code);
			CircStep step = coff_tables_step(
			    p->f->t, terminates ? CIRC_STEP_TERMINATE : CIRC_STEP_CLEANUP, &a->code);
			step.state = *state;
			add_step(p, step);
			p->over |= terminates;
			p->end = terminates ? CIRC_END_TERMINATES : p->end;
		}
		*state = a->to;
	}
}

static void add_handler(Path *p, const Try *y, ObjectPlace row)
{
	CoffTables *t = p->f->t;
	ObjectTarget type = coff_tables_target(t, after(row, 4)),
	             code = coff_tables_target(t, after(row, 12));
	bool terminates = type.is_null && coff_tables_terminates(t, &code);
	CircStep step = coff_tables_step(t,
	                                 terminates     ? CIRC_STEP_TERMINATE
	                                 : type.is_null ? CIRC_STEP_CATCH_ALL
	                                                : CIRC_STEP_CATCH,
	                                 &code);
	step.state = y->low;
	step.adjectives = word_at(p->f, row);
	step.object_offset = (int32_t)word_at(p->f, after(row, 8));
	if (!type.is_null) {
		const CircExplainedType **types = arena_array(&t->e->arena, const CircExplainedType *, 1);
		types[0] = coff_type(t->e, t->o, &type);
		step.types = types;
		step.ntypes = 1;
	} else {
		p->end = terminates ? CIRC_END_TERMINATES : CIRC_END_CAUGHT;
	}
	add_step(p, step);
	p->over |= type.is_null;
}

static void add_specification(Path *p)
{
	CoffTables *t = p->f->t;
	ObjectPlace at = p->f->specification;
	uint64_t n;
	if (at.section >= t->o->nsections || p->over || !object_read(t->o, at, 4, &n))
		return;
	ObjectPlace row = coff_tables_target(t, after(at, 4)).place;
	uint64_t room = row.section < t->o->nsections ? t->o->sections[row.section].size : 0;
	room = row.offset < room ? (room - row.offset) / 20 : 0;
	n = n < room ? n : room;
	if (!coff_tables_spend(t, at, n))
		return;
	const CircExplainedType **types = arena_array(&t->e->arena, const CircExplainedType *, n);
	CircStep step = {.kind = CIRC_STEP_SPECIFICATION, .types = types, .state = -1};
	for (uint64_t i = 0; i < n; i++, row.offset += 20) {
		ObjectTarget type = coff_tables_target(t, after(row, 4));
		if (!type.is_null)
			types[step.ntypes++] = coff_type(t->e, t->o, &type);
	}
	add_step(p, step);
}

static void find_steps(Path *p, int32_t state)
{
	FuncInfo *f = p->f;
	int32_t from = state;
	for (uint32_t i = 0; i < f->ntries && !p->over && state >= 0; i++) {
		const Try *y = &f->tries[i];
		if (!coff_tables_spend(f->t, f->at, 1))
			return;
		if (from < y->low || from > y->high)
			continue;
		leave_states(p, &state, y->low);
		ObjectPlace row = y->handlers;
		for (uint32_t k = 0; k < y->nhandlers && !p->over; k++, row.offset += 20)
			add_handler(p, y, row);
	}
	leave_states(p, &state, -1);
	add_specification(p);
}

/* Sites */

static bool is_before(ObjectPlace a, ObjectPlace b)
{
	return a.section != b.section ? a.section < b.section : a.offset < b.offset;
}

/* The last entry at or before a place of the same section counts: how many begin at or before it. */
static uint32_t ips_to(const FuncInfo *f, ObjectPlace at)
{
	uint32_t low = 0, high = f->nips;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (is_before(at, f->ips[mid].at))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static void add_sites(FuncInfo *f, const PdataEntry *entry, CircExplainedFunction *function)
{
	SiteVec sites = {0};
	StepVec steps = {0};
	CircEnd rest = f->flags & NOEXCEPT ? CIRC_END_TERMINATES : CIRC_END_LEAVES;
	uint64_t at = entry->begin.offset, end = at + entry->size;
	uint32_t i = ips_to(f, entry->begin);
	while (at < end) {
		bool known = i > 0 && f->ips[i - 1].at.section == entry->begin.section;
		int32_t state = known ? f->ips[i - 1].state : -1;
		bool goes_on = i < f->nips && f->ips[i].at.section == entry->begin.section;
		uint64_t next = goes_on && f->ips[i].at.offset < end ? f->ips[i].at.offset : end;
		if (!coff_tables_spend(f->t, f->at, 1))
			break;
		steps.len = 0;
		Path p = {f, &steps, rest, false};
		if (next > at)
			find_steps(&p, state);
		if (next > at)
			coff_sites(f->t, entry, at, next, &steps, p.end, &sites);
		at = next;
		i++;
	}
	function->rest = rest;
	explanation_set_sites(f->t->e, function, &sites);
}

/* Funclets */

/* The runtime calls std::terminate() when an exception leaves a cleanup. */
static void terminate_at_end(CircExplainedFunction *f)
{
	CircSite *sites = (CircSite *)(uintptr_t)f->sites;
	for (size_t i = 0; i < f->nsites; i++)
		if (sites[i].end_of_path == CIRC_END_LEAVES)
			sites[i].end_of_path = CIRC_END_TERMINATES;
	f->rest = CIRC_END_TERMINATES;
}

static void set_parent(CoffTables *t, const ObjectTarget *code, CircExplainedFunction *parent, bool cleanup)
{
	CircExplainedFunction *f = coff_tables_function(t, code->place);
	if (!f || f == parent || f->parent || !coff_tables_spend(t, code->place, 1))
		return;
	f->parent = parent;
	if (cleanup)
		terminate_at_end(f);
}

static bool is_funclet(const FuncInfo *f, ObjectPlace begin)
{
	for (uint32_t i = 0; i < f->nactions; i++)
		if (f->actions[i].code.place.section == begin.section &&
		    f->actions[i].code.place.offset == begin.offset)
			return true;
	for (uint32_t i = 0; i < f->ntries; i++) {
		ObjectPlace row = f->tries[i].handlers;
		for (uint32_t k = 0; k < f->tries[i].nhandlers; k++, row.offset += 20) {
			ObjectPlace code = coff_tables_target(f->t, after(row, 12)).place;
			if (!coff_tables_spend(f->t, f->at, 1))
				return true;
			if (code.section == begin.section && code.offset == begin.offset)
				return true;
		}
	}
	return false;
}

static void set_parents(FuncInfo *f, CircExplainedFunction *parent)
{
	for (uint32_t i = 0; i < f->nactions; i++)
		set_parent(f->t, &f->actions[i].code, parent, true);
	for (uint32_t i = 0; i < f->ntries; i++) {
		ObjectPlace row = f->tries[i].handlers;
		for (uint32_t k = 0; k < f->tries[i].nhandlers; k++, row.offset += 20) {
			ObjectTarget code = coff_tables_target(f->t, after(row, 12));
			if (!coff_tables_spend(f->t, f->at, 1))
				return;
			set_parent(f->t, &code, parent, false);
		}
	}
}

static int compare_users(const void *a, const void *b)
{
	const CxxUser *x = a, *y = b;
	if (x->table.section != y->table.section)
		return x->table.section < y->table.section ? -1 : 1;
	if (x->table.offset != y->table.offset)
		return x->table.offset < y->table.offset ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* One table: that of a function and its funclets. */
static void read_group(CoffTables *t, const CxxUser *users, uint32_t n)
{
	FuncInfo f = {.t = t, .at = users[0].table};
	if (!read_func_info(&f))
		return;
	CircExplainedFunction *parent = NULL;
	for (uint32_t i = 0; i < n && !parent; i++)
		if (coff_tables_spend(t, f.at, f.nactions) &&
		    !is_funclet(&f, t->entries.data[users[i].entry].begin))
			parent = t->functions[users[i].entry];
	if (parent)
		set_parents(&f, parent);
	for (uint32_t i = 0; i < n; i++) {
		CircExplainedFunction *function = t->functions[users[i].entry];
		CircEnd rest = function->rest;
		add_sites(&f, &t->entries.data[users[i].entry], function);
		if (rest == CIRC_END_TERMINATES)
			terminate_at_end(function);
	}
}

void cxx_frame_handler_read(CoffTables *t)
{
	if (t->cxx.len)
		qsort(t->cxx.data, t->cxx.len, sizeof *t->cxx.data, compare_users);
	for (uint32_t i = 0, k; i < t->cxx.len; i = k) {
		for (k = i + 1; k < t->cxx.len; k++)
			if (t->cxx.data[k].table.section != t->cxx.data[i].table.section ||
			    t->cxx.data[k].table.offset != t->cxx.data[i].table.offset)
				break;
		read_group(t, &t->cxx.data[i], k - i);
	}
}
