/* driver/stack_watch.h */
#include "base/jobs.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "driver/stack_watch.c"

static int fall(volatile char *above, uint64_t depth)
{
	volatile char frame[512];
	frame[depth % sizeof frame] = above[depth % 16];
	return depth == UINT64_MAX ? frame[0] : fall(frame, depth + 1) + frame[1];
}

static void wait_for_other(void)
{
	sleep(1);
}

/* Piece 0 is the caller's, who waits; the other thread falls. */
static void work(void *caller, uint32_t i)
{
	(void)i;
	volatile char bottom[16] = {0};
	if (pthread_equal(pthread_self(), *(pthread_t *)caller)) {
		for (unsigned n = 0; n < 60; n++)
			wait_for_other();
		return;
	}
	fall(bottom, 0);
}

static void overflow_on_helper(void)
{
	Jobs jobs;
	pthread_t self = pthread_self();
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	stack_watch();
	jobs_init(&jobs, 2);
	jobs.on_thread = stack_watched;
	jobs_run(&jobs, &(JobList){.n = 2, .user = &self, .work = work});
	_exit(0);
}

static bool is_watched(void)
{
	return getenv("CIRC_SANITIZED") || getenv("CIRC_VALGRIND"); /* by tools that say so themselves */
}

TEST(another_thread_that_runs_out_of_stack_ends_the_process_with_a_message)
{
	int ends[2], status = 0;
	char text[128] = "";
	if (is_watched() || !EXPECT(pipe(ends) == 0))
		return;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		overflow_on_helper();
	}
	close(ends[1]);
	EXPECT(read(ends[0], text, sizeof text - 1) > 0);
	close(ends[0]);
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 3);
	EXPECT_CONTAINS(text, "out of stack");
}

static void note_top(void *tops)
{
	uintptr_t **next = tops;
	*(*next)++ = top;
}

static void *watch_twice(void *tops)
{
	stack_watched(note_top, tops);
	note_top(tops);
	stack_watched(note_top, tops);
	return NULL;
}

TEST(a_watch_ends_and_begins_again)
{
	uintptr_t tops[3] = {0, 1, 0}, *next = tops;
	pthread_t thread;
	if (!EXPECT(pthread_create(&thread, NULL, watch_twice, &next) == 0))
		return;
	pthread_join(thread, NULL);
	EXPECT(tops[0] && !tops[1] && tops[2]);
}
