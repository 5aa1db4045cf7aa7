/* join/join.h: what the command's tests (tests/cli/parts.test) do not come by, of ELF. */
#include "joined.h"

static const char triple[] = "x86_64-unknown-linux-gnu";

static bool join2(const char *a, const char *b, Str *joined)
{
	return join_for(triple, a, b, joined);
}

TEST(what_one_part_names_another_defines)
{
	Str joined;
	char section[64];
	if (!EXPECT(join2(
	        "declare void @of.part.1.g()\ndefine void @f() {\n call void @of.part.1.g()\n ret void\n}\n",
	        "define internal void @g() {\n ret void\n}\ndefine void @h() {\n call void @g()\n "
	        "ret void\n}\n",
	        &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "g", section), 1);
	EXPECT_STR(section, ".text");
	EXPECT_EQ(find_symbol(joined, "f", section), 1);
	EXPECT_EQ(find_symbol(joined, "h", section), 1);
	give_back(joined);
}

TEST(what_was_private_is_called_as_llvm_does)
{
	Str joined;
	char section[64];
	if (!EXPECT(join2(
	        "@of.part.1.was.private.x = external global i32\n@p = global ptr @of.part.1.was.private.x\n",
	        "@was.private.x = internal global i32 1\n", &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "was.private.x", section), 0);
	EXPECT_EQ(find_symbol(joined, ".Lx", section), 1);
	give_back(joined);
}

TEST(what_is_local_is_named_with_its_part)
{
	name_local_with_its_part(triple);
}

TEST(groups_of_one_name_are_one)
{
	static const char a[] =
	    "$x = comdat any\n@x = linkonce_odr constant i32 1, comdat\n@p = global ptr @x\n";
	static const char b[] =
	    "$x = comdat any\n@x = linkonce_odr constant i32 1, comdat\n@q = global ptr @x\n";
	Str joined;
	char section[64];
	if (!EXPECT(join2(a, b, &joined)))
		return;
	EXPECT_EQ(find_symbol(joined, "x", section), 1);
	EXPECT_STR(section, ".rodata.x");
	give_back(joined);
}

TEST(a_symbol_may_not_be_defined_twice)
{
	Str joined;
	EXPECT(!join2("define void @f() {\n ret void\n}\n", "define void @f() {\n ret void\n}\n", &joined));
}

TEST(other_files_are_not_joined)
{
	static const char long_text[] =
	    "not an object, and longer than the header of one is with its 64 bytes, "
	    "so that there is something to look at";
	static const char *const texts[] = {"", "\177ELF", long_text};
	refuse_others(texts, ARRAY_LEN(texts));
}

TEST(broken_objects_are_not_joined)
{
	Str whole = object_for(triple, "define void @f() {\n ret void\n}\n@p = global ptr @f\n");
	break_object(whole);
	give_back(whole);
}

/* `count` sections with a symbol in each, more in all than a section number has room for. */
static char *many_sections(const char *name, unsigned count)
{
	char *ir = malloc(200 + (size_t)count * 100), *p = ir;
	p += sprintf(p, "@%s = global i32 1\n", name);
	for (unsigned i = 0; i < count; i++)
		p += sprintf(p, "module asm \".section .%s%u,\\22a\\22\"\nmodule asm \"%s%u: .byte 1\"\n",
		             name, i, name, i);
	return ir;
}

TEST(more_sections_than_numbers_have_room_for)
{
	enum { EACH = 33000 };
	if (getenv("CIRC_VALGRIND")) /* minutes */
		return;
	char *a = many_sections("a", EACH), *b = many_sections("b", EACH), section[64];
	Str joined, again;
	if (EXPECT(join2(a, b, &joined))) {
		EXPECT_EQ(find_symbol(joined, "b32999", section), 1);
		EXPECT_STR(section, ".b32999");
		EXPECT_EQ(find_symbol(joined, "a0", section), 1);
		EXPECT_STR(section, ".a0");
		EXPECT_EQ(find_symbol(joined, "b", section), 1);
		EXPECT_STR(section, ".data");
		EXPECT_EQ(emit_join(&joined, 1, &prefixes, &again), JOIN_DONE);
		EXPECT(joined.len == again.len && memcmp(joined.data, again.data, again.len) == 0);
		give_back(again);
		give_back(joined);
	}
	free(a);
	free(b);
}
