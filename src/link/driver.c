/* link/driver.c: by a compiler driver, which knows where the start files and
 * libraries of its system are. */
#include "emit/emit.h"
#include "link/linker.h"

#include "emit/process.h"
#include "link/runtime_folder.h"
#include "target/target.h"

typedef enum DriverKind {
	DRIVER_CLANGXX,   /* knows its C++ library's place, takes --target */
	DRIVER_GXX,       /* links its own libstdc++ */
	DRIVER_C,         /* links no C++ library by itself */
	DRIVER_CROSS_GXX, /* DRIVER_GXX, of one target */
} DriverKind;

struct LinkDriver {
	const char *name;
	DriverKind kind;
};

/* The first that is there is used: the compiler of the LLVM that circ was built with, the newest that circ
 * supports, which goes with the newest libraries, then whatever the system has. */
static const LinkDriver libcxx_drivers[] = {
    {"clang++-%u", DRIVER_CLANGXX},
    {"clang++-22", DRIVER_CLANGXX},
    {"clang++", DRIVER_CLANGXX},
    {"gcc", DRIVER_C},
    {"cc", DRIVER_C},
};
static const LinkDriver libstdcxx_drivers[] = {
    {"g++", DRIVER_GXX},
    {"clang++-%u", DRIVER_CLANGXX},
    {"clang++-22", DRIVER_CLANGXX},
    {"clang++", DRIVER_CLANGXX},
    {"c++", DRIVER_GXX},
};
/* MinGW comes as one compiler with its own libraries. Debian has it for two models of
 * threads: std::thread needs the second. */
static const LinkDriver mingw_drivers[] = {
    {"x86_64-w64-mingw32-g++-posix", DRIVER_GXX},
    {"x86_64-w64-mingw32-g++", DRIVER_GXX},
};

typedef struct Toolchain {
	const LinkDriver *drivers;
	size_t n;
	const char *needs; /* what to install */
} Toolchain;

static const Toolchain libcxx = {libcxx_drivers, ARRAY_LEN(libcxx_drivers),
                                 "clang, libc++, libc++abi and libunwind (Debian: clang-22 libc++-22-dev "
                                 "libc++abi-22-dev libunwind-22-dev)"};
static const Toolchain libstdcxx = {libstdcxx_drivers, ARRAY_LEN(libstdcxx_drivers), "g++"};
static const Toolchain mingw = {mingw_drivers, ARRAY_LEN(mingw_drivers),
                                "MinGW-w64 (Debian: g++-mingw-w64-x86-64-posix)"};

static bool is_for_mingw(const Linking *l)
{
	return l->job->triple && emit_is_mingw(l->job->triple);
}

/* The row of the target, which is known by now. */
static const AbiTarget *target_of(const Linking *l)
{
	const AbiTarget *t = abi_target(str_of(l->job->triple ? l->job->triple : ""));
	return t ? t : abi_target(STR(""));
}

static bool is_linux(const char *triple)
{
	size_t n = strlen(triple);
	return n > 10 && strcmp(triple + n - 10, "-linux-gnu") == 0;
}

/* A Linux with GNU C library on the host's processor is what every compiler driver of the host makes without being told. */
static bool is_plain_linux(const char *triple)
{
	const AbiTarget *t = abi_target(str_of(triple));
	return t && t->machine == abi_target(STR(""))->machine && is_linux(triple);
}

/* GCC for another processor is one compiler with its own libraries. */
static Toolchain cross_toolchain(Linking *l)
{
	LinkDriver *gxx = arena_new(l->a, LinkDriver);
	const AbiCrossTools *tools = &target_of(l)->tools;
	*gxx = (LinkDriver){tools->gxx, DRIVER_CROSS_GXX};
	return (Toolchain){gxx, 1, tools->needs};
}

static bool is_for_wasm(const Linking *l)
{
	return target_of(l)->object == ABI_OBJECT_WASM;
}

/* Of the drivers, clang++ alone knows wasm-ld. */
static Toolchain wasm_toolchain(const Linking *l)
{
	Toolchain t = {libcxx_drivers, 0, target_of(l)->tools.needs};
	while (libcxx_drivers[t.n].kind == DRIVER_CLANGXX)
		t.n++;
	return t;
}

static bool is_cross(const Linking *l)
{
	return l->job->triple && !is_for_mingw(l) && !is_plain_linux(l->job->triple);
}

/* Cross compilers come with libstdc++, which is linked unless the other one is asked for. */
static bool wants_libcxx(const Linking *l)
{
	bool comes_with_other = is_cross(l) && is_linux(l->job->triple);
	return !is_for_mingw(l) && l->job->cxxlib == CXXLIB_LIBCXX &&
	       (l->job->cxxlib_given || !comes_with_other);
}

static Toolchain choose_toolchain(Linking *l)
{
	if (is_for_mingw(l))
		return mingw;
	if (is_for_wasm(l))
		return wasm_toolchain(l);
	if (wants_libcxx(l))
		return libcxx;
	return is_cross(l) && is_linux(l->job->triple) ? cross_toolchain(l) : libstdcxx;
}

static bool find_driver(Linking *l)
{
	bool cross = is_cross(l);
	if (is_for_wasm(l) && l->job->shared) {
		diag_error(l->d, (Loc){0}, "shared libraries are not supported on target '%s'",
		           l->job->triple);
		return false;
	}
	Toolchain chosen = choose_toolchain(l), *t = &chosen;
	const char *looked_for = "", *previous = "";
	for (size_t i = 0; i < t->n; i++) {
		if (cross && t->drivers[i].kind != DRIVER_CLANGXX && t->drivers[i].kind != DRIVER_CROSS_GXX)
			continue;
		const char *name = link_tool_name(l, t->drivers[i].name);
		l->program = process_find(name, l->a);
		l->driver = &t->drivers[i];
		if (l->program)
			return true;
		if (strcmp(name, previous) != 0) /* circ's own LLVM may be the newest */
			looked_for = arena_printf(l->a, "%s%s%s", looked_for, *looked_for ? ", " : "", name);
		previous = name;
	}
	diag_failure(
	    l->d,
	    "no linker found: none of %s is on PATH; install %s, or use '-c' and link the object yourself",
	    looked_for, t->needs);
	return false;
}

/* libstdc++ and libgcc go into the program, which then needs nothing that Windows does not have. The
 * time would be another in each file. */
static void add_mingw_options(Linking *l)
{
	if (l->job->shared)
		link_add(l, "-shared");
	link_add(l, "-static");
	link_add(l, "-Wl,--no-insert-timestamp");
}

static void add_elf_options(Linking *l)
{
	const LinkJob *job = l->job;
	if (job->triple && !is_plain_linux(job->triple) && l->driver->kind != DRIVER_CROSS_GXX)
		link_add(l, arena_printf(l->a, "--target=%s", job->triple));
	if (l->driver->kind == DRIVER_CLANGXX)
		link_add(l, wants_libcxx(l) ? "-stdlib=libc++" : "-stdlib=libstdc++");
	link_add(l, job->shared ? "-shared" : job->is_static ? "-static" : job->pie ? "-pie" : "-no-pie");
}

/* Debian's folders have the older name of WASI, of which clang warns. */
static void add_wasm_options(Linking *l)
{
	link_add(l, arena_printf(l->a, "--target=%s", target_of(l)->tools.triple));
	link_add(l, "-Wno-deprecated");
}

static void add_options(Linking *l)
{
	if (is_for_mingw(l))
		add_mingw_options(l);
	else if (is_for_wasm(l))
		add_wasm_options(l);
	else
		add_elf_options(l);
	if (l->job->pthread && !is_for_wasm(l))
		link_add(l, "-pthread");
	link_add(l, "-o");
	link_add(l, l->result);
}

/* A language's own exceptions (src/runtime/eh): in the program only what is referred to. A circ that was built without it has
 * nothing to add. */
static void add_runtime(Linking *l)
{
	const char *looked_in, *file = l->job->sjlj ? "libcircrt-sjlj.a" : "libcircrt.a";
	const char *folder = runtime_folder(target_of(l)->runtime_folder, file, l->a, &looked_in);
	if (folder)
		link_add(l, arena_printf(l->a, "%s/%s", folder, file));
}

static void add_libraries(Linking *l)
{
	bool c = l->driver->kind == DRIVER_C;
	add_runtime(l);
	if (!wants_libcxx(l) || is_for_wasm(l))
		return;
	if (c) {
		link_add(l, "-lc++");
		link_add(l, "-lc++abi");
	}
	/* before libgcc's, which the driver adds: all parts of a program must use the same one */
	link_add(l, "-lunwind");
	if (c)
		link_add(l, "-lm");
}

const Linker linker_driver = {find_driver, add_options, link_add, add_libraries};
