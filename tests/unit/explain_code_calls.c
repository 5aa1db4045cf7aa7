/* Which call code makes first: where a landing pad only ends the program, that shows in its first instructions. */
#include "explain_common.h"

#include "explain/code_calls.h"

/* The callee of the first call of code whose call has a relocation at that offset; "none": something else comes first. */
static const char *first(const unsigned char *code, size_t size, uint64_t reloc, bool aarch64)
{
	static Fixture f;
	enum { R_AARCH64_CALL26 = 283 };
	fixture_open(&f, false);
	uint32_t text = fixture_section(&f, ".text", 0, code, size);
	if (aarch64)
		f.o.machine = OBJECT_AARCH64;
	fixture_reloc(&f, text, reloc, fixture_symbol(&f, "stop", OBJECT_NONE, 0, 0), OBJECT_RELOC_RELATIVE,
	              0);
	f.relocs[text][0].type = aarch64 ? R_AARCH64_CALL26 : 0;
	CodeCall call = {0};
	bool found = code_first_call(&f.o, (ObjectPlace){text, 0}, &call);
	fixture_close(&f);
	return found && str_is(call.callee, "stop") ? "stop" : found ? "other" : "none";
}

#define FIRST(reloc, ...)                                                                                    \
	first((const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}), reloc,     \
	      false)
#define FIRST_ARM(reloc, ...)                                                                                \
	first((const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}), reloc, true)

TEST(moves_are_passed)
{
	EXPECT_STR(FIRST(1, 0xe8, 0, 0, 0, 0), "stop");
	EXPECT_STR(FIRST(4, 0x48, 0x89, 0xc7, 0xe8, 0, 0, 0, 0), "stop");             /* mov %rax,%rdi */
	EXPECT_STR(FIRST(5, 0x48, 0x89, 0x45, 0xd0, 0xe8, 0, 0, 0, 0), "stop");       /* -0x30(%rbp) */
	EXPECT_STR(FIRST(6, 0x48, 0x89, 0x44, 0x24, 8, 0xe8, 0, 0, 0, 0), "stop");    /* 8(%rsp) */
	EXPECT_STR(FIRST(8, 0x48, 0x8d, 0x85, 0, 1, 0, 0, 0xe8, 0, 0, 0, 0), "stop"); /* 0x100(%rbp) */
	EXPECT_STR(FIRST(8, 0x48, 0x8b, 0x05, 0, 1, 0, 0, 0xe8, 0, 0, 0, 0), "stop"); /* 0x100(%rip) */
	EXPECT_STR(FIRST(9, 0xf3, 0x0f, 0x1e, 0xfa, 0x31, 0xc0, 0x50, 0x90, 0xe8), "none"); /* cut off */
	EXPECT_STR(FIRST(8, 0xf3, 0x0f, 0x1e, 0xfa, 0x31, 0xc0, 0x50, 0xe8, 0, 0, 0, 0), "stop");
	EXPECT_STR(FIRST(2, 0xff, 0x15, 0, 0, 0, 0), "stop");
}

TEST(jumps_and_what_is_not_known_are_not)
{
	EXPECT_STR(FIRST(7, 0x48, 0x89, 0x45, 0xd0, 0xeb, 0, 0xe8, 0, 0, 0, 0), "none");
	EXPECT_STR(FIRST(7, 0xe9, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0), "none");
	EXPECT_STR(FIRST(3, 0x85, 0xd2, 0xe8, 0, 0, 0, 0), "none"); /* test */
	EXPECT_STR(FIRST(0, 0x48), "none");
	EXPECT_STR(FIRST(0, 0x48, 0x89), "none");
}

TEST(aarch64)
{
	EXPECT_STR(FIRST_ARM(0, 0, 0, 0, 0x94), "stop");
	EXPECT_STR(FIRST_ARM(4, 0xe0, 0x03, 0x00, 0xaa, 0, 0, 0, 0x94), "stop"); /* mov x0, x0 */
	EXPECT_STR(FIRST_ARM(4, 0x9f, 0x24, 0x03, 0xd5, 0, 0, 0, 0x94), "stop"); /* bti j */
	EXPECT_STR(FIRST_ARM(4, 0x01, 0x00, 0x00, 0x14, 0, 0, 0, 0x94), "none"); /* b */
	EXPECT_STR(FIRST_ARM(4, 0x20, 0x00, 0x00, 0x54, 0, 0, 0, 0x94), "none"); /* b.eq */
}
