/* jit/own_thread.c: what a first call makes is made on a thread of its own: the caller's stack may be a few pages, of a coroutine for example.
 *
 * The caller waits, and meanwhile asks the dynamic loader for it: in a constructor or destructor of a library it has the loader's lock, so that nobody
 * else gets an answer. */
#include "jit/internal.h"

#include "base/deep_thread.h"

#include <errno.h>
#include <fenv.h>
#include <semaphore.h>

struct JitWork {
	Jit *jit;
	void (*run)(void *user);
	void *user;
	bool own_thread;
	sem_t asks, answered;
	void (*ask)(void *asked); /* NULL: it is done */
	void *asked;
};

static void wait_for(sem_t *s)
{
	while (sem_wait(s) != 0)
		continue; /* a signal was handled */
}

static void run(JitWork *work)
{
	Jit *j = work->jit;
	jit_enter_state(j);
	JitWork *former = j->work;
	if (work->own_thread)
		j->work = work;
	work->run(work->user);
	j->work = former;
	jit_leave_state(j);
}

/* A thread has the floating point environment of the one that starts it: LLVM would round as the program does, and trap. */
static void *run_work(void *p)
{
	JitWork *work = p;
	fenv_t callers;
	fegetenv(&callers);
	fesetenv(FE_DFL_ENV);
	run(work);
	fesetenv(&callers);
	work->ask = NULL;
	sem_post(&work->asks);
	return NULL;
}

static void answer(JitWork *work)
{
	for (wait_for(&work->asks); work->ask; wait_for(&work->asks)) {
		work->ask(work->asked);
		sem_post(&work->answered);
	}
}

void jit_ask_loader(Jit *j, void (*ask)(void *asked), void *asked)
{
	JitWork *work = j->work;
	if (!work) {
		ask(asked);
		return;
	}
	work->ask = ask;
	work->asked = asked;
	sem_post(&work->asks);
	wait_for(&work->answered);
}

/* It is no point of cancellation, and errno stays. */
void jit_work(Jit *j, void (*function)(void *user), void *user)
{
	JitWork work = {.jit = j, .run = function, .user = user, .own_thread = !jit_lock_is_ours(&j->state)};
	pthread_t thread;
	sigset_t all;
	int error = errno, cancel;
	sigfillset(&all);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	sem_init(&work.asks, 0, 0);
	sem_init(&work.answered, 0, 0);
	if (work.own_thread && deep_thread_start(&thread, &all, run_work, &work)) {
		answer(&work);
		pthread_join(thread, NULL);
	} else {
		work.own_thread = false;
		run_work(&work);
	}
	sem_destroy(&work.answered);
	sem_destroy(&work.asks);
	pthread_setcancelstate(cancel, NULL);
	errno = error;
}
