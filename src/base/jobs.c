#include "base/jobs.h"

#include "base/deep_thread.h"

#include <stdlib.h>

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

static bool start_thread(Helper *h)
{
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGQUIT);
	return deep_thread_start(&h->thread, &ending, help, h);
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
