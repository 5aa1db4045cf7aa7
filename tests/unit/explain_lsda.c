/* Language-specific data made by hand: call sites, chains, types, specifications, what points outside. */
#include "explain_common.h"

#include "explain/lsda.h"

typedef struct Read {
	Fixture f;
	LineTable lines;
	TypeInfos types;
	LsdaReader reader;
	CircExplainedFunction of;
} Read;

enum { CODE = 1, TABLE = 2, DATA = 3 };

/* Code of 0x40 bytes; symbols 0: function, 1: _ZTI1A, 2: _ZTIi, neither of them here. */
static void open_table(Read *r, const void *bytes, size_t size)
{
	static const char code[0x40], data[64];
	memset(r, 0, sizeof *r);
	fixture_open(&r->f, false);
	fixture_section(&r->f, ".text", 0, code, sizeof code);
	fixture_section(&r->f, ".gcc_except_table", 0, bytes, size);
	fixture_section(&r->f, ".data", 0, data, sizeof data);
	fixture_symbol(&r->f, "function", CODE, 0, 0x40);
	fixture_symbol(&r->f, "_ZTI1A", OBJECT_NONE, 0, 0);
	fixture_symbol(&r->f, "_ZTIi", OBJECT_NONE, 0, 0);
	fixture_symbol(&r->f, "callee", OBJECT_NONE, 0, 0);
	r->types = (TypeInfos){.e = r->f.e, .o = &r->f.o};
	r->lines.mem = &r->f.e->arena;
}

static void read_table(Read *r, LsdaLanguage language)
{
	object_index(&r->f.o);
	lsda_open(&r->reader, r->f.e, &r->f.o, &r->lines, &r->types);
	lsda_read(&r->reader, language, (ObjectPlace){CODE, 0}, 0x40, (ObjectPlace){TABLE, 0}, &r->of);
}

#define OPEN(r, text) open_table(r, text, sizeof(text) - 1)

static void expect_step(const Read *r, uint32_t site, uint32_t i, CircStepKind kind, const char *type)
{
	const CircSite *s = &r->of.sites[site];
	if (!EXPECT(site < r->of.nsites && i < s->nsteps))
		return;
	EXPECT_EQ(s->steps[i].kind, kind);
	EXPECT_EQ(s->steps[i].begin, s->pad);
	EXPECT_STR(s->steps[i].ntypes ? s->steps[i].types[0]->symbol : "", type);
}

TEST(chains_types_and_gaps)
{
	Read r;
	/* 0: header, 5: sites, 17: actions, 28 and 32: types */
	OPEN(&r, "\xff\x03\x21\x01\x0c"
	         "\x00\x04\x20\x03"
	         "\x04\x04\x00\x00"
	         "\x10\x08\x30\x00"
	         "\x01\x00"
	         "\x02\x7d"
	         "\0\0\0\0\0\0\0"
	         "\0\0\0\0"
	         "\0\0\0\0");
	fixture_reloc(&r.f, TABLE, 28, 2, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&r.f, TABLE, 32, 1, OBJECT_RELOC_ABSOLUTE, 0);
	read_table(&r, LSDA_CXX);
	EXPECT_STR(r.f.said, "");
	EXPECT_EQ(r.of.nsites, 3);
	EXPECT_EQ(r.of.rest, CIRC_END_TERMINATES);
	EXPECT(r.of.sites[0].begin == 0 && r.of.sites[0].end == 4 && r.of.sites[0].pad == 0x20);
	expect_step(&r, 0, 0, CIRC_STEP_CATCH, "_ZTIi");
	expect_step(&r, 0, 1, CIRC_STEP_CATCH, "_ZTI1A");
	EXPECT_EQ(r.of.sites[0].nsteps, 2);
	EXPECT_EQ(r.of.sites[0].end_of_path, CIRC_END_LEAVES);
	EXPECT(r.of.sites[1].nsteps == 0 && r.of.sites[1].pad == 0);
	expect_step(&r, 2, 0, CIRC_STEP_CLEANUP, "");
	fixture_close(&r.f);
}

TEST(a_null_type_takes_everything_and_ends_the_chain)
{
	Read r;
	OPEN(&r, "\xff\x03\x0e\x01\x04"
	         "\x00\x04\x20\x03"
	         "\x00\x00"
	         "\x01\x7d"
	         "\0\0\0\0");
	read_table(&r, LSDA_OTHER);
	EXPECT_STR(r.f.said, "");
	EXPECT_EQ(r.of.rest, CIRC_END_LEAVES);
	EXPECT_EQ(r.of.sites[0].nsteps, 1);
	expect_step(&r, 0, 0, CIRC_STEP_CATCH_ALL, "");
	EXPECT_EQ(r.of.sites[0].end_of_path, CIRC_END_CAUGHT);
	fixture_close(&r.f);
}

TEST(specifications)
{
	Read r;
	/* 0: header, 5: sites, 13: actions, 17: type, 21: lists, that of -3 being empty */
	OPEN(&r, "\xff\x03\x12\x01\x08"
	         "\x00\x04\x20\x01"
	         "\x04\x04\x20\x03"
	         "\x7f\x00"
	         "\x7d\x00"
	         "\0\0\0\0"
	         "\x01\x00\x00");
	fixture_reloc(&r.f, TABLE, 17, 1, OBJECT_RELOC_ABSOLUTE, 0);
	read_table(&r, LSDA_CXX);
	EXPECT_STR(r.f.said, "");
	expect_step(&r, 0, 0, CIRC_STEP_SPECIFICATION, "_ZTI1A");
	EXPECT_EQ(r.of.sites[0].end_of_path, CIRC_END_LEAVES);
	EXPECT_EQ(r.of.sites[1].steps[0].ntypes, 0);
	EXPECT_EQ(r.of.sites[1].end_of_path, CIRC_END_CAUGHT);
	fixture_close(&r.f);
}

TEST(a_range_of_several_calls_is_a_site_for_each)
{
	static const char code[0x40] = {0, 0, (char)0xe8, 0, 0, 0, 0, 0, (char)0xe8, 0, 0, 0, 0, 0, 0, 0};
	Read r;
	OPEN(&r, "\xff\xff\x01\x04"
	         "\x00\x10\x20\x00");
	r.f.sections[CODE].bytes.data = code;
	fixture_reloc(&r.f, CODE, 3, 3, OBJECT_RELOC_RELATIVE, -4);
	fixture_reloc(&r.f, CODE, 9, 3, OBJECT_RELOC_RELATIVE, -4);
	read_table(&r, LSDA_CXX);
	EXPECT_EQ(r.of.nsites, 2);
	EXPECT(r.of.sites[0].begin == 0 && r.of.sites[0].end == 7);
	EXPECT(r.of.sites[1].begin == 7 && r.of.sites[1].end == 0x10);
	EXPECT_STR(r.of.sites[0].callee, "callee");
	EXPECT_STR(r.of.sites[1].callee, "callee");
	expect_step(&r, 1, 0, CIRC_STEP_CLEANUP, "");
	fixture_close(&r.f);
}

/* A clause of circ's runtime {kind, language, what} in .data. */
static void expect_clause(char kind, CircStepKind step, const char *type, const char *function)
{
	Read r;
	char data[64] = {0};
	data[0] = kind;
	OPEN(&r, "\xff\x03\x0c\x01\x04"
	         "\x00\x04\x20\x01"
	         "\x01\x00"
	         "\0\0\0\0");
	r.f.sections[DATA].bytes.data = data;
	uint32_t clause = fixture_symbol(&r.f, ".circ.clause.x", DATA, 0, 16);
	fixture_reloc(&r.f, TABLE, 11, clause, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&r.f, DATA, 8, 3, OBJECT_RELOC_ABSOLUTE, 0);
	read_table(&r, LSDA_CIRC);
	EXPECT_STR(r.f.said, "");
	expect_step(&r, 0, 0, step, type);
	if (EXPECT(r.of.nsites == 1 && r.of.sites[0].nsteps == 1))
		EXPECT_STR(r.of.sites[0].steps[0].function ? r.of.sites[0].steps[0].function : "", function);
	fixture_close(&r.f);
}

TEST(clauses_of_the_runtime_of_circ)
{
	expect_clause(1, CIRC_STEP_CATCH, "callee", "");
	expect_clause(2, CIRC_STEP_CATCH, "callee", "");
	expect_clause(3, CIRC_STEP_WHEN, "", "callee");
	expect_clause(4, CIRC_STEP_CATCH_ALL, "", "");
}

static void expect_said(const char *bytes, size_t size, const char *message)
{
	Read r;
	open_table(&r, bytes, size);
	read_table(&r, LSDA_CXX);
	EXPECT_CONTAINS(r.f.said, message);
	fixture_close(&r.f);
}

#define SAID(bytes, message) expect_said(bytes, sizeof(bytes) - 1, message)

TEST(what_points_outside_is_said_with_its_place)
{
	SAID("", ".gcc_except_table+0x0: table is cut off");
	SAID("\xff\x03\x7f\x01\x00", "table of types ends outside of the section");
	SAID("\xff\xff\x01\x20\x00", "table of call sites is cut off");
	SAID("\xff\xff\x11\x00", "call sites have a pointer encoding that does not give a number");
	SAID("\xff\xff\x01\x04\x00\x41\x00\x00",
	     "+0x4: call site 0x0+0x41 is outside of its function of 0x40 bytes");
	SAID("\xff\xff\x01\x05\x00\x04\x80\x01\x00", "+0x6: landing pad 0x80 is outside of all code");
	SAID("\xff\xff\x01\x04\x00\x04\x20\x09", "action record is outside of the table");
	SAID("\xff\xff\x01\x04\x00\x04\x20\x01\x01\x00", "+0x8: type 1 is outside of the table of types");
	SAID("\xff\xff\x01\x04\x00\x04\x20\x01\x7f\x00",
	     "+0x8: exception specification is outside of the section");
	SAID("\xff\xff\x01\x04\x00\x04\x20\x01\x00\x7f", "action chain is cyclic");
	SAID("\xff\xff\x01\x08\x04\x04\x00\x00\x00\x04\x00\x00", "call sites are not in order");
	SAID("\xff\xff\x01\x0c\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00",
	     "LEB128 number does not end within 10 bytes");
}

/* Type infos */

enum { NON_DIAMOND_REPEAT = 1 };

/* 0: __si {vtable, name, base}; 24: __vmi {vtable, name, flags, 2, {base, public}, {base, not public}} */
static void check_bases(char vmi_flags)
{
	Read r;
	char data[88] = {0};
	data[24 + 16] = vmi_flags;
	data[24 + 20] = 2;
	data[24 + 32] = 2;
	OPEN(&r, "");
	r.f.sections[DATA].bytes = (Str){data, sizeof data};
	r.f.sections[DATA].size = sizeof data;
	uint32_t si = fixture_symbol(&r.f, "_ZTI2Si", DATA, 0, 24),
	         vmi = fixture_symbol(&r.f, "_ZTI3Vmi", DATA, 24, 56);
	uint32_t si_table =
	    fixture_symbol(&r.f, "_ZTVN10__cxxabiv120__si_class_type_infoE", OBJECT_NONE, 0, 0);
	uint32_t vmi_table =
	    fixture_symbol(&r.f, "_ZTVN10__cxxabiv121__vmi_class_type_infoE", OBJECT_NONE, 0, 0);
	r.f.symbols[si].function = r.f.symbols[vmi].function = false;
	fixture_reloc(&r.f, DATA, 0, si_table, OBJECT_RELOC_ABSOLUTE, 16);
	fixture_reloc(&r.f, DATA, 16, 1, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&r.f, DATA, 24, vmi_table, OBJECT_RELOC_ABSOLUTE, 16);
	fixture_reloc(&r.f, DATA, 48, si, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&r.f, DATA, 64, 2, OBJECT_RELOC_ABSOLUTE, 0);
	object_index(&r.f.o);
	type_infos_add_defined(&r.types);
	type_infos_find_bases(&r.types);
	const CircExplainedType *s = explanation_type(r.f.e, STR("_ZTI2Si")),
	                        *v = explanation_type(r.f.e, STR("_ZTI3Vmi"));
	EXPECT(s->has_bases && s->nbases == 1);
	EXPECT_STR(s->nbases ? s->bases[0]->symbol : "", "_ZTI1A");
	EXPECT(!explanation_type(r.f.e, STR("_ZTI1A"))->has_bases);
	if (vmi_flags & NON_DIAMOND_REPEAT)
		EXPECT(!v->has_bases && !v->nbases);
	else
		EXPECT(v->has_bases && v->nbases == 1 && v->bases[0] == s);
	fixture_close(&r.f);
}

TEST(bases_by_type_infos)
{
	check_bases(0);
}

/* A handler of a base that is there twice does not take the exception. */
TEST(bases_that_repeat_are_not_known)
{
	check_bases(NON_DIAMOND_REPEAT);
}

/* D's personalities end the program for code without an entry, as C++'s; Crystal's goes on. */
TEST(languages_by_personality)
{
	EXPECT_EQ(lsda_language(STR("__gxx_personality_v0")), LSDA_CXX);
	EXPECT_EQ(lsda_language(STR("_d_eh_personality")), LSDA_CXX);
	EXPECT_EQ(lsda_language(STR("__crystal_personality")), LSDA_OTHER);
	EXPECT_EQ(lsda_language(STR("__gxx_personality_sj0")), LSDA_NONE);
}
