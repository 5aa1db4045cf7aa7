/* join/join.h: what the command's tests (tests/cli/parts-coff.test) do not come by, of COFF. */
#include "joined.h"

static const char triple[] = "x86_64-pc-windows-msvc", mingw[] = "x86_64-w64-windows-gnu";

static bool join2(const char *a, const char *b, Str *joined)
{
	return join_for(triple, a, b, joined);
}

/* Sections of a name, and relocations in them. */
static unsigned count_sections(Str object, const char *name, unsigned *relocations)
{
	unsigned n = 0;
	LLVMMemoryBufferRef buffer =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.len, "joined");
	char *message = NULL;
	LLVMBinaryRef binary = LLVMCreateBinary(buffer, NULL, &message);
	*relocations = 0;
	if (!EXPECT(binary != NULL)) {
		LLVMDisposeMessage(message);
		LLVMDisposeMemoryBuffer(buffer);
		return 0;
	}
	LLVMSectionIteratorRef s = LLVMObjectFileCopySectionIterator(binary);
	for (; !LLVMObjectFileIsSectionIteratorAtEnd(binary, s); LLVMMoveToNextSection(s)) {
		if (strcmp(LLVMGetSectionName(s), name) != 0)
			continue;
		n++;
		LLVMRelocationIteratorRef r = LLVMGetRelocations(s);
		for (; !LLVMIsRelocationIteratorAtEnd(s, r); LLVMMoveToNextRelocation(r))
			++*relocations;
		LLVMDisposeRelocationIterator(r);
	}
	LLVMDisposeSectionIterator(s);
	LLVMDisposeBinary(binary);
	LLVMDisposeMemoryBuffer(buffer);
	return n;
}

TEST(what_one_part_names_another_defines)
{
	Str joined;
	char section[64];
	unsigned relocations;
	if (!EXPECT(join2(
	        "declare void @of.part.1.g()\ndefine void @f() uwtable {\n call void @of.part.1.g()\n ret "
	        "void\n}\n",
	        "define internal void @g() {\n ret void\n}\ndefine void @h() uwtable {\n call void @g()\n "
	        "ret void\n}\n",
	        &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "g", section), 1);
	EXPECT_STR(section, ".text");
	EXPECT_EQ(find_symbol(joined, "f", section), 1);
	EXPECT_EQ(find_symbol(joined, "h", section), 1);
	EXPECT_EQ(find_symbol(joined, "@feat.00", section), 1);
	EXPECT_EQ(find_symbol(joined, ".file", section), 1);
	EXPECT_EQ(count_sections(joined, ".text", &relocations), 1);
	EXPECT_EQ(relocations, 2);
	EXPECT_EQ(count_sections(joined, ".pdata", &relocations), 1);
	EXPECT_EQ(relocations, 6);
	give_back(joined);
}

TEST(what_is_local_is_named_with_its_part)
{
	name_local_with_its_part(triple);
}

TEST(what_was_private_has_no_symbol_unless_it_is_a_function)
{
	Str joined;
	char section[64];
	if (!EXPECT(join2(
	        "@of.part.1.was.private.x = external global i32\ndeclare void @of.part.1.was.private.f()\n"
	        "@p = global [2 x ptr] [ptr @of.part.1.was.private.x, ptr @of.part.1.was.private.f]\n",
	        "@y = global i32 2\n@was.private.x = internal global i32 1\n"
	        "define internal void @was.private.f() {\n ret void\n}\n",
	        &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "was.private.x", section), 0);
	EXPECT_EQ(find_symbol(joined, "was.private.f", section), 0);
	EXPECT_EQ(find_symbol(joined, ".Lx", section), 0);
	EXPECT_EQ(find_symbol(joined, ".Lf", section), 1);
	EXPECT_STR(section, ".text");
	give_back(joined);
}

TEST(comdats_of_one_name_are_one)
{
	static const char a[] =
	    "define double @f(double %x) {\n %y = fadd double %x, 3.5\n ret double %y\n}\n";
	static const char b[] =
	    "define double @g(double %x) {\n %y = fmul double %x, 3.5\n ret double %y\n}\n";
	Str joined;
	char section[64];
	unsigned relocations;
	if (!EXPECT(join2(a, b, &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "__real@400c000000000000", section), 1);
	EXPECT_STR(section, ".rdata");
	EXPECT_EQ(count_sections(joined, ".rdata", &relocations), 1);
	EXPECT_EQ(count_sections(joined, ".text", &relocations), 1);
	EXPECT_EQ(relocations, 2);
	give_back(joined);
}

/* The second f goes with its tables of unwinding. */
TEST(what_goes_with_a_comdat_is_left_out_with_it)
{
	static const char a[] =
	    "$f = comdat any\ndefine linkonce_odr void @f() uwtable comdat {\n call void @g()\n"
	    " ret void\n}\ndeclare void @g()\n@p = global ptr @f\n";
	static const char b[] =
	    "$f = comdat any\ndefine linkonce_odr void @f() uwtable comdat {\n call void @g()\n"
	    " ret void\n}\ndeclare void @g()\n@q = global ptr @f\n";
	Str joined;
	char section[64];
	unsigned relocations;
	if (EXPECT(join2(a, b, &joined))) {
		EXPECT_EQ(find_symbol(joined, "f", section), 1);
		EXPECT_EQ(count_sections(joined, ".pdata", &relocations), 1);
		EXPECT_EQ(relocations, 3);
		EXPECT_EQ(count_sections(joined, ".data", &relocations), 1);
		EXPECT_EQ(relocations, 2);
		give_back(joined);
	}
	EXPECT(!join_for(mingw, a, b,
	                 &joined)); /* GNU's tables name the section of the second, not its symbol */
}

TEST(weak_externals_keep_their_defaults)
{
	static const char a[] =
	    "@w = extern_weak global i32\n@v = weak global i32 3\n@p = internal global [2 x ptr] "
	    "[ptr @w, ptr @v]\ndefine void @f() {\n %x = load ptr, ptr @p\n ret void\n}\n";
	static const char b[] =
	    "@w = extern_weak global i32\n@v = external global i32\n@q = global [2 x ptr] [ptr @w, ptr "
	    "@v]\n";
	Str joined;
	char section[64];
	if (!EXPECT(join2(b, a, &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "w", section), 1);
	EXPECT_EQ(find_symbol(joined, "v", section), 1);
	EXPECT_EQ(find_symbol(joined, ".weak.w.default.q", section), 1);
	EXPECT_EQ(find_symbol(joined, ".weak.v.default.q", section), 1);
	EXPECT_STR(section, ".data");
	EXPECT_EQ(find_symbol(joined, ".weak.v.default.f", section), 0);
	give_back(joined);
}

TEST(a_symbol_may_not_be_defined_twice)
{
	Str joined;
	EXPECT(!join2("define void @f() {\n ret void\n}\n", "define void @f() {\n ret void\n}\n", &joined));
	EXPECT(!join2("@f = common global i32 0\n", "@f = common global i32 0\n", &joined));
}

TEST(other_files_are_not_joined)
{
	static const char *const texts[] = {"", "MZ", "d\206",
	                                    "an archive or any other text, longer than a header"};
	refuse_others(texts, ARRAY_LEN(texts));
}

TEST(broken_objects_are_not_joined)
{
	static const char ir[] =
	    "$i = comdat any\n@w = extern_weak global i32\n@p = global [2 x ptr] [ptr @w, ptr @i]\n"
	    "@long_name = global i32 1, section \"long_section\"\n"
	    "define linkonce_odr void @i() uwtable comdat {\n call void @f()\n ret void\n}\n"
	    "define void @f() {\n ret void\n}\n";
	Str whole = object_for(triple, ir);
	break_object(whole);
	give_back(whole);
}

/* CodeView's types have numbers, which would have to change. */
TEST(what_numbers_types_is_not_joined)
{
	Str whole =
	        object_for(triple, "module asm \".section .debug$T,\\22dr\\22\"\nmodule asm \".long 4\"\n"),
	    joined;
	EXPECT_EQ(emit_join(&whole, 1, &prefixes, &joined), JOIN_UNFIT);
	give_back(whole);
}

static bool stays_the_same(Str joined)
{
	Str again;
	bool same = emit_join(&joined, 1, &prefixes, &again) == JOIN_DONE && again.len == joined.len &&
	            memcmp(again.data, joined.data, joined.len) == 0;
	give_back(again);
	return same;
}

/* A repeated directive, so that the text is short. */
static char *many(const char *name, const char *directive, unsigned count)
{
	char *ir = malloc(300 + (size_t)count * 100), *p = ir;
	p += sprintf(p, "@%s = global i32 1\n", name);
	for (unsigned i = 0; i < count; i++)
		p += sprintf(p, directive, name, i, name, i);
	return ir;
}

TEST(more_relocations_than_their_number_has_room_for)
{
	enum { EACH = 40000 };
	if (getenv("CIRC_VALGRIND")) /* minutes */
		return;
	char *a = many("a", "module asm \".quad other%s\"\n", EACH),
	     *b = many("b", "module asm \".quad other%s\"\n", EACH);
	Str joined;
	unsigned relocations;
	if (EXPECT(join2(a, b, &joined))) {
		EXPECT_EQ(count_sections(joined, ".text", &relocations), 1);
		EXPECT_EQ(relocations, 2 * EACH);
		EXPECT(stays_the_same(joined));
		give_back(joined);
	}
	free(a);
	free(b);
}

TEST(more_sections_than_numbers_have_room_for)
{
	enum { EACH = 33000 };
	static const char section[] =
	    "module asm \".section .%s%u,\\22dr\\22\"\nmodule asm \"%s%u: .byte 1\"\n";
	if (getenv("CIRC_VALGRIND")) /* minutes */
		return;
	char *a = many("a_long_name", section, EACH), *b = many("b", section, EACH), found[64];
	Str joined;
	if (EXPECT(join2(a, b, &joined))) {
		EXPECT_EQ(find_symbol(joined, "b32999", found), 1);
		EXPECT_STR(found, ".b32999");
		EXPECT_EQ(find_symbol(joined, "a_long_name0", found), 1);
		EXPECT_STR(found, ".a_long_name0");
		EXPECT_EQ(find_symbol(joined, "b", found), 1);
		EXPECT_STR(found, ".data");
		EXPECT(stays_the_same(joined));
		give_back(joined);
	}
	free(a);
	free(b);
}
