/* target/target.c: the rows, and which triple gets which.
 *
 * The whole triple decides, never the operating system alone: Windows has two C++ ABIs,
 * told apart by the environment.
 */
#include "target/target.h"

typedef enum TargetRow { ROW_ELF, ROW_MSVC, ROW_MINGW } TargetRow;

/* clang-format off */
static const AbiTarget targets[] = {
	[ROW_ELF] = {
		.name = "x86_64 ELF",
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_SYSV_X86_64, .object = ABI_OBJECT_ELF,
		.personality = "__gxx_personality_v0", .circ_personality = "__circ_personality_v0", .terminate = "_ZSt9terminatev", .unwind_header = 32,
	},
	[ROW_MSVC] = {
		.name = "x86_64 windows-msvc",
		.shape = SHAPE_FUNCLETS, .runtime = RUNTIME_MICROSOFT, .type_info = TYPE_INFO_MICROSOFT,
		.call_conv = CALL_WIN64, .object = ABI_OBJECT_COFF,
		.personality = "__CxxFrameHandler3", .circ_personality = "__C_specific_handler", .terminate = "__std_terminate",
	},
	[ROW_MINGW] = {
		.name = "x86_64 windows-gnu",
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_WIN64, .object = ABI_OBJECT_COFF,
		/* The SEH variant of _Unwind_Exception has six private words where ELF has two. */
		.personality = "__gxx_personality_seh0", .circ_personality = "__circ_personality_seh0", .terminate = "_ZSt9terminatev", .unwind_header = 64,
	},
};
/* clang-format on */

enum { TRIPLE_PARTS = 4 }; /* arch-vendor-os-environment */

static void split_triple(Str triple, Str part[TRIPLE_PARTS])
{
	for (unsigned i = 0; i < TRIPLE_PARTS; i++) {
		const char *dash =
		    i + 1 < TRIPLE_PARTS && triple.len ? memchr(triple.data, '-', triple.len) : NULL;
		size_t len = dash ? (size_t)(dash - triple.data) : triple.len;
		part[i] = (Str){triple.data, len};
		size_t used = dash ? len + 1 : len;
		triple = (Str){triple.data + used, triple.len - used};
	}
}

/* Windows without an environment is MSVC, as for LLVM; windows-itanium, -cygnus and the like have no row. */
static const AbiTarget *windows_target(Str environment)
{
	if (environment.len == 0 || str_begins_with(environment, STR("msvc")))
		return &targets[ROW_MSVC];
	return str_begins_with(environment, STR("gnu")) ? &targets[ROW_MINGW] : NULL;
}

static bool is_elf_os(Str os)
{
	static const char *const other[] = {"darwin",  "macos",  "ios",  "tvos",
	                                    "watchos", "cygwin", "wasi", "uefi"};
	for (unsigned i = 0; i < ARRAY_LEN(other); i++)
		if (str_begins_with(os, str_of(other[i])))
			return false;
	return true;
}

bool abi_is_default_personality(Str name)
{
	for (unsigned i = 0; i < ARRAY_LEN(targets); i++)
		if (str_equal(name, str_of(targets[i].personality)))
			return true;
	return false;
}

const AbiTarget *abi_target(Str triple)
{
	if (triple.len == 0)
		return &targets[ROW_ELF];
	Str part[TRIPLE_PARTS];
	split_triple(triple, part);
	if (!str_equal(part[0], STR("x86_64")) && !str_equal(part[0], STR("amd64")))
		return NULL;
	/* The vendor may be left out: x86_64-linux-gnu, x86_64-windows-msvc. */
	static const char *const vendorless[] = {"linux", "windows", "win32", "mingw32", "freebsd", "none"};
	unsigned os = 2;
	for (unsigned i = 0; i < ARRAY_LEN(vendorless); i++)
		if (str_begins_with(part[1], str_of(vendorless[i])))
			os = 1;
	if (str_begins_with(part[os], STR("mingw32")))
		return &targets[ROW_MINGW];
	if (str_begins_with(part[os], STR("windows")) || str_begins_with(part[os], STR("win32")))
		return windows_target(part[os + 1]);
	return is_elf_os(part[os]) ? &targets[ROW_ELF] : NULL;
}
