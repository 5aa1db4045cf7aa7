/* The public interface: functions that are compiled when they are called, on x86_64, in processes that fork, handle signals, and end. */
#include "api_jit_lazy.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

#ifdef __x86_64__

/* Processes that are forked */

static bool child_succeeded(pid_t child)
{
	int status = -1;
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* A child that hangs is ended. */
static pid_t start_child(void)
{
	pid_t child = fork();
	if (child == 0)
		alarm(60);
	return child;
}

static bool calls_in_child(Function *f, int n, int expected)
{
	pid_t child = start_child();
	if (child == 0)
		_exit(f(n) == expected ? 0 : 1);
	return child_succeeded(child);
}

TEST(what_a_child_compiled_is_compiled_for_the_next)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = open_jit(&h, '0');
	circ_jit_set_code_handler(jit, note_code, &told);
	add(jit, chain, &h);
	add(jit, passes, &h);
	Function *first = find(jit, "first");
	EXPECT(calls_in_child(first, 3, 4));
	EXPECT_STR(told.names, "");
	EXPECT(calls_in_child(find(jit, "third"), 4, 5));
	EXPECT_STR(told.names, " first second third");
	EXPECT_EQ(first(5), 6);
	EXPECT_EQ(told.n, 3);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static sem_t compiles;

static void compile_slowly(const CircJitCode *code, void *user)
{
	(void)code;
	(void)user;
	sem_post(&compiles);
	usleep(50000);
}

static void *call_first(void *first)
{
	return as_function(first)(1) == 2 ? NULL : first;
}

/* Looked up there, on a thread that cannot be taken for the one of the parent's that compiles. */
static bool finds_and_calls_in_child(CircJit *jit, const char *name, int n, int expected)
{
	pid_t child = start_child();
	if (child == 0)
		_exit(find(jit, name)(n) == expected ? 0 : 1);
	return child_succeeded(child);
}

TEST(a_child_of_a_process_that_compiles_can_compile)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	pthread_t thread;
	void *failed = &h;
	sem_init(&compiles, 0, 0);
	circ_jit_set_code_handler(jit, compile_slowly, NULL);
	add(jit, chain, &h);
	add(jit, passes, &h);
	if (EXPECT(pthread_create(&thread, NULL, call_first, circ_jit_lookup(jit, "first")) == 0)) {
		sem_wait(&compiles);
		EXPECT(finds_and_calls_in_child(jit, "outer", 21, 42));
		pthread_join(thread, &failed);
	}
	EXPECT(failed == NULL);
	circ_jit_destroy(jit);
	sem_destroy(&compiles);
	EXPECT_STR(h.text, "");
}

static pid_t forked;

static int fork_here(int n)
{
	forked = start_child();
	return n;
}

static const char constructs_by_fork[] =
    "module attributes {cir.global_ctors = [#cir.global_ctor<\"construct\", 65535>]} {\n"
    "!s32i = !cir.int<s, 32>\n"
    "cir.func private @fork_here(!s32i) -> !s32i\n"
    "cir.func @construct() {\n"
    "  %c = cir.const #cir.int<0> : !s32i\n"
    "  %r = cir.call @fork_here(%c) : (!s32i) -> !s32i\n"
    "  cir.return\n"
    "}\n"
    "}\n";

TEST(a_constructor_may_fork)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	EXPECT(circ_jit_add_symbol(jit, "fork_here", as_address(fork_here)));
	add(jit, constructs_by_fork, &h);
	add(jit, chain, &h);
	int result = find(jit, "first")(7);
	circ_jit_destroy(jit);
	if (forked == 0)
		_exit(result == 8 ? 0 : 1);
	EXPECT(child_succeeded(forked));
	EXPECT_EQ(result, 8);
	EXPECT_STR(h.text, "");
}

static CircJit *jit_of_threads;
static int found_in_child;

static void *fork_and_find(void *unused)
{
	(void)unused;
	found_in_child = finds_and_calls_in_child(jit_of_threads, "third", 1, 2);
	return NULL;
}

static int fork_elsewhere(int n)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, fork_and_find, NULL) == 0)
		pthread_join(thread, NULL);
	return n;
}

TEST(a_constructor_may_wait_for_a_thread_that_forks)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_of_threads = open_jit(&h, '0');
	EXPECT(circ_jit_add_symbol(jit, "fork_here", as_address(fork_elsewhere)));
	add(jit, constructs_by_fork, &h);
	add(jit, chain, &h);
	EXPECT_EQ(find(jit, "first")(7), 8);
	EXPECT_EQ(found_in_child, 1);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* The end of a process */

/* exit() writes what streams still have when all else is done: LLVM's variables are destroyed. */
static ssize_t write_slowly(void *cookie, const char *bytes, size_t n)
{
	(void)cookie, (void)bytes;
	usleep(200000);
	return (ssize_t)n;
}

static void end_slowly(void)
{
	FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_slowly});
	if (!f || fputc('.', f) != '.')
		_exit(1);
	exit(0);
}

static void *call_all(void *functions)
{
	for (int i = 0; i < 1000; i++)
		as_function(((void **)functions)[i])(i);
	return NULL;
}

static CircJit *jit_at_end;

static void end_while_a_thread_calls(CircJit *jit, Heard *h)
{
	static void *functions[1000];
	static char text[150000];
	size_t len = (size_t)sprintf(text, "!s32i = !cir.int<s, 32>\n");
	pthread_t thread;
	for (int i = 0; i < 1000; i++)
		len += (size_t)sprintf(text + len,
		                       "cir.func @f%d(%%x: !s32i) -> !s32i {\n"
		                       "  %%y = cir.add nsw %%x, %%x : !s32i\n"
		                       "  cir.return %%y : !s32i\n"
		                       "}\n",
		                       i);
	add(jit, text, h);
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof text, "f%d", i);
		functions[i] = circ_jit_lookup(jit, text);
	}
	if (pthread_create(&thread, NULL, call_all, functions) != 0)
		_exit(1);
	usleep(20000);
	end_slowly();
}

TEST(a_process_may_end_while_a_thread_calls)
{
	fflush(NULL);
	pid_t child = start_child();
	if (child == 0) {
		static Heard h;
		jit_at_end = open_jit(&h, '0');
		end_while_a_thread_calls(jit_at_end, &h);
	}
	EXPECT(child_succeeded(child));
}

/* Signals; the last test, since the process has a handler from then on. */

TEST(before_the_first_handler_of_a_signal_all_is_compiled)
{
	static const char text[] = "!s32i = !cir.int<s, 32>\n"
	                           "!type = !cir.func<(!s32i)>\n"
	                           "!ptr = !cir.ptr<!type>\n"
	                           "cir.func private @signal(!s32i, !ptr) -> !ptr\n"
	                           "cir.func @handle(%x: !s32i) -> !s32i {\n"
	                           "  %p = cir.get_global @handler : !ptr\n"
	                           "  %q = cir.call @signal(%x, %p) : (!s32i, !ptr) -> !ptr\n"
	                           "  cir.return %x : !s32i\n"
	                           "}\n"
	                           "cir.func internal @handler(%x: !s32i) {\n"
	                           "  cir.return\n"
	                           "}\n";
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = open_jit(&h, '0');
	circ_jit_set_code_handler(jit, note_code, &told);
	add(jit, text, &h);
	add(jit, chain, &h);
	Function *handle = find(jit, "handle");
	EXPECT_STR(told.names, "");
	EXPECT_EQ(handle(SIGUSR1), SIGUSR1);
	EXPECT_EQ(told.n, 5);
	raise(SIGUSR1);
	add(jit, passes, &h);
	EXPECT(find(jit, "outer") != NULL);
	EXPECT_CONTAINS(told.names, " outer middle throwing twice count");
	circ_jit_destroy(jit);
	signal(SIGUSR1, SIG_DFL);
	EXPECT_STR(h.text, "");
}

#endif
