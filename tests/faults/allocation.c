/* What happens when memory runs out, or the system fails, at each of circ's own
 * allocations and system calls in turn.
 *
 * 	allocation [--runs N] [--only PART] FOLDER FILE.cir...
 *
 * Each scenario is run undisturbed, and then again and again with one of them failing, or with that and all
 * after it failing. Such a run must do the same as the undisturbed one, or fail with a message; it must not
 * crash, keep memory, or leave a file that is not whole. N: the most runs of a scenario with a file, spread
 * evenly over its allocations, besides the first few, which are the command's own; 0: every allocation.
 * FOLDER holds folders `out` and `tmp`, both empty, `bin` with a linker, and a link to out/out.
 */
#include "fault.h"
#include "scenarios.h"

#include <circ/circ.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_EACH = 16 }; /* allocations that are tried one by one in any case */

static const char elf[] = "x86_64-unknown-linux-gnu", msvc[] = "x86_64-pc-windows-msvc";

typedef struct Row {
	const char *name;
	FaultKind kind;
	Scenario *run;
	enum {
		NO_FILE,
		FIRST_FILE,
		EACH_FILE
	} files; /* that it is run with; the first is a program of its own */
	Attempt how;
} Row;

static const Row rows[] = {
    {"system: file", FAULT_SYSTEM, scenario_file, FIRST_FILE, {.triple = elf}},
    {"system: link", FAULT_SYSTEM, scenario_link, FIRST_FILE, {.triple = elf}},
    {"system: command",
     FAULT_SYSTEM,
     scenario_command,
     FIRST_FILE,
     {.args = {"--cxxlib=libstdc++", "FILE", "-o", "out"}}},
    {"system: command -j2",
     FAULT_SYSTEM,
     scenario_command,
     FIRST_FILE,
     {.args = {"-j2", "--cxxlib=libstdc++", "FILE", "FILE", "-o", "out"}}},
    {"system: command view",
     FAULT_SYSTEM,
     scenario_command,
     FIRST_FILE,
     {.triple = elf, .args = {"view", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"system: command run", FAULT_SYSTEM, scenario_command, FIRST_FILE, {.args = {"run", "FILE"}}},
    {"builder", FAULT_MEMORY, scenario_builder, NO_FILE, {0}},
    {"text", FAULT_MEMORY, scenario_text, EACH_FILE, {0}},
    {"passes", FAULT_MEMORY, scenario_passes, EACH_FILE, {.triple = elf}},
    {"passes msvc", FAULT_MEMORY, scenario_passes, EACH_FILE, {.triple = msvc}},
    {"object", FAULT_MEMORY, scenario_object, EACH_FILE, {.triple = elf, .opt = '0', .debug = true}},
    {"object msvc", FAULT_MEMORY, scenario_object, EACH_FILE, {.triple = msvc, .opt = '0', .debug = true}},
    {"object -O2", FAULT_MEMORY, scenario_object, FIRST_FILE, {.triple = elf, .opt = '2'}},
    {"file", FAULT_MEMORY, scenario_file, FIRST_FILE, {.triple = elf}},
    {"explain", FAULT_MEMORY, scenario_explain, EACH_FILE, {.triple = elf, .opt = '0'}},
    {"explain msvc", FAULT_MEMORY, scenario_explain, FIRST_FILE, {.triple = msvc, .opt = '0'}},
    {"jit", FAULT_MEMORY, scenario_jit, FIRST_FILE, {.opt = '0'}},
    {"link", FAULT_MEMORY, scenario_link, FIRST_FILE, {.triple = elf}},
    {"link msvc", FAULT_MEMORY, scenario_link, FIRST_FILE, {.triple = msvc}},
    {"command -c",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = elf, .args = {"-c", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command in parts",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = elf, .args = {"-c", "--part-ops=1", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command -O1 in parts",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"-c", "-O1", "--part-ops=1", "FILE", "-o", "out"}}},
    {"command in parts msvc",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = msvc, .args = {"-c", "--part-ops=1", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command -S",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = msvc, .args = {"-S", "-g", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command --emit=abi",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = msvc, .args = {"--emit=abi", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command view",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = elf, .args = {"view", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command view msvc",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = msvc, .args = {"view", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command --dump-plan",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"--dump-plan", "FILE", "-o", "out"}}},
    {"command",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"--cxxlib=libstdc++", "FILE", "-o", "out"}}},
    {"command -j2",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"-j2", "--cxxlib=libstdc++", "FILE", "FILE", "-o", "out"}}},
    {"command -j2 in parts",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"-j2", "-c", "--part-ops=1", "FILE", "-o", "out"}}},
    {"command -shared",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.triple = msvc, .args = {"-shared", "--target", "TRIPLE", "FILE", "-o", "out"}}},
    {"command run", FAULT_MEMORY, scenario_command, FIRST_FILE, {.args = {"run", "FILE"}}},
    {"command run --lazy",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"run", "--lazy", "--part-ops=1", "FILE"}}},
    {"command run --load",
     FAULT_MEMORY,
     scenario_command,
     FIRST_FILE,
     {.args = {"run", "--load=libm.so.6", "FILE"}}},
};

typedef struct Walk {
	const Row *row;
	const char *path;
	Attempt want; /* what the undisturbed run made */
	unsigned long max, runs, refused;
	bool ok;
} Walk;

static void forget(Attempt *a)
{
	circ_free(a->made);
	a->made = NULL;
	a->made_len = 0;
	a->heard[0] = '\0';
	a->wrong = NULL;
}

static void complain(Walk *w, const Attempt *a, const char *wrong)
{
	printf("FAILED %s, %s: %s\n%s", w->row->name, w->path, wrong, a->heard);
	w->ok = false;
}

static const char *judge(const Walk *w, const Attempt *a, bool ok, bool struck, long kept)
{
	const Attempt *want = &w->want;
	int error = w->row->kind == FAULT_MEMORY ? ENOMEM : EIO;
	if (a->wrong)
		return a->wrong;
	if (kept)
		return "memory was kept";
	if (!struck)
		return "that was not reached";
	if (!ok)
		return (error == ENOMEM && strstr(a->heard, "out of memory")) ||
		               strstr(a->heard, strerror(error))
		           ? NULL
		           : "no message says why";
	bool same =
	    a->made_len == want->made_len && (!a->made || memcmp(a->made, want->made, a->made_len) == 0);
	return same ? NULL : "the result is another one";
}

static void step(Walk *w, Attempt *a, unsigned long at, FaultMode mode)
{
	long before = fault_live();
	fault_arm(w->row->kind, at, mode);
	bool ok = w->row->run(a);
	bool struck = fault_disarm();
	const char *wrong = judge(w, a, ok, struck, fault_live() - before - (a->made != NULL));
	w->runs++;
	w->refused += !ok;
	if (wrong) {
		printf("number %lu, %s: ", at, mode == FAULT_ONCE ? "once" : "from then on");
		complain(w, a, wrong);
	}
	fault_set_live(before + (a->made != NULL));
	forget(a);
}

/* The number of allocations; 0: reported. */
static unsigned long run_undisturbed(Walk *w, Attempt *a)
{
	fault_arm(w->row->kind, 0, FAULT_ONCE);
	bool ok = w->row->run(a);
	fault_disarm();
	if (ok && !a->wrong)
		return fault_count();
	complain(w, a, a->wrong ? a->wrong : "it fails undisturbed");
	return 0;
}

static void walk(Walk *w, Attempt *a)
{
	if (!run_undisturbed(w, a)) /* what is made once in a process is there from now on */
		return;
	forget(a);
	unsigned long n = run_undisturbed(w, a);
	unsigned long stride = w->max && n > w->max ? n / w->max | 1 : 1;
	w->want = *a;
	a->made = NULL;
	forget(a);
	for (unsigned long at = 1, i = 0; at <= n; at += at < FIRST_EACH ? 1 : stride, i++) {
		step(w, a, at, i % 2 ? FAULT_FROM_NOW : FAULT_ONCE);
		if (!w->max)
			step(w, a, at, i % 2 ? FAULT_ONCE : FAULT_FROM_NOW);
	}
	forget(&w->want);
	printf("%-20s %6lu times, %5lu runs, %5lu refused  %s\n", w->row->name, n, w->runs, w->refused,
	       w->path);
	fflush(stdout);
}

static char *read_text(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	if (!f || fseek(f, 0, SEEK_END) != 0 || !(text = malloc((size_t)ftell(f) + 1))) {
		perror(path);
		exit(2);
	}
	*len = (size_t)ftell(f);
	rewind(f);
	*len = fread(text, 1, *len, f);
	fclose(f);
	return text;
}

static bool walk_file(const Row *row, const char *path, unsigned long max)
{
	Walk w = {.row = row, .path = path ? path : "", .max = max, .ok = true};
	Attempt a = row->how;
	char *text = path ? read_text(path, &a.text_len) : NULL;
	a.path = path;
	a.text = text;
	walk(&w, &a);
	free(text);
	return w.ok;
}

static bool walk_row(const Row *row, char **files, int n, unsigned long max)
{
	bool ok = true;
	if (row->files == NO_FILE)
		return walk_file(row, NULL, max);
	for (int i = 0; i < (row->files == FIRST_FILE ? 1 : n); i++)
		ok &= walk_file(row, files[i], max);
	return ok;
}

/* Into FOLDER/out, with FOLDER/bin as $PATH. */
static void enter(const char *folder)
{
	char path[4096];
	if (chdir(folder) != 0 || !getcwd(path, sizeof path - 8) || chdir("out") != 0) {
		perror(folder);
		exit(2);
	}
	size_t len = strlen(path);
	strcpy(path + len, "/tmp");
	setenv("TMPDIR", path, 1);
	strcpy(path + len, "/bin");
	setenv("PATH", path, 1);
}

int main(int argc, char **argv)
{
	unsigned long max = 100;
	const char *only = "";
	int i = 1;
	for (; i + 1 < argc && argv[i][0] == '-'; i += 2)
		if (strcmp(argv[i], "--runs") == 0)
			max = strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--only") == 0)
			only = argv[i + 1];
	if (i + 1 >= argc) {
		fputs("usage: allocation [--runs N] [--only PART] FOLDER FILE.cir...\n", stderr);
		return 2;
	}
	enter(argv[i++]);
	bool ok = true, any = false;
	for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
		if (!strstr(rows[row].name, only))
			continue;
		ok &= walk_row(&rows[row], argv + i, argc - i, max);
		any = true;
	}
	return ok && any ? 0 : 1;
}
