/* base/jobs.h */
#include "base/jobs.h"
#include "test.h"

#include <signal.h>
#include <stdatomic.h>

enum { PIECES = 100 };

typedef struct Count {
	Jobs *jobs;
	atomic_uint done[PIECES];
	uint32_t told;
	bool in_order, own_thread;
	pthread_t caller;
	atomic_uint others;
} Count;

static void count(void *user, uint32_t i)
{
	Count *c = user;
	atomic_fetch_add(&c->done[i], 1);
	if (!pthread_equal(pthread_self(), c->caller))
		atomic_fetch_add(&c->others, 1);
}

static void tell(void *user, uint32_t i)
{
	Count *c = user;
	c->in_order = c->in_order && i == c->told && atomic_load(&c->done[i]) == 1;
	c->own_thread = c->own_thread && pthread_equal(pthread_self(), c->caller);
	c->told++;
}

static void run(Jobs *jobs, Count *c)
{
	*c = (Count){.jobs = jobs, .in_order = true, .own_thread = true, .caller = pthread_self()};
	JobList list = {.n = PIECES, .user = c, .work = count, .done = tell};
	EXPECT(jobs_run(jobs, &list));
	for (unsigned i = 0; i < PIECES; i++)
		if (!EXPECT_EQ(atomic_load(&c->done[i]), 1))
			break;
	EXPECT_EQ(c->told, PIECES);
	EXPECT(c->in_order);
	EXPECT(c->own_thread);
}

TEST(each_piece_is_done_once_and_told_in_order)
{
	for (unsigned threads = 1; threads <= 8; threads++) {
		Jobs jobs;
		Count c;
		jobs_init(&jobs, threads);
		run(&jobs, &c);
		if (threads == 1)
			EXPECT_EQ(atomic_load(&c.others), 0);
		EXPECT_EQ(jobs.idle, threads - 1);
		jobs_destroy(&jobs);
	}
}

/* Two pieces that wait for each other end only if each has a thread. */
static void meet(void *barrier, uint32_t i)
{
	(void)i;
	pthread_barrier_wait(barrier);
}

TEST(pieces_are_done_at_once)
{
	Jobs jobs;
	pthread_barrier_t both;
	pthread_barrier_init(&both, NULL, 2);
	jobs_init(&jobs, 2);
	JobList list = {.n = 2, .user = &both, .work = meet};
	EXPECT(jobs_run(&jobs, &list));
	jobs_destroy(&jobs);
	pthread_barrier_destroy(&both);
}

static void run_inside(void *jobs, uint32_t i)
{
	Count c;
	(void)i;
	run(jobs, &c);
}

TEST(runs_may_be_nested)
{
	Jobs jobs;
	jobs_init(&jobs, 3);
	JobList list = {.n = 5, .user = &jobs, .work = run_inside};
	EXPECT(jobs_run(&jobs, &list));
	EXPECT_EQ(jobs.idle, 2);
	EXPECT(jobs_run(&jobs, &(JobList){.n = 0}));
	jobs_destroy(&jobs);
}

typedef struct Masks {
	pthread_barrier_t both;
	atomic_uint held;
} Masks;

static void look_at_mask(void *user, uint32_t i)
{
	Masks *m = user;
	sigset_t mask;
	(void)i;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	atomic_fetch_add(&m->held, sigismember(&mask, SIGTERM) == 1);
	pthread_barrier_wait(&m->both);
}

/* A signal that ends the process arrives where files are written: in the thread that was there before. */
TEST(signals_are_held_back_in_other_threads_only)
{
	Jobs jobs;
	Masks m = {.held = 0};
	pthread_barrier_init(&m.both, NULL, 2);
	jobs_init(&jobs, 2);
	JobList list = {.n = 2, .user = &m, .work = look_at_mask};
	EXPECT(jobs_run(&jobs, &list));
	EXPECT_EQ(atomic_load(&m.held), 1);
	jobs_destroy(&jobs);
	pthread_barrier_destroy(&m.both);
}
