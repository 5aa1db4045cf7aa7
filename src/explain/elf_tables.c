/* explain/elf_tables.c: the functions of an ELF file, by the FDEs of its `.eh_frame`, and what runs in them. */
#include "explain/cfa.h"
#include "explain/code_calls.h"
#include "explain/eh_frame.h"
#include "explain/explain.h"
#include "explain/lines.h"
#include "explain/lsda.h"

typedef struct Tables {
	CircExplanation *e;
	const ObjectFile *o;
	LineTable lines;
	TypeInfos types;
	LsdaReader lsda;
	CfaReader *cfa; /* NULL: no rows */
} Tables;

static const char *symbol_text(const Tables *t, uint32_t symbol)
{
	Str name = symbol < t->o->nsymbols ? t->o->symbols[symbol].name : (Str){0};
	return name.len ? explanation_string(t->e, name) : NULL;
}

/* Of a variable that was not followed: another object has it. */
static Str without_reference(const char *symbol)
{
	static const Str reference = {"DW.ref.", 7};
	Str name = str_of(symbol ? symbol : "");
	return str_begins_with(name, reference) ? (Str){name.data + reference.len, name.len - reference.len}
	                                        : name;
}

static void read_table(Tables *t, const EhFde *fde, CircExplainedFunction *f)
{
	Str personality = without_reference(f->personality);
	LsdaLanguage language = lsda_language(personality);
	/* Without a symbol it may be any of them; all that are known on ELF read such data. */
	if (language == LSDA_NONE && !personality.len)
		language = LSDA_CXX;
	f->table = object_address(t->o, fde->lsda);
	f->tables = language == LSDA_NONE ? CIRC_TABLE_OTHER : CIRC_TABLE_LSDA;
	if (language != LSDA_NONE)
		lsda_read(&t->lsda, language, fde->begin, fde->size, fde->lsda, f);
}

/* Nothing runs here, but whoever follows an exception goes through. Linked code is not searched for calls. */
static void add_calls(Tables *t, const EhFde *fde, CircExplainedFunction *f)
{
	SiteVec sites = {0};
	CodeCall call;
	uint64_t begin = fde->begin.offset, from = begin;
	while (!t->o->linked &&
	       code_next_call(t->o, (ObjectPlace){fde->begin.section, from}, begin + fde->size, &call)) {
		CircSite site = {
		    .begin = from - begin, .end = call.end - begin, .end_of_path = CIRC_END_LEAVES};
		site.callee = call.callee.len ? explanation_string(t->e, call.callee) : NULL;
		site.place = line_table_find(&t->lines, (ObjectPlace){fde->begin.section, call.end - 1});
		vec_push(&t->e->arena, &sites, site);
		from = call.end;
	}
	f->sites = sites.data;
	f->nsites = sites.len;
}

static void add_function(void *user, const EhFde *fde)
{
	Tables *t = user;
	const EhCie *cie = fde->cie;
	CircExplainedFunction *f = explanation_add_function(t->e);
	const ObjectSection *s = &t->o->sections[fde->begin.section];
	f->symbol = symbol_text(t, object_symbol_of(t->o, fde->begin, fde->size));
	f->section = explanation_string(t->e, s->name);
	f->address = object_address(t->o, fde->begin);
	f->size = fde->size;
	f->place = line_table_find(&t->lines, fde->begin);
	if (fde->begin.offset > s->size || fde->size > s->size - fde->begin.offset)
		object_warning(t->o, fde->at, "FDE covers code beyond the end of its section");
	if (cie->has_personality) {
		Str name = without_reference(symbol_text(t, cie->personality.symbol));
		f->personality = name.len ? explanation_string(t->e, name) : NULL;
	}
	if (fde->has_lsda && cie->has_personality)
		read_table(t, fde, f);
	else
		add_calls(t, fde, f);
	if (t->cfa)
		cfa_rows(t->cfa, fde, f);
}

static void read_frames(Tables *t)
{
	bool any = false;
	for (uint32_t i = 0; (i = object_section(t->o, ".eh_frame", i)) != OBJECT_NONE; i++, any = true)
		eh_frame_read(t->o, (ObjectPlace){i, 0}, UINT64_MAX, add_function, t);
	ObjectPlace place;
	uint64_t nfdes;
	if (any || !object_elf_eh_frame(t->o, &place, &nfdes))
		return;
	eh_frame_read(t->o, place, nfdes, add_function, t);
}

static bool has_code(const ObjectFile *o)
{
	for (uint32_t i = 0; i < o->nsections; i++)
		if (o->sections[i].code && o->sections[i].size)
			return true;
	return false;
}

static void warn_of_file(const ObjectFile *o, const char *why)
{
	object_warning(o, (ObjectPlace){OBJECT_NONE, 0}, "%s", why);
}

/* Files that look as if they had nothing to unwind. */
static void say_why_nothing(const ObjectFile *o)
{
	for (uint32_t i = 0; i < o->nsections; i++) {
		const ObjectSection *s = &o->sections[i];
		if (str_begins_with(s->name, STR(".gnu.lto_"))) {
			warn_of_file(o, "has only GCC's intermediate code (-flto); link it first");
			return;
		}
		if (str_is(s->name, ".eh_frame") && s->size && !s->bytes.len) {
			warn_of_file(o,
			             "has debug information only; explain the file that it was split from");
			return;
		}
	}
	if (has_code(o))
		warn_of_file(o, "has no '.eh_frame': no function can be unwound");
}

bool explain_elf(CircExplanation *e, const ObjectFile *o, const CircExplainOptions *options)
{
	Tables t = {.e = e, .o = o, .types = {.e = e, .o = o}};
	line_table_open(&t.lines, o, &e->arena);
	lsda_open(&t.lsda, e, o, &t.lines, &t.types);
	if (options->rows)
		t.cfa = cfa_open(e, o);
	read_frames(&t);
	if (!e->functions.len && !*o->warnings)
		say_why_nothing(o);
	type_infos_add_defined(&t.types);
	type_infos_find_bases(&t.types);
	return true;
}
