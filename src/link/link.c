#include "emit/emit.h"
#include "emit/output.h"
#include "emit/process.h"
#include "link/linker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool makes_msvc(const LinkJob *job)
{
	return job->triple && emit_is_msvc(job->triple);
}

/* Two inputs may have the same name: the objects are told apart by a number, the first keeps its name. It
 * comes last, where no name of an object has one, since the second "a.o" may stand beside a "1-a.o". */
static const char *object_path(Linking *l, size_t index)
{
	const LinkInput *in = &l->job->inputs[index];
	for (size_t i = 0; i < index; i++)
		if (l->job->inputs[i].object.data && strcmp(l->job->inputs[i].arg, in->arg) == 0)
			return arena_printf(l->a, "%s/%s.%zu", l->folder, in->arg, index);
	return arena_printf(l->a, "%s/%s", l->folder, in->arg);
}

/* Linkers read the arguments that a file "@name" holds, and take "-name" for an option. */
static const char *as_file_name(Linking *l, const char *path)
{
	return path[0] == '@' || path[0] == '-' ? arena_printf(l->a, "./%s", path) : path;
}

static void build_command(Linking *l, const Linker *linker)
{
	link_add(l, l->program);
	linker->add_options(l);
	for (size_t i = 0; i < l->job->ninputs; i++) {
		const LinkInput *in = &l->job->inputs[i];
		bool option = !in->object.data && in->arg[0] == '-';
		linker->add_input(l, in->object.data ? object_path(l, i)
		                     : option        ? in->arg
		                                     : as_file_name(l, in->arg));
	}
	linker->add_libraries(l);
	link_add(l, NULL);
}

/* The file name of the output, which a DLL bears inside. MinGW's g++ adds a suffix where there is none. */
static const char *result_name(Linking *l)
{
	const LinkJob *job = l->job;
	const char *slash = strrchr(job->output, '/');
	const char *name = slash ? slash + 1 : job->output;
	if (strcmp(name, "-") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !*name)
		name = "program";
	bool add = job->triple && emit_is_windows(job->triple) && !strchr(name, '.');
	return add ? arena_printf(l->a, "%s%s", name, job->shared ? ".dll" : ".exe") : name;
}

static const char *without_suffix(Arena *a, const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && !strchr(dot, '/') ? arena_copy(a, path, (size_t)(dot - path)) : path;
}

static const char *with_suffix(Linking *l, const char *path, const char *suffix)
{
	return arena_printf(l->a, "%s%s", without_suffix(l->a, path), suffix);
}

/* Is there an import library to make? */
static bool has_import_lib(const LinkJob *job)
{
	return job->shared && makes_msvc(job);
}

static bool is_input(const LinkJob *job, const char *path)
{
	for (size_t i = 0; i < job->ninputs; i++)
		if (!job->inputs[i].object.data && output_replaces(path, job->inputs[i].arg))
			return true;
	return false;
}

static bool check_outputs(Linking *l)
{
	const LinkJob *job = l->job;
	const char *paths[] = {job->output, has_import_lib(job) ? with_suffix(l, job->output, ".lib") : "-"};
	for (int i = 0; i < 2; i++)
		if (is_input(job, paths[i])) {
			diag_error(l->d, (Loc){0}, "output '%s' is also an input; choose another name",
			           paths[i]);
			return false;
		}
	return true;
}

/* The objects lie in the folder, the result in one below, so that their names never meet. */
static bool make_folder(Linking *l)
{
	const LinkJob *job = l->job;
	const char *tmp = getenv("TMPDIR");
	char *name = arena_printf(l->a, "%s/circ-XXXXXX", tmp && *tmp ? as_file_name(l, tmp) : "/tmp");
	if (!job->dry_run && !mkdtemp(name)) {
		diag_failure(l->d, "cannot create the temporary folder '%s': %s", name, strerror(errno));
		return false;
	}
	l->folder = name;
	const char *below = arena_printf(l->a, "%s/out", name);
	l->result = arena_printf(l->a, "%s/%s", below, result_name(l));
	if (has_import_lib(job))
		l->import_lib = with_suffix(l, l->result, ".lib");
	if (makes_msvc(job))
		l->pdb = with_suffix(l, l->result, ".pdb");
	if (!job->dry_run && mkdir(below, 0700) != 0) {
		diag_failure(l->d, "cannot create the folder '%s': %s", below, strerror(errno));
		return false;
	}
	return true;
}

static void remove_files(const char *folder)
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

static void remove_folder(Linking *l)
{
	char below[4096];
	if ((size_t)snprintf(below, sizeof below, "%s/out", l->folder) < sizeof below)
		remove_files(below);
	remove_files(l->folder);
}

static bool write_objects(Linking *l)
{
	for (size_t i = 0; i < l->job->ninputs; i++)
		if (l->job->inputs[i].object.data &&
		    !output_write(object_path(l, i), l->job->inputs[i].object, false, l->d))
			return false;
	return true;
}

/* Linkers that write to mapped memory die of it (SIGBUS), and do not say why. */
static bool is_full(const char *folder)
{
	struct statvfs st;
	return statvfs(folder, &st) == 0 && st.f_bavail == 0;
}

static bool run(Linking *l)
{
	ProcessEnd end = process_run(l->program, l->args.data, NULL, &l->hold);
	if (end.interrupted)
		diag_failure(l->d, "linker was interrupted: %s", strsignal(end.interrupted));
	else if (end.error)
		diag_failure(l->d, "cannot run the linker '%s': %s", l->program, strerror(end.error));
	else if (end.signal)
		diag_failure(l->d, "linker '%s' was killed by a signal: %s%s", l->program,
		             strsignal(end.signal), is_full(l->folder) ? "; no space is left in TMPDIR" : "");
	else if (end.status)
		diag_error(l->d, (Loc){0},
		           "linker '%s' failed with exit status %d; use '-v' to see the command", l->program,
		           end.status);
	else
		return true;
	return false;
}

static bool deliver_file(Linking *l, const char *from, const char *to, bool executable)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	Str bytes = fd >= 0 ? output_map(fd) : (Str){0};
	bool ok = false;
	if (fd < 0 && errno == ENOENT)
		diag_failure(l->d, "linker '%s' reported success, but wrote no program", l->program);
	else if (!bytes.data)
		diag_failure(l->d, "cannot read the output of the linker '%s': %s", l->program,
		             strerror(errno));
	else
		ok = output_write(to, bytes, executable, l->d);
	output_unmap(bytes);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* What the linker made beside the program, if it did. */
static bool deliver_beside(Linking *l, const char *from, const char *suffix)
{
	const char *output = l->job->output;
	if (!from || strcmp(output, "-") == 0 || access(from, F_OK) != 0)
		return true;
	return deliver_file(l, from, with_suffix(l, output, suffix), false);
}

/* The import library first: a DLL without one is of no use, and the other way round it is an old one. */
static bool deliver(Linking *l)
{
	return deliver_beside(l, l->import_lib, ".lib") && deliver_beside(l, l->pdb, ".pdb") &&
	       deliver_file(l, l->result, l->job->output, true);
}

static bool link_in_folder(Linking *l, const Linker *linker)
{
	if (!make_folder(l))
		return false;
	build_command(l, linker);
	if (l->job->show)
		l->job->show(l->args.data, l->job->user);
	return l->job->dry_run || (write_objects(l) && run(l) && deliver(l));
}

/* Running out of memory must not leave the folder behind either. */
static bool link_guarded(Linking *l, const Linker *linker)
{
	OomGuard guard, *former = l->a->oom;
	volatile bool ok = false;
	l->a->oom = &guard;
	if (setjmp(guard.env))
		diag_failure(l->d, "out of memory");
	else
		ok = check_outputs(l) && linker->find(l) && link_in_folder(l, linker);
	l->a->oom = former;
	return ok;
}

static const Linker *choose_linker(const LinkJob *job, Diags *d)
{
	const AbiTarget *target = abi_target(str_of(job->triple ? job->triple : ""));
	if (target && !target->runtime_folder) {
		diag_failure(
		    d,
		    "cannot link for target '%s', for which circ brings no run-time library and knows "
		    "no tools; use '-c' and link the objects there",
		    job->triple);
		return NULL;
	}
	if (makes_msvc(job))
		return &linker_msvc;
	if (!job->triple || !emit_is_windows(job->triple) || emit_is_mingw(job->triple))
		return &linker_driver;
	diag_failure(d, "cannot link for target '%s'; use '-c' and link the objects there", job->triple);
	return NULL;
}

bool link_program(const LinkJob *job, Arena *scratch, Diags *d)
{
	Linking l = {.job = job, .a = scratch, .d = d};
	const Linker *linker = choose_linker(job, d);
	if (!linker)
		return false;
	signal_hold(&l.hold);
	bool ok = link_guarded(&l, linker);
	if (l.folder && !job->dry_run)
		remove_folder(&l);
	signal_release(&l.hold);
	return ok;
}
