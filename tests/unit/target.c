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
#if defined(__x86_64__)
	EXPECT_STR(row(""), "x86_64 ELF");
#endif
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

TEST(aarch64)
{
	EXPECT_STR(row("aarch64-unknown-linux-gnu"), "AArch64 ELF");
	EXPECT_STR(row("aarch64-linux-gnu"), "AArch64 ELF");
	EXPECT_STR(row("arm64-unknown-linux-musl"), "AArch64 ELF");
	EXPECT_STR(row("aarch64-unknown-freebsd14.0"), "AArch64 ELF");
	EXPECT_STR(row("aarch64_be-unknown-linux-gnu"), "none");
	EXPECT_STR(row("aarch64-pc-windows-msvc"), "AArch64 windows-msvc");
	EXPECT_STR(row("arm64-pc-windows-msvc19.33.0"), "AArch64 windows-msvc");
	EXPECT_STR(row("aarch64-w64-windows-gnu"), "none");
	EXPECT_STR(row("arm64ec-pc-windows-msvc"), "none");
	EXPECT_STR(row("aarch64-apple-macosx14.0"), "AArch64 Mach-O");
	EXPECT_STR(row("arm64-apple-darwin"), "AArch64 Mach-O");
	EXPECT_STR(row("arm64-apple-ios17.0"), "AArch64 Mach-O");
	EXPECT_STR(row("arm64e-apple-macosx14.0"), "none");
	EXPECT_STR(row("arm64-apple-watchos"), "none");
	EXPECT_STR(row("x86_64-apple-macosx"), "none");
}

/* What differs in pointers to member functions, in integers and in floating point. */
TEST(machines)
{
	const AbiTarget *x86 = abi_target(STR("x86_64-linux-gnu")),
	                *arm = abi_target(STR("aarch64-linux-gnu"));
	EXPECT(x86->machine->processor != arm->machine->processor);
	EXPECT(!x86->machine->virtual_in_adj && arm->machine->virtual_in_adj);
	EXPECT(x86->machine->has_f80 && !arm->machine->has_f80);
	EXPECT(x86->machine->widens_small && !arm->machine->widens_small);
	EXPECT(x86->machine->division_faults && !arm->machine->division_faults);
	EXPECT_EQ(arm->machine->bitint_max, 128);
	EXPECT_EQ(x86->machine->address_size, 8);
	EXPECT_EQ(arm->machine->address_size, 8);
	EXPECT(abi_target(STR("x86_64-pc-windows-msvc"))->machine == x86->machine);
	EXPECT_STR(arm->tools.gxx, "aarch64-linux-gnu-g++");
}

TEST(no_row)
{
	EXPECT_STR(row("i686-pc-windows-msvc"), "none");
	EXPECT_STR(row("x86_64-apple-macosx14.0"), "none");
	EXPECT_STR(row("x86_64-apple-darwin"), "none");
	EXPECT_STR(row("wasm32-unknown-emscripten"), "none");
	EXPECT_STR(row("wasm64-unknown-unknown"), "none");
	EXPECT_STR(row("-"), "none");
	EXPECT_STR(row("nonsense"), "none");
}

TEST(wasm32)
{
	static const char *const triples[] = {"wasm32", "wasm32-wasi", "wasm32-wasip1",
	                                      "wasm32-unknown-unknown", "wasm32-unknown-wasip2"};
	for (unsigned i = 0; i < ARRAY_LEN(triples); i++)
		EXPECT_STR(row(triples[i]), "WebAssembly");
	const AbiTarget *t = abi_target(STR("wasm32-wasip1"));
	EXPECT_EQ(t->machine->address_size, 4);
	EXPECT_EQ(t->object, ABI_OBJECT_WASM);
	EXPECT_EQ(t->shape, SHAPE_WASM_CATCHES);
	EXPECT(t->machine->returns_this && t->machine->guard_is_size && t->is_static);
}

TEST(rows_agree_with_themselves)
{
	static const char *const triples[] = {"x86_64-linux-gnu", "x86_64-pc-windows-msvc",
	                                      "x86_64-w64-mingw32", "aarch64-linux-gnu", "wasm32"};
	for (unsigned i = 0; i < ARRAY_LEN(triples); i++) {
		const AbiTarget *t = abi_target(str_of(triples[i]));
		if (!EXPECT(t != NULL))
			continue;
		bool microsoft = t->runtime == RUNTIME_MICROSOFT;
		EXPECT_EQ(t->shape == SHAPE_FUNCLETS, microsoft);
		EXPECT_EQ(t->type_info == TYPE_INFO_MICROSOFT, microsoft);
		EXPECT_EQ(t->unwind_header != 0, !microsoft);
		EXPECT_EQ(t->object == ABI_OBJECT_COFF, t->call_conv == CALL_WIN64);
		EXPECT_EQ(t->call_conv == CALL_AAPCS64, t->machine->processor == PROCESSOR_AARCH64);
		EXPECT(t->personality && t->terminate && t->machine && t->data_layout && t->runtime_folder);
	}
}
