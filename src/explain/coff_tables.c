/* explain/coff_tables.c: the tables of COFF objects and PE images: from .pdata to the personality of each function. */
#include "explain/coff_tables.h"

#include "explain/code_calls.h"
#include "explain/explain.h"

#include <stdio.h>

/* Personalities */

typedef enum Reader { READER_OTHER, READER_NONE, READER_CXX, READER_CXX4, READER_SCOPE } Reader;

static Reader reader_of(const char *personality)
{
	static const struct {
		const char *name;
		Reader reader;
	} known[] = {
	    {"__CxxFrameHandler3", READER_CXX},     {"__CxxFrameHandler", READER_CXX},
	    {"__GSHandlerCheck_EH", READER_CXX},    {"__CxxFrameHandler4", READER_CXX4},
	    {"__GSHandlerCheck_EH4", READER_CXX4},  {"__C_specific_handler", READER_SCOPE},
	    {"__GSHandlerCheck_SEH", READER_SCOPE}, {"__GSHandlerCheck", READER_NONE},
	};
	for (size_t i = 0; personality && i < ARRAY_LEN(known); i++)
		if (strcmp(personality, known[i].name) == 0)
			return known[i].reader;
	return READER_OTHER;
}

static const char *personality_of(const CoffTables *t, const ObjectTarget *handler)
{
	const char *name = coff_tables_symbol(t, handler->symbol);
	if (!name && t->o->linked && handler->place.section < t->o->nsections)
		name = coff_tables_callee(t, code_jump_name(t->o, handler->place));
	if (name)
		return name;
	char text[40];
	snprintf(text, sizeof text, "address 0x%llx",
	         (unsigned long long)object_address(t->o, handler->place));
	return explanation_string(t->e, str_of(text));
}

/* Functions */

static void other_tables(const CoffTables *t, const PdataEntry *entry, CircExplainedFunction *f)
{
	f->tables = CIRC_TABLE_OTHER;
	bool compressed = reader_of(f->personality) == READER_CXX4;
	object_warning(t->o, entry->info, "%s: circ has no reader for the tables of this handler%s",
	               f->personality, compressed ? "; cl writes those that it reads with /d2FH4-" : "");
}

/* Nothing runs here, but whoever follows an exception goes through. */
static void add_calls(CoffTables *t, const PdataEntry *entry, CircExplainedFunction *f)
{
	SiteVec sites = {0};
	StepVec none = {0};
	uint64_t begin = entry->begin.offset;
	coff_sites(t, entry, begin, begin + entry->size, &none, CIRC_END_LEAVES, &sites);
	explanation_set_sites(t->e, f, &sites);
}

/* data: what the handler reads */
static void read_tables(CoffTables *t, uint32_t number, const PdataEntry *entry, ObjectPlace data)
{
	CircExplainedFunction *f = t->functions[number];
	ObjectPlace table;
	bool is_cxx = cxx_frame_handler_is_table(t, data, &table);
	Reader reader = reader_of(f->personality);
	LsdaLanguage language = lsda_language(str_of(f->personality));
	f->table = reader == READER_NONE ? 0 : object_address(t->o, data);
	/* A name is not known in images that are stripped: what the tables look like is. */
	bool is_nameless = str_begins_with(str_of(f->personality), STR("address "));
	if (is_nameless && !is_cxx && scope_table_is(t, entry, data))
		reader = READER_SCOPE;
	if (reader == READER_NONE) {
		add_calls(t, entry, f);
	} else if (reader == READER_CXX || (reader == READER_OTHER && is_cxx)) {
		CxxUser user = {number, table};
		f->tables = CIRC_TABLE_CXX;
		f->table = object_address(t->o, table);
		vec_push(&t->e->arena, &t->cxx, user);
	} else if (language != LSDA_NONE) {
		f->tables = CIRC_TABLE_LSDA;
		lsda_read(&t->lsda, language, entry->begin, entry->size, data, f);
	} else if (reader == READER_SCOPE) {
		f->tables = CIRC_TABLE_SCOPE;
		scope_table_read(t, entry, data, f);
	} else {
		other_tables(t, entry, f);
	}
}

static void unwind_rows_x86_64(CoffTables *t, const PdataEntry *entry, const UnwindInfo *info,
                               UnwindRowVec *rows)
{
	unwind_rows(t->o, info, entry->size, rows);
}

static void (*const rows_by_machine[])(CoffTables *t, const PdataEntry *entry, const UnwindInfo *info,
                                       UnwindRowVec *rows) = {
    [OBJECT_X86_64] = unwind_rows_x86_64, [OBJECT_AARCH64] = unwind_rows_arm64};

static void set_rows(CoffTables *t, const PdataEntry *entry, const UnwindInfo *info, CircExplainedFunction *f)
{
	UnwindRowVec rows = {0};
	rows_by_machine[t->o->machine](t, entry, info, &rows);
	if (info->flags & UNWIND_CHAINED) {
		const ObjectPlace to = info->chained.begin;
		CircUnwindRow row = {
		    0, arena_printf(&t->e->arena, "as 0x%llx", (unsigned long long)object_address(t->o, to))};
		vec_push(&t->e->arena, &rows, row);
	}
	f->rows = rows.data;
	f->nrows = rows.len;
}

static void read_function(CoffTables *t, uint32_t number, const CircExplainOptions *options)
{
	CircExplainedFunction *f = t->functions[number];
	PdataEntry entry = t->entries.data[number];
	UnwindInfo info;
	f->symbol = coff_tables_symbol(t, object_symbol_at(t->o, entry.begin));
	f->section = explanation_string(t->e, t->o->sections[entry.begin.section].name);
	f->address = object_address(t->o, entry.begin);
	f->size = entry.size;
	f->place = line_table_find_begin(&t->lines, entry.begin, entry.size);
	if (!unwind_info_read(t->o, &entry, &info))
		return;
	if (options->rows)
		set_rows(t, &entry, &info, f);
	if (info.flags & UNWIND_CHAINED) { /* a part of a function: the handler is that of the whole */
		if (!unwind_info_primary(t->o, &entry, &info))
			return;
		f->parent = coff_tables_function(t, entry.begin);
		if (f->parent == f)
			f->parent = NULL;
	}
	if (!(info.flags & (UNWIND_EXCEPTION_HANDLER | UNWIND_TERMINATION_HANDLER))) {
		add_calls(t, &entry, f);
		return;
	}
	f->personality = personality_of(t, &info.handler);
	read_tables(t, number, &t->entries.data[number], info.data);
}

bool explain_coff(CircExplanation *e, const ObjectFile *o, const CircExplainOptions *options)
{
	CoffTables t = {.e = e, .o = o, .work_left = 64 * (uint64_t)o->bytes.len + (1 << 22)};
	line_table_open(&t.lines, o, &e->arena);
	t.types = (TypeInfos){.e = e, .o = o};
	lsda_open(&t.lsda, e, o, &t.lines, &t.types);
	pdata_read(o, &t.entries);
	t.functions = arena_array(&e->arena, CircExplainedFunction *, t.entries.len);
	for (uint32_t i = 0; i < t.entries.len; i++)
		t.functions[i] = explanation_add_function(e);
	for (uint32_t i = 0; i < t.entries.len; i++)
		read_function(&t, i, options);
	cxx_frame_handler_read(&t);
	coff_type_bases(&t);
	type_infos_add_defined(&t.types);
	type_infos_find_bases(&t.types);
	return true;
}
