/* Which triple gets which row. */
#include "target/target.h"
#include "test.h"

static const char *row(const char *triple)
{
	const AbiTarget *t = abi_target(str_of(triple));
	return t ? t->name : "none";
}

TEST(elf)
{
	EXPECT_STR(row(""), "x86_64 ELF");
	EXPECT_STR(row("x86_64"), "x86_64 ELF");
	EXPECT_STR(row("x86_64-unknown-linux-gnu"), "x86_64 ELF");
	EXPECT_STR(row("x86_64-linux-gnu"), "x86_64 ELF");
	EXPECT_STR(row("x86_64-pc-linux-musl"), "x86_64 ELF");
	EXPECT_STR(row("amd64-unknown-freebsd14.0"), "x86_64 ELF");
	EXPECT_STR(row("x86_64-none-elf"), "x86_64 ELF");
}

TEST(windows_by_environment)
{
	EXPECT_STR(row("x86_64-pc-windows-msvc"), "x86_64 windows-msvc");
	EXPECT_STR(row("x86_64-pc-windows-msvc19.44.0"), "x86_64 windows-msvc");
	EXPECT_STR(row("x86_64-windows-msvc"), "x86_64 windows-msvc");
	EXPECT_STR(row("x86_64-pc-win32"), "x86_64 windows-msvc");
	EXPECT_STR(row("x86_64-pc-windows"), "x86_64 windows-msvc");
	EXPECT_STR(row("x86_64-w64-windows-gnu"), "x86_64 windows-gnu");
	EXPECT_STR(row("x86_64-w64-mingw32"), "x86_64 windows-gnu");
	EXPECT_STR(row("x86_64-pc-windows-itanium"), "none");
}

TEST(no_row)
{
	EXPECT_STR(row("aarch64-unknown-linux-gnu"), "none");
	EXPECT_STR(row("i686-pc-windows-msvc"), "none");
	EXPECT_STR(row("x86_64-apple-macosx14.0"), "none");
	EXPECT_STR(row("x86_64-apple-darwin"), "none");
	EXPECT_STR(row("wasm32-unknown-unknown"), "none");
	EXPECT_STR(row("-"), "none");
	EXPECT_STR(row("nonsense"), "none");
}

TEST(rows_agree_with_themselves)
{
	static const char *const triples[] = {"x86_64-linux-gnu", "x86_64-pc-windows-msvc",
	                                      "x86_64-w64-mingw32"};
	for (unsigned i = 0; i < ARRAY_LEN(triples); i++) {
		const AbiTarget *t = abi_target(str_of(triples[i]));
		if (!EXPECT(t != NULL))
			continue;
		bool microsoft = t->runtime == RUNTIME_MICROSOFT;
		EXPECT_EQ(t->shape == SHAPE_FUNCLETS, microsoft);
		EXPECT_EQ(t->type_info == TYPE_INFO_MICROSOFT, microsoft);
		EXPECT_EQ(t->unwind_header != 0, !microsoft);
		EXPECT_EQ(t->object == ABI_OBJECT_COFF, t->call_conv == CALL_WIN64);
		EXPECT(t->personality && t->terminate);
	}
}
