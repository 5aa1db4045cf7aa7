#include "scenarios.h"

#include "fault.h"

#include <circ/circ.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A front end's calls of the builder. */
int frontend_main(int argc, char **argv);
#define main frontend_main
#include "../../examples/frontend.c"
#undef main

int circ_main(int argc, char **argv); /* of src/driver/main.c */

static const char old_bytes[] = "as it was";

static void hear(const CircDiagnostic *d, void *user)
{
	Attempt *a = user;
	size_t len = strlen(a->heard);
	if (d->severity >= CIRC_ERROR)
		snprintf(a->heard + len, sizeof a->heard - len, "%s\n", d->message);
}

/* Files */

static bool read_file(const char *path, char **data, size_t *len)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	*data = NULL;
	*len = 0;
	if (f && fstat(fileno(f), &st) == 0 && (*data = malloc((size_t)st.st_size + 1)) != NULL) {
		*len = fread(*data, 1, (size_t)st.st_size, f);
		(*data)[*len] = '\0';
	}
	if (f)
		fclose(f);
	return *data != NULL;
}

static void write_old(void)
{
	FILE *f = fopen("out", "wb");
	if (!f || fputs(old_bytes, f) < 0 || fclose(f) != 0) {
		perror("out");
		exit(2);
	}
}

static unsigned count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n - 2; /* . and .. */
}

/* The output is the old file, or a new one; nothing else lies beside it or in the folder for temporary files. */
static bool check_output(Attempt *a, bool ok)
{
	fault_disarm();
	if (!read_file("out", &a->made, &a->made_len))
		a->wrong = "the old file is gone";
	else if ((strcmp(a->made, old_bytes) == 0) == ok)
		a->wrong = ok ? "the file is still the old one" : "the old file was overwritten";
	else if (count_files(".") != 1 || count_files("../tmp") != 0)
		a->wrong = "a file was left behind";
	return ok;
}

/* The library */

static CircModule *parse(Attempt *a)
{
	return circ_module_parse(a->path, a->text, a->text_len, hear, a);
}

static bool print(Attempt *a, CircModule *m)
{
	return circ_module_print(m, 0, &a->made, &a->made_len);
}

bool scenario_text(Attempt *a)
{
	CircModule *m = parse(a);
	bool ok = m && circ_module_verify(m, circ_module_stage(m)) && print(a, m);
	circ_module_destroy(m);
	return ok;
}

static bool set_triple(CircModule *m, const char *triple)
{
	const CircAttr *value = circ_attr_string(m, triple, strlen(triple));
	return value && circ_module_set_attr(m, "cir.triple", value);
}

bool scenario_passes(Attempt *a)
{
	CircModule *m = parse(a);
	bool ok =
	    m && set_triple(m, a->triple) && circ_module_flatten(m) &&
	    (strstr(a->triple, "msvc") ? circ_module_lower_microsoft(m) : circ_module_lower_itanium(m)) &&
	    print(a, m);
	circ_module_destroy(m);
	return ok;
}

bool scenario_object(Attempt *a)
{
	CircEmitOptions options = {.triple = a->triple, .opt = a->opt, .debug = a->debug};
	CircModule *m = parse(a);
	bool ok = m && circ_module_emit_memory(m, &options, CIRC_OBJECT, &a->made, &a->made_len);
	circ_module_destroy(m);
	return ok;
}

bool scenario_file(Attempt *a)
{
	write_old();
	CircEmitOptions options = {.triple = a->triple};
	CircModule *m = parse(a);
	bool ok = m && circ_module_emit_file(m, &options, CIRC_ASSEMBLY, "../link");
	circ_module_destroy(m);
	struct stat st;
	if (lstat("../link", &st) != 0 || !S_ISLNK(st.st_mode))
		a->wrong = "the link is gone";
	return check_output(a, ok);
}

/* After a failure the calls go on, with NULL for what was not made, as those of an embedder may. */
bool scenario_builder(Attempt *a)
{
	Frontend f = {.m = circ_module_create(hear, a)};
	if (!f.m)
		return false;
	declare_surroundings(&f);
	build_checked_sum(&f);
	bool ok = circ_module_verify(f.m, CIRC_STAGE_FLAT) && print(a, f.m);
	circ_module_destroy(f.m);
	return ok;
}

/* Its JSON, for which there is nobody to tell of a failure but the caller. */
static bool keep_json(Attempt *a, CircExplanation *e)
{
	static const CircDiagnostic no_json = {.severity = CIRC_FAILURE, .message = "out of memory"};
	a->made = e ? circ_explanation_json(e) : NULL;
	a->made_len = a->made ? strlen(a->made) : 0;
	if (e && !a->made)
		hear(&no_json, a);
	circ_explanation_free(e);
	return a->made != NULL;
}

/* A module; then the object that is made of it. */
bool scenario_explain(Attempt *a)
{
	CircModule *m = parse(a);
	CircEmitOptions options = {.triple = a->triple, .opt = a->opt};
	char *object = NULL;
	size_t len;
	bool ok = m && keep_json(a, circ_explain_module(m, &(CircExplainOptions){.triple = a->triple}));
	circ_free(a->made);
	a->made = NULL;
	ok = ok && circ_module_emit_memory(m, &options, CIRC_OBJECT, &object, &len) &&
	     keep_json(a, circ_explain_object(object, len, NULL, hear, a));
	circ_free(object);
	circ_module_destroy(m);
	return ok;
}

static void ignore_code(const CircJitCode *code, void *user)
{
	(void)code;
	(void)user;
}

bool scenario_jit(Attempt *a)
{
	CircModule *m = parse(a);
	CircJit *j = m ? circ_jit_create(&(CircJitOptions){.opt = a->opt, .cpu = "native"}, hear, a) : NULL;
	CircJitModule *added = j ? circ_jit_add_module(j, m) : NULL;
	circ_module_destroy(m);
	circ_jit_set_code_handler(j, ignore_code, NULL);
	bool ok = added && circ_jit_add_symbol(j, "a_name_of_ours", a) &&
	          circ_jit_load_library(j, "libm.so.6") && circ_jit_lookup(j, "main") &&
	          circ_jit_remove_module(j, added);
	circ_jit_destroy(j);
	return ok;
}

bool scenario_link(Attempt *a)
{
	write_old();
	const char *inputs[] = {"-Wl,-O1", a->path, "-lm"};
	CircLinkOptions options = {.triple = a->triple, .inputs = inputs, .ninputs = 3, .output = "out"};
	return check_output(a, circ_link(&options, hear, a));
}

/* The command, in a process of its own: it closes the standard output, and a program
 * that it runs ends the process */

static char *argument(const Attempt *a, const char *arg)
{
	const char *text = strcmp(arg, "FILE") == 0 ? a->path : strcmp(arg, "TRIPLE") == 0 ? a->triple : arg;
	return (char *)text;
}

static void in_child(const Attempt *a)
{
	char name[] = "circ", *argv[10] = {name};
	int argc = 1;
	for (; a->args[argc - 1]; argc++)
		argv[argc] = argument(a, a->args[argc - 1]);
	if (!freopen("../stdout", "wb", stdout) || !freopen("../stderr", "wb", stderr))
		_exit(99);
	setvbuf(stderr, NULL, _IONBF, 0); /* as it was: abort() writes nothing */
	int status = circ_main(argc, argv);
	fflush(NULL);
	_exit(status);
}

/* A function that cannot be compiled when it is called ends the process, after the message. */
static bool ended_as_promised(const Attempt *a, int end)
{
	bool waits = a->args[1] && strcmp(a->args[1], "--lazy") == 0;
	return WIFEXITED(end) || (waits && WIFSIGNALED(end) && WTERMSIG(end) == SIGABRT);
}

bool scenario_command(Attempt *a)
{
	int end = 0;
	char *heard;
	size_t len;
	write_old();
	fflush(NULL);
	long before = fault_live();
	pid_t child = fork();
	if (child == 0)
		in_child(a);
	if (child < 0 || waitpid(child, &end, 0) != child || !ended_as_promised(a, end))
		a->wrong = "the command was ended by a signal";
	fault_disarm();
	bool ok = WIFEXITED(end) && WEXITSTATUS(end) == 0;
	if (!ok && WIFEXITED(end) && WEXITSTATUS(end) != 3)
		a->wrong = "the exit status is not 3";
	if (strcmp(a->args[0], "run") == 0 && (ok || !WIFEXITED(end)))
		fault_set_live(before); /* it ended in the middle, with exit() or abort() */
	if (read_file("../stderr", &heard, &len))
		snprintf(a->heard, sizeof a->heard, "%s", heard);
	free(heard);
	return strcmp(a->args[0], "run") == 0 ? ok : check_output(a, ok);
}
