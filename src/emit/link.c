#include "emit/link.h"

#include "base/vec.h"
#include "emit/emit.h"
#include "emit/hold.h"
#include "emit/output.h"
#include "emit/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef enum DriverKind {
	DRIVER_CLANGXX, /* knows its C++ library's place, takes --target */
	DRIVER_GXX,     /* links its own libstdc++ */
	DRIVER_C,       /* links no C++ library by itself */
} DriverKind;

typedef struct LinkDriver {
	const char *name;
	DriverKind kind;
} LinkDriver;

/* The first that is there is used: the compiler of the LLVM that circ was built with, the newest that circ supports, which goes with
 * the newest libraries, then whatever the system has. */
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

typedef VEC(const char *) Args;

typedef struct Linking {
	const LinkJob *job;
	Arena *a;
	Diags *d;
	DriverKind kind;
	const char *program; /* path of the driver */
	const char *folder;  /* for the files of this link; NULL: not made yet */
	const char *result;  /* the program, in folder */
	Args args;
	SignalHold hold;
} Linking;

static bool is_windows(const char *triple)
{
	return strstr(triple, "-windows") != NULL;
}

/* A Linux with GNU C library on x86_64 is what every compiler driver of the host makes without being told. */
static bool is_plain_linux(const char *triple)
{
	size_t n = strlen(triple);
	return strncmp(triple, "x86_64-", 7) == 0 && n > 10 && strcmp(triple + n - 10, "-linux-gnu") == 0;
}

static const char *driver_name(Linking *l, const LinkDriver *row)
{
	char version[32];
	emit_llvm_version(version, sizeof version);
	version[strcspn(version, ".")] = '\0';
	const char *percent = strchr(row->name, '%');
	return percent ? arena_printf(l->a, "%.*s%s", (int)(percent - row->name), row->name, version)
	               : row->name;
}

static bool report_no_driver(Linking *l, const char *looked_for)
{
	bool libcxx = l->job->cxxlib == CXXLIB_LIBCXX;
	diag_failure(
	    l->d, "no linker found: none of %s is on PATH; install %s, or link the object (-c) yourself",
	    looked_for,
	    libcxx
	        ? "clang, libc++, libc++abi and libunwind (Debian: clang-22 libc++-22-dev libc++abi-22-dev "
	          "libunwind-22-dev)"
	        : "g++");
	return false;
}

static bool find_driver(Linking *l)
{
	bool libcxx = l->job->cxxlib == CXXLIB_LIBCXX;
	const LinkDriver *rows = libcxx ? libcxx_drivers : libstdcxx_drivers;
	size_t nrows = libcxx ? ARRAY_LEN(libcxx_drivers) : ARRAY_LEN(libstdcxx_drivers);
	bool cross = l->job->triple && !is_plain_linux(l->job->triple);
	const char *looked_for = "", *previous = "";
	for (size_t i = 0; i < nrows; i++) {
		if (cross && rows[i].kind != DRIVER_CLANGXX)
			continue;
		const char *name = driver_name(l, &rows[i]);
		l->program = process_find(name, l->a);
		l->kind = rows[i].kind;
		if (l->program)
			return true;
		if (strcmp(name, previous) != 0) /* circ's own LLVM may be the newest */
			looked_for = arena_printf(l->a, "%s%s%s", looked_for, *looked_for ? ", " : "", name);
		previous = name;
	}
	return report_no_driver(l, looked_for);
}

static void add(Linking *l, const char *arg)
{
	vec_push(l->a, &l->args, arg);
}

static void add_options(Linking *l)
{
	const LinkJob *job = l->job;
	add(l, l->program);
	if (job->triple && !is_plain_linux(job->triple))
		add(l, arena_printf(l->a, "--target=%s", job->triple));
	if (l->kind == DRIVER_CLANGXX)
		add(l, job->cxxlib == CXXLIB_LIBCXX ? "-stdlib=libc++" : "-stdlib=libstdc++");
	add(l, job->pie ? "-pie" : "-no-pie");
	add(l, "-o");
	add(l, l->result);
}

static void add_libraries(Linking *l)
{
	if (l->job->cxxlib != CXXLIB_LIBCXX)
		return;
	if (l->kind == DRIVER_C) {
		add(l, "-lc++");
		add(l, "-lc++abi");
	}
	add(l,
	    "-lunwind"); /* before libgcc's, which the driver adds: all parts of a program must use the same one */
	if (l->kind == DRIVER_C)
		add(l, "-lm");
}

/* Two inputs may have the same name: the objects are told apart by a number, the first keeps its name. */
static const char *object_path(Linking *l, size_t index)
{
	const LinkInput *in = &l->job->inputs[index];
	for (size_t i = 0; i < index; i++)
		if (l->job->inputs[i].object.data && strcmp(l->job->inputs[i].arg, in->arg) == 0)
			return arena_printf(l->a, "%s/%zu-%s", l->folder, index, in->arg);
	return arena_printf(l->a, "%s/%s", l->folder, in->arg);
}

static void build_command(Linking *l)
{
	add_options(l);
	for (size_t i = 0; i < l->job->ninputs; i++)
		add(l, l->job->inputs[i].object.data ? object_path(l, i) : l->job->inputs[i].arg);
	add_libraries(l);
	add(l, NULL);
}

static bool make_folder(Linking *l)
{
	const char *tmp = getenv("TMPDIR");
	char *name = arena_printf(l->a, "%s/circ-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!l->job->dry_run && !mkdtemp(name)) {
		diag_failure(l->d, "cannot make a folder for temporary files, '%s': %s", name,
		             strerror(errno));
		return false;
	}
	l->folder = name;
	l->result = arena_printf(l->a, "%s/.program", name); /* no object has this name */
	return true;
}

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(folder);
}

static bool write_objects(Linking *l)
{
	for (size_t i = 0; i < l->job->ninputs; i++)
		if (l->job->inputs[i].object.data &&
		    !output_write(object_path(l, i), l->job->inputs[i].object, false, l->d))
			return false;
	return true;
}

static bool run(Linking *l)
{
	ProcessEnd end = process_run(l->program, l->args.data, &l->hold);
	if (end.interrupted)
		diag_failure(l->d, "linking was interrupted: %s", strsignal(end.interrupted));
	else if (end.error)
		diag_failure(l->d, "cannot run the linker '%s': %s", l->program, strerror(end.error));
	else if (end.signal)
		diag_failure(l->d, "the linker '%s' was ended by a signal: %s", l->program,
		             strsignal(end.signal));
	else if (end.status)
		diag_error(l->d, (Loc){0},
		           "the linker '%s' failed with exit status %d (-v shows the command)", l->program,
		           end.status);
	else
		return true;
	return false;
}

static bool deliver(Linking *l)
{
	int fd = open(l->result, O_RDONLY | O_CLOEXEC);
	Str program = fd >= 0 ? output_map(fd) : (Str){0};
	bool ok = false;
	if (!program.data)
		diag_failure(l->d, "the linker '%s' reported success but left no program", l->program);
	else
		ok = output_write(l->job->output, program, true, l->d);
	output_unmap(program);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool link_in_folder(Linking *l)
{
	if (!make_folder(l))
		return false;
	build_command(l);
	if (l->job->show)
		l->job->show(l->args.data, l->job->user);
	return l->job->dry_run || (write_objects(l) && run(l) && deliver(l));
}

/* Running out of memory must not leave the folder behind either. */
static bool link_guarded(Linking *l)
{
	OomGuard guard, *former = l->a->oom;
	volatile bool ok = false;
	l->a->oom = &guard;
	if (setjmp(guard.env))
		diag_failure(l->d, "out of memory");
	else
		ok = link_in_folder(l);
	l->a->oom = former;
	return ok;
}

bool link_program(const LinkJob *job, Arena *scratch, Diags *d)
{
	Linking l = {.job = job, .a = scratch, .d = d};
	if (job->triple && is_windows(job->triple)) {
		diag_failure(d, "linking for '%s' is not supported yet; use -c and link the objects there",
		             job->triple);
		return false;
	}
	if (!find_driver(&l))
		return false;
	signal_hold(&l.hold);
	bool ok = link_guarded(&l);
	if (l.folder && !job->dry_run)
		remove_folder(l.folder);
	signal_release(&l.hold);
	return ok;
}
