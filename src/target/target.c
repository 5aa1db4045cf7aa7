/* target/target.c: the rows, and which triple gets which.
 *
 * The whole triple decides, never the operating system alone: Windows has two C++ ABIs,
 * told apart by the environment.
 */
#include "target/target.h"

typedef enum TargetRow {
	ROW_ELF,
	ROW_MSVC,
	ROW_MINGW,
	ROW_AARCH64_ELF,
	ROW_AARCH64_MSVC,
	ROW_AARCH64_MACHO,
	ROW_WASM32
} TargetRow;

#if defined(__aarch64__)
enum { ROW_HOST = ROW_AARCH64_ELF };
#else
enum { ROW_HOST = ROW_ELF };
#endif

/* Of the CPUs that LLVM's X86 target knows, those without 64-bit mode. No new ones are to be expected. */
static const char *const x86_without_64_bit[] = {
    "athlon",      "athlon-4",
    "athlon-mp",   "athlon-tbird",
    "athlon-xp",   "c3",
    "c3-2",        "geode",
    "i386",        "i486",
    "i586",        "i686",
    "k6",          "k6-2",
    "k6-3",        "lakemont",
    "pentium",     "pentium-m",
    "pentium-mmx", "pentium2",
    "pentium3",    "pentium3m",
    "pentium4",    "pentium4m",
    "pentium_4",   "pentium_4_sse3",
    "pentium_ii",  "pentium_iii",
    "pentium_m",   "pentium_iii_no_xmm_regs",
    "pentium_mmx", "pentium_pro",
    "pentiumpro",  "prescott",
    "winchip-c6",  "winchip2",
    "yonah",       NULL,
};
static const char *const x86_ending_64_bit[] = {"-64bit", "-64bit-mode", "+32bit-mode", "+16bit-mode", NULL};
static const char *const x86_float_features[] = {"-sse", "-sse2", NULL};
static const char *const x86_float_extensions[] = {"+sse", "+avx", NULL};

static const AbiCpus x86_64_cpus = {
    .llc_arch = "x86-64",
    .plain_features = "+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87",
    .without_64_bit = x86_without_64_bit,
    .ending_64_bit = x86_ending_64_bit,
    .float_features = x86_float_features,
    .float_extensions = x86_float_extensions,
    .has_soft_float = true,
    .float_registers = "SSE",
};
static const char *const aarch64_float_features[] = {"-fp-armv8", NULL};
static const char *const aarch64_float_extensions[] = {"+fp-armv8", "+neon", "+fullfp16", "+sve", NULL};
static const AbiCpus aarch64_cpus = {
    .llc_arch = "aarch64",
    .float_features = aarch64_float_features,
    .float_extensions = aarch64_float_extensions,
    .float_registers = "vector",
    .arch_prefix = "armv",
    .arch_hint = "; architectures are features, as in '-mattr=+v8.2a,+sve'",
};
static const AbiCpus wasm32_cpus = {.llc_arch = "wasm32"};

static const AbiMachine x86_64 = {
    .cpus = &x86_64_cpus,
    .processor = PROCESSOR_X86_64,
    .name = "x86_64",
    .archs = {"x86_64", "amd64"},
    .intrinsics = "x86.",
    .default_cpu = "x86-64",
    .address_size = 8,
    .has_bf16 = true,
    .has_f80 = true,
    .widens_small = true,
    .division_faults = true,
    .has_conventions = true,
    .relocates_bytes = true,
    .has_builtin_setjmp = true,
    .code_in_memory = true,
    .has_spaces = true,
    .has_xray = true,
};
/* What its systems share. */
#define AARCH64                                                                                              \
	.cpus = &aarch64_cpus, .processor = PROCESSOR_AARCH64, .name = "aarch64",                            \
	.archs = {"aarch64", "arm64"}, .intrinsics = "aarch64.", .default_cpu = "generic",                   \
	.address_size = 8, .bitint_max = 128, .has_bf16 = true, .code_in_memory = true, .has_spaces = true,  \
	.has_xray = true
static const AbiMachine aarch64 = {
    AARCH64,
    .virtual_in_adj = true,
};
/* Without libcircrt, which raises what the system says of faults. */
static const AbiMachine aarch64_windows = {
    AARCH64,
    .faults_end_program = true,
};
static const AbiMachine aarch64_apple = {
    AARCH64,
    .widens_small = true,
    .virtual_in_adj = true,
    .faults_end_program = true,
    .returns_this = true,
    .cookie_has_size = true,
};
static const AbiMachine wasm32 = {
    .cpus = &wasm32_cpus,
    .processor = PROCESSOR_WASM32,
    .name = "wasm32",
    .archs = {"wasm32"},
    .intrinsics = "wasm.",
    .default_cpu = "generic",
    .address_size = 4,
    .bitint_max = 128,
    .widens_small = true,
    .virtual_in_adj = true,
    .faults_end_program = true,
    .relocates_addresses = true,
    .writes_zeros = true,
    .rounds_to_nearest = true,
    .guard_is_size = true,
    .returns_this = true,
    .tail_call_feature = "tail-call",
    .tail_call_cpu = "bleeding-edge",
    .exnref_feature = "exnref",
};
static const AbiMachine *const machines[] = {&x86_64, &aarch64, &wasm32};

#define X86_64_LAYOUT "-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

/* clang-format off */
static const AbiTarget targets[] = {
	[ROW_ELF] = {
		.name = "x86_64 ELF", .machine = &x86_64, .data_layout = "e-m:e" X86_64_LAYOUT,
		.tools = {"x86_64-linux-gnu-g++", "x86_64-linux-gnu", "a cross compiler for x86_64 (Debian: g++-x86-64-linux-gnu)"},
		.runtime_folder = "x86_64-linux-gnu",
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_SYSV_X86_64, .object = ABI_OBJECT_ELF, .is_joined = true, .startup_section = ".text.startup",
		.personality = "__gxx_personality_v0", .circ_personality = "__circ_personality_v0", .terminate = "_ZSt9terminatev", .unwind_header = 32,
	},
	[ROW_MSVC] = {
		.name = "x86_64 windows-msvc", .machine = &x86_64, .data_layout = "e-m:w" X86_64_LAYOUT,
		.runtime_folder = "x86_64-pc-windows-msvc",
		.shape = SHAPE_FUNCLETS, .runtime = RUNTIME_MICROSOFT, .type_info = TYPE_INFO_MICROSOFT,
		.call_conv = CALL_WIN64, .object = ABI_OBJECT_COFF, .is_joined = true, .long_double_is_double = true,
		.personality = "__CxxFrameHandler3", .circ_personality = "__C_specific_handler", .terminate = "__std_terminate",
	},
	[ROW_MINGW] = {
		.name = "x86_64 windows-gnu", .machine = &x86_64, .data_layout = "e-m:w" X86_64_LAYOUT,
		.runtime_folder = "x86_64-w64-windows-gnu",
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_WIN64, .object = ABI_OBJECT_COFF, .is_joined = true,
		/* The SEH variant of _Unwind_Exception has six private words where ELF has two. */
		.personality = "__gxx_personality_seh0", .circ_personality = "__circ_personality_seh0", .terminate = "_ZSt9terminatev", .unwind_header = 64,
	},
	[ROW_AARCH64_ELF] = {
		.name = "AArch64 ELF", .machine = &aarch64,
		.tools = {"aarch64-linux-gnu-g++", "aarch64-linux-gnu", "a cross compiler for AArch64 (Debian: g++-aarch64-linux-gnu)"},
		.runtime_folder = "aarch64-linux-gnu",
		.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_AAPCS64, .object = ABI_OBJECT_ELF, .is_joined = true, .startup_section = ".text.startup",
		.personality = "__gxx_personality_v0", .circ_personality = "__circ_personality_v0", .terminate = "_ZSt9terminatev", .unwind_header = 32,
	},
	[ROW_AARCH64_MSVC] = {
		.name = "AArch64 windows-msvc", .machine = &aarch64_windows,
		.data_layout = "e-m:w-p270:32:32-p271:32:32-p272:64:64-p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32",
		.frame_pointer = "reserved", .long_double_is_double = true, .variadic_differs = true, .shape = SHAPE_FUNCLETS, .runtime = RUNTIME_MICROSOFT, .type_info = TYPE_INFO_MICROSOFT,
		.call_conv = CALL_AAPCS64_WINDOWS, .object = ABI_OBJECT_COFF,
		.personality = "__CxxFrameHandler3", .terminate = "__std_terminate",
	},
	[ROW_AARCH64_MACHO] = {
		.name = "AArch64 Mach-O", .machine = &aarch64_apple,
		.data_layout = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32",
		.frame_pointer = "non-leaf", .compact_tables = true, .long_double_is_double = true, .variadic_differs = true,
		.shape = SHAPE_LANDING_PADS, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_AAPCS64_APPLE, .object = ABI_OBJECT_MACHO,
		.startup_section = "__TEXT,__StaticInit,regular,pure_instructions",
		.personality = "__gxx_personality_v0", .terminate = "_ZSt9terminatev", .unwind_header = 32,
	},
	[ROW_WASM32] = {
		.name = "WebAssembly", .machine = &wasm32,
		.tools = {"clang++", "wasm32-wasi", "clang, wasm-ld, wasi-libc and libc++ (Debian: clang-22 lld-22 wasi-libc "
		          "libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32)"},
		.runtime_folder = "wasm32-wasi",
		.data_layout = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20",
		.is_static = true, .shape = SHAPE_WASM_CATCHES, .runtime = RUNTIME_CXA, .type_info = TYPE_INFO_ITANIUM,
		.call_conv = CALL_WASM32, .object = ABI_OBJECT_WASM,
		.personality = "__gxx_wasm_personality_v0", .circ_personality = "__circ_personality_v0", .terminate = "_ZSt9terminatev", .unwind_header = 32,
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

static const AbiMachine *find_machine(Str arch)
{
	for (unsigned i = 0; i < ARRAY_LEN(machines); i++)
		for (unsigned k = 0; k < ARRAY_LEN(machines[i]->archs); k++)
			if (machines[i]->archs[k] && str_equal(arch, str_of(machines[i]->archs[k])))
				return machines[i];
	return NULL;
}

/* Those whose Itanium C++ ABI is the one of Apple's 64-bit processors; of others nobody has said so. */
static bool is_apple_os(Str os)
{
	static const char *const names[] = {"darwin", "macos", "ios"};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (str_begins_with(os, str_of(names[i])))
			return true;
	return false;
}

/* WASI, whichever version, and none. Emscripten has another layout of types. */
static const AbiTarget *wasm_target(Str os)
{
	static const char *const names[] = {"wasi", "unknown", "none"};
	bool known = os.len == 0;
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		known |= str_begins_with(os, str_of(names[i]));
	return known ? &targets[ROW_WASM32] : NULL;
}

/* The row of one of the systems, if the processor has it. */
static const AbiTarget *row_for(const AbiMachine *machine, const AbiTarget *system)
{
	for (unsigned i = 0; system && i < ARRAY_LEN(targets); i++)
		if (targets[i].machine->processor == machine->processor &&
		    targets[i].object == system->object && targets[i].runtime == system->runtime)
			return &targets[i];
	return NULL;
}

const char *abi_target_lack(Str triple)
{
	static const char *const mixed[] = {"arm64ec", "arm64x"};
	Str part[TRIPLE_PARTS];
	split_triple(triple, part);
	for (unsigned i = 0; i < ARRAY_LEN(mixed); i++)
		if (str_is(part[0], mixed[i]))
			return ": code of ARM64EC and ARM64X is called by code for x86_64, which circ does "
			       "not "
			       "prepare; use 'aarch64-pc-windows-msvc'";
	return find_machine(part[0]) ? ": circ has code for the processor, but not on that system"
	                             : ": circ has no code for the processor";
}

const AbiTarget *abi_target(Str triple)
{
	if (triple.len == 0)
		return &targets[ROW_HOST];
	Str part[TRIPLE_PARTS];
	split_triple(triple, part);
	const AbiMachine *machine = find_machine(part[0]);
	if (!machine)
		return NULL;
	/* The vendor may be left out: x86_64-linux-gnu, x86_64-windows-msvc. */
	static const char *const vendorless[] = {"linux",   "windows", "win32", "mingw32",
	                                         "freebsd", "none",    "wasi"};
	unsigned os = 2;
	for (unsigned i = 0; i < ARRAY_LEN(vendorless); i++)
		if (str_begins_with(part[1], str_of(vendorless[i])))
			os = 1;
	if (machine->processor == PROCESSOR_WASM32)
		return wasm_target(part[os]);
	const AbiTarget *system = is_elf_os(part[os]) ? &targets[ROW_ELF] : NULL;
	if (is_apple_os(part[os]))
		system = &targets[ROW_AARCH64_MACHO];
	if (str_begins_with(part[os], STR("mingw32")))
		system = &targets[ROW_MINGW];
	else if (str_begins_with(part[os], STR("windows")) || str_begins_with(part[os], STR("win32")))
		system = windows_target(part[os + 1]);
	return row_for(machine, system);
}

/* The last word on it in a list "a,+b,-c"; `has` where there is none. */
static bool has_feature(Str features, const char *name, bool has)
{
	for (size_t at = 0, n; at < features.len; at += n + 1) {
		Str word = {features.data + at, features.len - at};
		const char *comma = memchr(word.data, ',', word.len);
		n = word.len = comma ? (size_t)(comma - word.data) : word.len;
		bool has_sign = n && (word.data[0] == '+' || word.data[0] == '-'),
		     on = !n || word.data[0] != '-';
		if (str_is((Str){word.data + has_sign, n - has_sign}, name))
			has = on;
	}
	return has;
}

bool abi_has_tail_calls(const AbiMachine *m, Str cpu, Str features)
{
	return !m->tail_call_feature ||
	       has_feature(features, m->tail_call_feature, str_is(cpu, m->tail_call_cpu));
}

bool abi_has_exnref(const AbiMachine *m, Str features)
{
	return m->exnref_feature && has_feature(features, m->exnref_feature, false);
}
