/* driver/memory.h: which aborts are for want of memory. */
#include "base/base.h"
#include "driver/batch.h"
#include "test.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

static bool waited; /* for files that are being written */

void batch_await_writing(void)
{
	waited = true;
}

#include "driver/memory.c"

void *cxx_new(size_t size) __asm__("_Znwm") __attribute__((weak));

typedef void Want(void);

/* LLVM's own words come first, which set errno to 0: sys::RetryAfterSignal(). */
static void abort_after_words(void)
{
	errno = 0;
	abort();
}

static void abort_of_malloc(void)
{
	errno = ENOMEM;
	abort();
}

static void want_too_much_of_new(void)
{
	if (cxx_new)
		cxx_new(SIZE_MAX / 4);
	end_without_memory(); /* a command without LLVM's C++ */
}

static void fail_check(void)
{
	CHECK(waited);
}

/* How a process with little memory ends: its exit status, or less than 0 by a signal. */
static int end_of(Want *want, bool little)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		if (little)
			setrlimit(RLIMIT_AS, &(struct rlimit){1 << 29, 1 << 29});
		if (freopen("/dev/null", "w", stderr))
			memory_watch();
		want();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static bool is_watched(void)
{
	return getenv("CIRC_SANITIZED") ||
	       getenv("CIRC_VALGRIND"); /* by tools that need memory of their own */
}

TEST(an_abort_without_memory_is_status_3)
{
	if (is_watched())
		return;
	EXPECT_EQ(end_of(abort_after_words, true), 3);
	EXPECT_EQ(end_of(abort_of_malloc, true), 3);
	EXPECT_EQ(end_of(abort_of_malloc, false), 3);
	EXPECT_EQ(end_of(want_too_much_of_new, false), 3);
}

TEST(another_abort_stays_one)
{
	if (is_watched())
		return;
	EXPECT_EQ(end_of(abort_after_words, false), -SIGABRT);
	EXPECT_EQ(end_of(fail_check, true), -SIGABRT);
	EXPECT_EQ(end_of(fail_check, false), -SIGABRT);
}
