/* base/jobs.h: independent pieces of work on several threads.
 *
 * A Jobs says how many threads there may be in all; runs may be nested, and share them. The thread
 * that calls jobs_run() works, too, so one thread means no other. Other threads join a run as they
 * become free, also while it is going on.
 * Errors   a thread that cannot be started is done without: the work is done by those there are. `work`
 *          handles its own errors; it must not leave by longjmp().
 * Signals  those that end a process are held back in the threads that are started, so that
 *          they arrive in the others.
 * Threads  jobs_run() may be called by several threads at once.
 */
#ifndef CIRC_BASE_JOBS_H
#define CIRC_BASE_JOBS_H

#include "base/base.h"

#include <pthread.h>

typedef struct Jobs {
	pthread_mutex_t lock;
	unsigned idle; /* threads that may still be started */
	/* What each of those does instead of run(arg), which it must call; NULL: nothing else */
	void (*on_thread)(void (*run)(void *), void *arg);
} Jobs;

typedef struct JobList {
	uint32_t n;
	void *user;
	/* Piece i, on any thread, begun in their order. */
	void (*work)(void *user, uint32_t i);
	/* Piece i is done: on the thread that called jobs_run(), in the order of the pieces. NULL: nothing */
	void (*done)(void *user, uint32_t i);
} JobList;

/* threads: at least 1 */
void jobs_init(Jobs *jobs, unsigned threads);
void jobs_destroy(Jobs *jobs);

/* Returns when all is done. False: no memory; nothing was begun. */
bool jobs_run(Jobs *jobs, const JobList *list);

#endif
