/* driver/main.c: the circ command: all inputs through the stages (driver/batch.c), then the linker. */
#include "driver/batch.h"
#include "driver/explain.h"
#include "driver/help.h"
#include "driver/limits.h"
#include "driver/llvm_messages.h"
#include "driver/lsp.h"
#include "driver/memory.h"
#include "driver/options.h"
#include "driver/options_check.h"
#include "driver/program.h"
#include "driver/report.h"
#include "driver/run.h"
#include "driver/stack_watch.h"
#include "driver/timing.h"
#include "driver/view.h"
#include "emit/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void link_guarded(const Options *o, Unit *units, Arena *arena, Report *r, Timing *t)
{
	OomGuard guard, *former = arena->oom;
	arena->oom = &guard;
	if (setjmp(guard.env))
		report_failure(r, "out of memory");
	else
		program_link(o, units, arena, r, t);
	arena->oom = former;
}

static void make(const Options *o, Arena *arena, Report *r, Timing *t)
{
	Unit *units = arena_array(arena, Unit, o->ncir);
	bool links = o->product == MAKE_PROGRAM && !o->verify_only;
	if ((o->dry_run || batch_compile(o, units, arena, r, t)) && links)
		link_guarded(o, units, arena, r, t);
	for (uint32_t i = 0; i < o->ncir; i++)
		unit_close(&units[i]);
}

static void run_in_process(const Options *o, char **argv, Arena *arena, Report *r, Timing *t)
{
	Unit *units = arena_array(arena, Unit, o->ncir);
	run_program(o, units, argv, arena, r, t);
	for (uint32_t i = 0; i < o->ncir; i++)
		unit_close(&units[i]);
}

static void run(int argc, char **argv, Arena *arena, Report *r)
{
	Options o;
	Timing timing;
	timing_init(&timing);
	if (!options_parse(&o, argc, argv, arena, r))
		return;
	if (o.help || (o.command == COMMAND_HELP && !o.topic)) {
		help_print();
	} else if (o.command == COMMAND_HELP) {
		help_print_topic(o.topic, r);
	} else if (o.version || o.command == COMMAND_VERSION) {
		version_print();
	} else if (options_check(&o, r) && limits_set(&o, r)) {
		if (o.verbose)
			version_show();
		if (o.command == COMMAND_RUN)
			run_in_process(&o, argv, arena, r, &timing);
		else if (o.command == COMMAND_EXPLAIN)
			explain_file(&o, r, &timing);
		else if (o.command == COMMAND_VIEW)
			view_file(&o, arena, r);
		else if (o.command == COMMAND_LSP)
			lsp_run(&o, arena, r);
		else
			make(&o, arena, r, &timing);
		if (o.time_passes)
			timing_print(&timing);
	}
}

/* A file must not get the number of a standard stream that somebody closed: messages would end up in it.
 * Reading from and writing to the replacements fails, as it would have. */
static void open_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(3);
}

static volatile bool is_done; /* what was asked for is there, or was refused */
static volatile int done_status;

/* Nothing to clear up: temporary files have no names while LLVM is at work (emit/output.h), but for those
 * that the main thread writes while it is at work in another. */
static void end_on_llvm_error(const char *reason)
{
	if (is_done)
		_exit(done_status);
	llvm_messages_flush();
	fprintf(stderr, "circ: error: LLVM: %s\n", reason);
	batch_await_writing();
	_exit(3);
}

/* What '.print' says in assembly is written by LLVM, on what it takes for standard output, when the process ends. It is a
 * message like others, and whether it can be written changes nothing any more. */
static int leave_messages(int status)
{
	llvm_messages_flush();
	dup2(STDERR_FILENO, STDOUT_FILENO);
	done_status = status;
	is_done = true;
	return status;
}

static void run_guarded(int argc, char **argv, Arena *arena, Report *r)
{
	OomGuard guard;
	arena->oom = &guard;
	if (setjmp(guard.env))
		report_failure(r, "out of memory");
	else
		run(argc, argv, arena, r);
}

/* What did not fit into the buffer was written before: then errno is still that of the write, as nothing else failed since. */
static void close_standard_output(Report *r)
{
	bool failed = ferror(stdout) != 0;
	if (fclose(stdout) != 0 || failed)
		report_failure(r, "cannot write to standard output: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	Report report;
	Arena arena;
	open_standard_streams();
	signal(SIGXFSZ, SIG_IGN); /* a file grown too large is an error like a full disk */
	stack_watch();
	memory_watch();
	emit_on_fatal_error(end_on_llvm_error);
	report_init(&report);
	arena_init(&arena);
	run_guarded(argc, argv, &arena, &report);
	arena_free(&arena);
	close_standard_output(&report);
	return leave_messages(report_exit_code(&report));
}
