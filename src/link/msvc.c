/* link/msvc.c: programs and DLLs for x86_64 windows-msvc, by lld-link.
 *
 * Without a Windows SDK they are linked with what circ brings along: circrt.lib, the static part
 * of the C runtime, and import libraries of vcruntime140.dll, ucrtbase.dll and kernel32.dll. With
 * one, with Microsoft's own libraries.
 */
#include "emit/process.h"
#include "link/linker.h"
#include "link/runtime_folder.h"

#include <dirent.h>
#include <unistd.h>

static const char *const linkers[] = {"lld-link-%u", "lld-link-22", "lld-link"};

static const char *const own_libraries[] = {"circrt.lib", "vcruntime140.lib", "ucrtbase.lib", "kernel32.lib"};

/* What compilers write into objects as /DEFAULTLIB; own_libraries stand in for them. Any other is looked for. */
static const char *const microsofts[] = {
    "libcmt",        "libcmtd",   "msvcrt",     "msvcrtd", "oldnames", "libvcruntime",
    "libvcruntimed", "vcruntime", "vcruntimed", "libucrt", "libucrtd", "ucrt",
    "ucrtd",         "libcpmt",   "libcpmtd",   "msvcprt", "msvcprtd", "legacy_stdio_definitions",
    "uuid",
};

/* The folders of libraries in the layouts that SDKs come in: as xwin unpacks them. Visual Studio's own has
 * version numbers in it, and lld-link finds its way there (/winsysroot). */
static const char *const xwin_folders[] = {"crt/lib/x86_64", "sdk/lib/um/x86_64", "sdk/lib/ucrt/x86_64"};

static bool find_linker(Linking *l)
{
	const char *looked_for = "", *previous = "";
	for (size_t i = 0; i < ARRAY_LEN(linkers); i++) {
		const char *name = link_tool_name(l, linkers[i]);
		l->program = process_find(name, l->a);
		if (l->program)
			return true;
		if (strcmp(name, previous) != 0)
			looked_for = arena_printf(l->a, "%s%s%s", looked_for, *looked_for ? ", " : "", name);
		previous = name;
	}
	diag_failure(l->d,
	             "no linker found: none of %s is on PATH; install lld (Debian: lld-22), or use '-c' and "
	             "link the object yourself",
	             looked_for);
	return false;
}

static bool is_folder(Linking *l, const char *base, const char *below)
{
	return access(arena_printf(l->a, "%s/%s/.", base, below), F_OK) == 0;
}

static bool is_xwin(Linking *l)
{
	return is_folder(l, l->job->winsdk, xwin_folders[0]);
}

static bool check_sdk(Linking *l)
{
	if (is_xwin(l) || is_folder(l, l->job->winsdk, "VC/Tools/MSVC"))
		return true;
	diag_failure(l->d,
	             "no Windows SDK found in '%s'; expected %s (the layout of xwin), or VC/Tools/MSVC and "
	             "Windows Kits",
	             l->job->winsdk, xwin_folders[0]);
	return false;
}

static bool find_runtime(Linking *l)
{
	const char *looked_in;
	l->runtime = runtime_folder("x86_64-pc-windows-msvc", own_libraries[0], l->a, &looked_in);
	if (l->runtime)
		return true;
	diag_failure(l->d,
	             "circ's runtime for Windows, %s, is not in any of %s, because this circ was built "
	             "without clang; use %s, or rebuild circ with clang",
	             own_libraries[0], looked_in, diag_setting(l->d, SETTING_WINSDK));
	return false;
}

/* Microsoft's C runtime goes into the program as it is; circ's own has a part in each of two DLLs. */
static bool check_static(Linking *l)
{
	if (!l->job->is_static || l->job->winsdk)
		return true;
	diag_error(l->d, (Loc){0},
	           "a static program for windows-msvc requires %s, because circ's own runtime is linked with "
	           "vcruntime140.dll and ucrtbase.dll",
	           diag_setting(l->d, SETTING_WINSDK));
	return false;
}

/* NULL: it chooses none. */
static const char *chosen_linker(const char *arg)
{
	static const char option[] = "-fuse-ld=";
	return strncmp(arg, option, sizeof option - 1) == 0 ? arg + sizeof option - 1 : NULL;
}

/* There is one linker, and a program exports what is marked. */
static bool check_input(Linking *l, const char *arg)
{
	const char *linker = chosen_linker(arg);
	if (linker ? strncmp(linker, "lld", 3) == 0 : strcmp(arg, "-rdynamic") != 0)
		return true;
	diag_error(l->d, (Loc){0}, "'%s' is not available for windows-msvc, which lld-link links", arg);
	return false;
}

static bool check_inputs(Linking *l)
{
	bool ok = true;
	for (size_t i = 0; i < l->job->ninputs; i++)
		ok = (l->job->inputs[i].object.data || check_input(l, l->job->inputs[i].arg)) && ok;
	return ok;
}

static bool find(Linking *l)
{
	if (!check_static(l) || !check_inputs(l))
		return false;
	return find_linker(l) && (l->job->winsdk ? check_sdk(l) : find_runtime(l));
}

/* /brepro: the same input gives the same bytes, no time in the header. /pdbaltpath: debuggers look for the PDB beside
 * the program, not where it was made. */
static void add_options(Linking *l)
{
	link_add(l, "/nologo");
	link_add(l, "/brepro");
	link_add(l, "/pdbaltpath:%_PDB%");
	link_add(l, "/machine:x64");
	link_add(l, "/subsystem:console");
	link_add(l, arena_printf(l->a, "/out:%s", l->result));
	if (l->job->shared) {
		link_add(l, "/dll");
		link_add(l, arena_printf(l->a, "/implib:%s", l->import_lib));
	}
}

static void add_linker_arguments(Linking *l, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");
		if (n)
			link_add(l, arena_copy(l->a, list, n));
		list += n + (list[n] == ',');
	}
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);
	return n >= s && strcmp(name + n - s, suffix) == 0;
}

/* Found in the folders of libraries like any other, but by an option: lld-link takes "@m.lib" for a file of arguments, and
 * "/m.lib" and "-m.lib" for options. */
static void add_library(Linking *l, const char *name)
{
	const char *file = has_suffix(name, ".lib") ? name : arena_printf(l->a, "%s.lib", name);
	link_add(l, strchr("@/-", *file) ? arena_printf(l->a, "/defaultlib:%s", file) : file);
}

/* -L, -l and -Wl, as for the other linkers; lld-link has other words for them. */
static void add_input(Linking *l, const char *arg)
{
	if (strncmp(arg, "-Wl,", 4) == 0)
		add_linker_arguments(l, arg + 4);
	else if (strncmp(arg, "-L", 2) == 0)
		link_add(l, arena_printf(l->a, "/libpath:%s", arg + 2));
	else if (strncmp(arg, "-l", 2) == 0)
		add_library(l, arg + 2);
	else if (chosen_linker(arg))
		return;
	else if (arg[0] == '/') /* a file, not an option */
		link_add(l, arena_printf(l->a, "/.%s", arg));
	else
		link_add(l, arg);
}

static void add_own_libraries(Linking *l)
{
	for (size_t i = 0; i < ARRAY_LEN(microsofts); i++)
		link_add(l, arena_printf(l->a, "/nodefaultlib:%s", microsofts[i]));
	for (size_t i = 0; i < ARRAY_LEN(own_libraries); i++)
		link_add(l, arena_printf(l->a, "/.%s/%s", l->runtime, own_libraries[i]));
}

/* The static C runtime, as clang and cl do when they are not told otherwise; the libraries
 * name those that they need in turn. */
static void add_sdk(Linking *l)
{
	const char *sdk = l->job->winsdk;
	if (is_xwin(l)) {
		for (size_t i = 0; i < ARRAY_LEN(xwin_folders); i++)
			link_add(l, arena_printf(l->a, "/libpath:%s/%s", sdk, xwin_folders[i]));
	} else {
		link_add(l, arena_printf(l->a, "/winsysroot:%s", sdk));
	}
	link_add(l, "/defaultlib:libcmt");
	link_add(l, "/defaultlib:oldnames");
}

/* A language's own exceptions (src/runtime/eh); with an SDK, too. In the program only what is referred to. */
static void add_exceptions(Linking *l)
{
	const char *looked_in;
	const char *file = l->job->sjlj ? "circeh-sjlj.lib" : "circeh.lib";
	const char *folder = runtime_folder("x86_64-pc-windows-msvc", file, l->a, &looked_in);
	if (folder)
		link_add(l, arena_printf(l->a, "/.%s/%s", folder, file));
}

static void add_libraries(Linking *l)
{
	add_exceptions(l);
	if (l->runtime)
		add_own_libraries(l);
	else
		add_sdk(l);
}

const Linker linker_msvc = {find, add_options, add_input, add_libraries};
