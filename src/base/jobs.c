#include "base/jobs.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct Helper {
	pthread_t thread;
	struct Run *run;
} Helper;

typedef struct Run {
	Jobs *jobs;
	const JobList *list;
	pthread_mutex_t lock;
	pthread_cond_t finished;
	uint32_t next;   /* piece that is begun next */
	uint32_t told;   /* pieces whose `done` was called; of the caller's thread alone */
	bool *complete;  /* by piece */
	Helper *helpers; /* as many as there can be */
	unsigned nhelpers;
} Run;

void jobs_init(Jobs *jobs, unsigned threads)
{
	CHECK(threads >= 1);
	pthread_mutex_init(&jobs->lock, NULL);
	jobs->idle = threads - 1;
	jobs->on_thread = NULL;
}

void jobs_destroy(Jobs *jobs)
{
	pthread_mutex_destroy(&jobs->lock);
}

static bool take_thread(Jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	bool taken = jobs->idle > 0;
	jobs->idle -= taken;
	pthread_mutex_unlock(&jobs->lock);
	return taken;
}

static void give_thread(Jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	jobs->idle++;
	pthread_mutex_unlock(&jobs->lock);
}

/* list->n: nothing is left. */
static uint32_t take_piece(Run *run)
{
	pthread_mutex_lock(&run->lock);
	uint32_t i = run->next;
	run->next += i < run->list->n;
	pthread_mutex_unlock(&run->lock);
	return i;
}

static bool work_once(Run *run)
{
	uint32_t i = take_piece(run);
	if (i == run->list->n)
		return false;
	run->list->work(run->list->user, i);
	pthread_mutex_lock(&run->lock);
	run->complete[i] = true;
	pthread_cond_signal(&run->finished);
	pthread_mutex_unlock(&run->lock);
	return true;
}

static void work_until_done(void *run)
{
	while (work_once(run))
		;
}

static void *help(void *helper)
{
	Run *run = ((Helper *)helper)->run;
	if (run->jobs->on_thread)
		run->jobs->on_thread(work_until_done, run);
	else
		work_until_done(run);
	give_thread(run->jobs);
	return NULL;
}

enum {
	GUARD = 1 << 20
}; /* below a stack, as the system keeps it free below the main thread's: no frame is as large */

/* As deep as the main thread's, since the work is the same. */
static size_t stack_size(void)
{
	enum { LEAST = 8 << 20, MOST = 64 << 20 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur < LEAST)
		return LEAST;
	return limit.rlim_cur > MOST ? MOST : (size_t)limit.rlim_cur;
}

static bool start_thread(Helper *h)
{
	sigset_t ending, former;
	pthread_attr_t attr;
	if (pthread_attr_init(&attr) != 0)
		return false;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGQUIT);
	pthread_sigmask(SIG_BLOCK, &ending, &former); /* which the new thread inherits */
	bool started = pthread_attr_setstacksize(&attr, stack_size() + GUARD) == 0 &&
	               pthread_attr_setguardsize(&attr, GUARD) == 0 &&
	               pthread_create(&h->thread, &attr, help, h) == 0;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attr);
	return started;
}

/* No more than there is work for besides the caller's. */
static void start_helpers(Run *run)
{
	pthread_mutex_lock(&run->lock);
	uint32_t left = run->list->n - run->next;
	pthread_mutex_unlock(&run->lock);
	while (left-- > 1 && run->nhelpers + 1 < run->list->n && take_thread(run->jobs)) {
		Helper *h = &run->helpers[run->nhelpers];
		h->run = run;
		if (!start_thread(h)) {
			give_thread(run->jobs);
			return;
		}
		run->nhelpers++;
	}
}

static bool is_complete(Run *run, uint32_t i)
{
	pthread_mutex_lock(&run->lock);
	bool complete = run->complete[i];
	pthread_mutex_unlock(&run->lock);
	return complete;
}

static void tell(Run *run)
{
	while (run->told < run->list->n && is_complete(run, run->told)) {
		if (run->list->done)
			run->list->done(run->list->user, run->told);
		run->told++;
	}
}

static void wait_for(Run *run, uint32_t i)
{
	pthread_mutex_lock(&run->lock);
	while (!run->complete[i])
		pthread_cond_wait(&run->finished, &run->lock);
	pthread_mutex_unlock(&run->lock);
}

static void run_all(Run *run)
{
	do {
		start_helpers(run);
		tell(run);
	} while (work_once(run));
	for (tell(run); run->told < run->list->n; tell(run))
		wait_for(run, run->told);
	for (unsigned i = 0; i < run->nhelpers; i++)
		pthread_join(run->helpers[i].thread, NULL);
}

bool jobs_run(Jobs *jobs, const JobList *list)
{
	Run run = {.jobs = jobs, .list = list};
	if (!list->n)
		return true;
	run.complete = calloc(list->n, sizeof *run.complete);
	run.helpers = calloc(list->n, sizeof *run.helpers);
	bool ok = run.complete && run.helpers;
	if (ok) {
		pthread_mutex_init(&run.lock, NULL);
		pthread_cond_init(&run.finished, NULL);
		run_all(&run);
		pthread_cond_destroy(&run.finished);
		pthread_mutex_destroy(&run.lock);
	}
	free(run.complete);
	free(run.helpers);
	return ok;
}
