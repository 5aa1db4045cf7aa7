#include "explain/lsda.h"

#include "explain/clause.h"
#include "explain/code_calls.h"
#include "explain/eh_pointer.h"

#include <inttypes.h>

/* The table of one function. */
typedef struct Lsda {
	LsdaReader *r;
	const ObjectFile *o;
	LsdaLanguage language;
	ObjectPlace begin, at; /* of the code, of the table */
	uint64_t size;
	ObjectPlace pads; /* landing pads count from here; section OBJECT_NONE: they are addresses */
	unsigned site_encoding, type_encoding;
	uint64_t types; /* the table of types ends here, and that of specifications begins; 0: none */
	uint64_t actions;
	Bytes sites;
} Lsda;

LsdaLanguage lsda_language(Str personality)
{
	static const struct {
		const char *name;
		LsdaLanguage language;
	} names[] = {
	    {"__gxx_personality_v0", LSDA_CXX},      {"__gxx_personality_seh0", LSDA_CXX},
	    {"rust_eh_personality", LSDA_CXX},       {"__circ_personality_v0", LSDA_CIRC},
	    {"__circ_personality_seh0", LSDA_CIRC},  {"__gcc_personality_v0", LSDA_OTHER},
	    {"__gcc_personality_seh0", LSDA_OTHER},  {"__gnat_personality_v0", LSDA_OTHER},
	    {"__gnat_personality_seh0", LSDA_OTHER}, {"__gnu_objc_personality_v0", LSDA_OTHER},
	    {"__objc_personality_v0", LSDA_OTHER},   {"__gdc_personality_v0", LSDA_OTHER},
	    {"__gccgo_personality_v0", LSDA_OTHER},  {"_d_eh_personality", LSDA_CXX},
	    {"__dmd_personality_v0", LSDA_CXX},      {"__crystal_personality", LSDA_OTHER},
	};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(personality, names[i].name))
			return names[i].language;
	return LSDA_NONE;
}

void lsda_open(LsdaReader *r, CircExplanation *e, const ObjectFile *o, const LineTable *lines,
               TypeInfos *types)
{
	enum { SMALL = 1 << 16 };
	*r = (LsdaReader){.e = e, .o = o, .lines = lines, .types = types};
	r->steps_left = SMALL + o->bytes.len / 8;
}

static ObjectPlace in_table(const Lsda *l, uint64_t offset)
{
	return (ObjectPlace){l->at.section, offset};
}

static Str table_bytes(const Lsda *l)
{
	return l->o->sections[l->at.section].bytes;
}

/* Header */

static bool read_header(Lsda *l)
{
	Bytes b = bytes_of(table_bytes(l), l->at.offset, UINT64_MAX);
	unsigned encoding = (unsigned)bytes_uint(&b, 1);
	l->pads = l->begin;
	if (encoding != EH_PE_OMIT)
		l->pads = eh_pointer(l->o, l->at.section, &b, encoding, l->begin).place;
	l->type_encoding = (unsigned)bytes_uint(&b, 1);
	if (l->type_encoding != EH_PE_OMIT) {
		uint64_t distance = bytes_uleb(&b);
		l->types = b.at + distance;
		if (!b.failed && distance > b.end - b.at)
			bytes_fail(&b, "table of types ends outside of the section");
	}
	l->site_encoding = (unsigned)bytes_uint(&b, 1);
	uint64_t length = bytes_uleb(&b);
	if (!b.failed && length > b.end - b.at)
		bytes_fail(&b, "table of call sites is cut off");
	if (!b.failed && (l->site_encoding & EH_PE_APPLICATION || l->site_encoding & EH_PE_INDIRECT))
		bytes_fail(&b, "call sites have a pointer encoding that does not give a number");
	if (b.failed) {
		object_warning(l->o, in_table(l, b.at), "%s", b.failed);
		return false;
	}
	l->sites = b;
	l->sites.end = b.at + length;
	l->actions = b.at + length;
	return true;
}

/* Types */

static bool is_everything(const Lsda *l, ObjectTarget t)
{
	static const char *const all[] = {"__gnat_others_value", "__gnat_all_others_value"};
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (t.symbol != OBJECT_NONE && str_is(l->o->symbols[t.symbol].name, all[i]))
			return true;
	return t.is_null;
}

/* Number 1 is the last of the table. */
static bool read_type(const Lsda *l, uint64_t number, uint64_t named_at, ObjectTarget *t)
{
	unsigned size = eh_pointer_size(l->type_encoding);
	if (!l->types || l->type_encoding == EH_PE_OMIT || !size || number > (l->types - l->actions) / size ||
	    l->types < l->actions) {
		object_warning(l->o, in_table(l, named_at),
		               "type %" PRIu64 " is outside of the table of types", number);
		return false;
	}
	Bytes b = bytes_of(table_bytes(l), l->types - number * size, l->types);
	*t = eh_pointer(l->o, l->at.section, &b, l->type_encoding, l->begin);
	if (!b.failed && !t->is_null && t->symbol == OBJECT_NONE && t->place.section == OBJECT_NONE)
		bytes_fail(&b, "pointer to a type points outside of all sections");
	if (b.failed)
		object_warning(l->o, in_table(l, l->types - number * size), "%s", b.failed);
	return !b.failed;
}

/* Steps */

/* A clause of another object is named by its symbol. */
static void add_clause(const Lsda *l, CircStep *step, ObjectTarget clause)
{
	if (!explain_clause(l->r->types, step, clause) && clause.place.section >= l->o->nsections)
		explain_type_step(l->r->types, step, clause, TYPE_INFO_NONE);
}

static void add_catch(const Lsda *l, CircStep step, uint64_t number, uint64_t named_at)
{
	ObjectTarget t;
	if (!read_type(l, number, named_at, &t))
		return;
	step.kind = CIRC_STEP_CATCH;
	if (is_everything(l, t))
		step.kind = CIRC_STEP_CATCH_ALL;
	else if (l->language == LSDA_CIRC)
		add_clause(l, &step, t);
	else
		explain_type_step(l->r->types, &step, t,
		                  l->language == LSDA_CXX ? TYPE_INFO_ITANIUM : TYPE_INFO_NONE);
	vec_push(&l->r->e->arena, &l->r->steps, step);
}

/* A list of numbers of types behind the table of types, ended by 0. */
static void add_specification(const Lsda *l, CircStep step, uint64_t distance, uint64_t named_at)
{
	VEC(const CircExplainedType *) types = {0};
	ObjectTarget t;
	Bytes b = bytes_of(table_bytes(l), l->types + distance - 1, UINT64_MAX);
	if (!l->types || distance - 1 >= b.end - l->types) {
		object_warning(l->o, in_table(l, named_at),
		               "exception specification is outside of the section");
		return;
	}
	step.kind = CIRC_STEP_SPECIFICATION;
	for (uint64_t number; (number = bytes_uleb(&b)) && l->r->steps_left; l->r->steps_left--)
		if (read_type(l, number, b.at, &t))
			vec_push(&l->r->e->arena, &types, type_info_of(l->r->types, t, TYPE_INFO_ITANIUM));
	if (b.failed)
		object_warning(l->o, in_table(l, b.at), "%s", b.failed);
	step.types = types.data;
	step.ntypes = types.len;
	vec_push(&l->r->e->arena, &l->r->steps, step);
}

static bool ends_chain(const Lsda *l)
{
	const StepVec *steps = &l->r->steps;
	const CircStep *last = steps->len ? &steps->data[steps->len - 1] : NULL;
	return last && (last->kind == CIRC_STEP_CATCH_ALL ||
	                (last->kind == CIRC_STEP_SPECIFICATION && !last->ntypes));
}

static bool spend_step(const Lsda *l, uint64_t at)
{
	if (l->r->steps_left > 1) {
		l->r->steps_left--;
		return true;
	}
	l->r->steps_left = 0;
	object_warning(l->o, in_table(l, at),
	               "action chains are too long for the size of the file; the rest is not shown");
	return false;
}

/* action: 1 + the offset of the first record. */
static void read_chain(const Lsda *l, const CircStep *step, uint64_t action)
{
	uint64_t at = l->actions + action - 1, end = l->types ? l->types : UINT64_MAX;
	uint64_t visited = 0, slow = at; /* a cycle: Brent's algorithm */
	uint64_t lap = 1;
	for (;;) {
		Bytes b = bytes_of(table_bytes(l), at, end);
		if (at < l->actions || at >= b.end)
			bytes_fail(&b, "action record is outside of the table");
		int64_t filter = bytes_sleb(&b);
		uint64_t next_at = b.at;
		int64_t next = bytes_sleb(&b);
		if (b.failed) {
			object_warning(l->o, in_table(l, at), "%s", b.failed);
			return;
		}
		if (!spend_step(l, at))
			return;
		if (filter > 0)
			add_catch(l, *step, (uint64_t)filter, at);
		else if (filter < 0)
			add_specification(l, *step, 0 - (uint64_t)filter, at);
		else
			vec_push(&l->r->e->arena, &l->r->steps, *step);
		if (!next || ends_chain(l)) /* what follows a handler of everything is never asked */
			return;
		at = next_at + (uint64_t)next;
		if (at == slow) {
			object_warning(l->o, in_table(l, next_at), "action chain is cyclic");
			return;
		}
		if (++visited == lap) {
			slow = at;
			lap *= 2;
			visited = 0;
		}
	}
}

/* Code behind the pad that ends the program, as compilers write it for noexcept: nothing else stands before it. */
static bool is_terminating(const Lsda *l, ObjectPlace pad)
{
	static const char *const names[] = {"__clang_call_terminate", "_ZSt9terminatev", "circ_terminate",
	                                    "__cxa_call_terminate", "__circ_terminate"};
	CodeCall call;
	bool found = code_first_call(l->o, pad, &call);
	for (size_t i = 0; found && i < ARRAY_LEN(names); i++)
		if (str_is(call.callee, names[i]))
			return true;
	return false;
}

static void end_steps(const Lsda *l, ObjectPlace pad, CircSite *site)
{
	StepVec *steps = &l->r->steps;
	site->end_of_path = ends_chain(l) ? CIRC_END_CAUGHT : CIRC_END_LEAVES;
	if (steps->len == 1 && steps->data[0].kind == CIRC_STEP_CATCH_ALL && is_terminating(l, pad)) {
		steps->data[0].kind = CIRC_STEP_TERMINATE;
		site->end_of_path = CIRC_END_TERMINATES;
	}
}

static void read_steps(const Lsda *l, ObjectPlace pad, uint64_t action, CircSite *site)
{
	CircStep step = {.kind = CIRC_STEP_CLEANUP, .state = -1};
	step.begin = object_address(l->o, pad);
	step.place = line_table_find(l->r->lines, pad);
	l->r->steps.len = 0;
	if (action && l->language != LSDA_NONE)
		read_chain(l, &step, action);
	else if (spend_step(l, l->at.offset))
		vec_push(&l->r->e->arena, &l->r->steps, step);
	end_steps(l, pad, site);
}

/* Call sites */

static void add_site(const Lsda *l, CircSite site, const CodeCall *call)
{
	ObjectPlace code = {l->begin.section, l->begin.offset + site.end - 1};
	site.callee = NULL;
	if (call) {
		code.offset = call->end - 1;
		if (call->callee.len)
			site.callee = explanation_string(l->r->e, call->callee);
	}
	site.place = line_table_find(l->r->lines, code);
	explanation_set_steps(l->r->e, &site, &l->r->steps);
	vec_push(&l->r->e->arena, &l->r->sites, site);
}

/* One for each call that relocations show; the last one has what is left of the range. */
static void add_sites(const Lsda *l, CircSite site)
{
	uint64_t base = l->begin.offset, end = site.end;
	CodeCall call, next;
	bool found =
	    code_next_call(l->o, (ObjectPlace){l->begin.section, base + site.begin}, base + end, &call);
	if (!found) {
		found = code_call_before(l->o, (ObjectPlace){l->begin.section, base + end}, &call);
		add_site(l, site, found ? &call : NULL);
		return;
	}
	while (code_next_call(l->o, (ObjectPlace){l->begin.section, call.end}, base + end, &next) &&
	       (!l->r->steps.len || spend_step(l, l->at.offset))) {
		site.end = call.end - base;
		add_site(l, site, &call);
		site.begin = site.end;
		call = next;
	}
	site.end = end;
	add_site(l, site, &call);
}

typedef struct Entry {
	uint64_t at, begin, length, pad, pad_at, action;
} Entry;

static Entry read_entry(const Lsda *l, Bytes *b)
{
	Entry entry = {.at = b->at};
	entry.begin = eh_pointer_number(b, l->site_encoding);
	entry.length = eh_pointer_number(b, l->site_encoding);
	entry.pad_at = b->at;
	entry.pad = eh_pointer_number(b, l->site_encoding);
	entry.action = bytes_uleb(b);
	return entry;
}

/* Where the landing pad is; section OBJECT_NONE: nowhere. */
static ObjectPlace pad_place(const Lsda *l, const Entry *entry)
{
	if (l->pads.section != OBJECT_NONE)
		return (ObjectPlace){l->pads.section, l->pads.offset + entry->pad};
	const ObjectReloc *r = object_reloc_at(l->o, in_table(l, entry->pad_at));
	return r ? object_reloc_target(l->o, r, in_table(l, entry->pad_at)).place
	         : object_place_of(l->o, entry->pad);
}

static bool check_entry(const Lsda *l, const Entry *entry)
{
	if (entry->begin <= l->size && entry->length <= l->size - entry->begin)
		return true;
	object_warning(l->o, in_table(l, entry->at),
	               "call site 0x%" PRIx64 "+0x%" PRIx64 " is outside of its function of 0x%" PRIx64
	               " bytes",
	               entry->begin, entry->length, l->size);
	return false;
}

static void read_site(const Lsda *l, const Entry *entry)
{
	CircSite site = {
	    .begin = entry->begin, .end = entry->begin + entry->length, .end_of_path = CIRC_END_LEAVES};
	l->r->steps.len = 0;
	ObjectPlace pad = pad_place(l, entry);
	if (entry->pad || l->pads.section == OBJECT_NONE) {
		bool inside = pad.section < l->o->nsections && pad.offset < l->o->sections[pad.section].size;
		if (inside)
			read_steps(l, pad, entry->action, &site);
		else if (entry->pad)
			object_warning(l->o, in_table(l, entry->pad_at),
			               "landing pad 0x%" PRIx64 " is outside of all code", entry->pad);
		if (inside)
			site.pad = object_address(l->o, pad) - object_address(l->o, l->begin);
	}
	add_sites(l, site);
}

void lsda_read(LsdaReader *r, LsdaLanguage language, ObjectPlace begin, uint64_t size, ObjectPlace table,
               CircExplainedFunction *f)
{
	Lsda l = {.r = r, .o = r->o, .language = language, .begin = begin, .at = table, .size = size};
	uint64_t last = 0;
	f->rest = language == LSDA_CXX ? CIRC_END_TERMINATES : CIRC_END_LEAVES;
	r->sites.len = 0;
	if (table.section >= r->o->nsections || begin.section >= r->o->nsections || !read_header(&l))
		return;
	while (l.sites.at < l.sites.end) {
		Entry entry = read_entry(&l, &l.sites);
		if (l.sites.failed) {
			object_warning(l.o, in_table(&l, l.sites.at), "%s", l.sites.failed);
			break;
		}
		if (!check_entry(&l, &entry) || !entry.length)
			continue;
		if (entry.begin < last)
			object_warning(l.o, in_table(&l, entry.at),
			               "call sites are not in order: 0x%" PRIx64 " begins before 0x%" PRIx64,
			               entry.begin, last);
		else
			last = entry.begin + entry.length;
		read_site(&l, &entry);
	}
	explanation_set_sites(r->e, f, &r->sites);
}
