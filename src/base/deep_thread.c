#include "base/deep_thread.h"

#include <sys/resource.h>

enum {
	GUARD = 1 << 20
}; /* below a stack, as the system keeps it free below the main thread's: no frame is as large */

static size_t stack_size(void)
{
	enum { LEAST = 8 << 20, MOST = 64 << 20 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur < LEAST)
		return LEAST;
	return limit.rlim_cur > MOST ? MOST : (size_t)limit.rlim_cur;
}

bool deep_thread_start(pthread_t *thread, const sigset_t *blocked, void *(*run)(void *), void *arg)
{
	sigset_t former;
	pthread_attr_t attr;
	if (pthread_attr_init(&attr) != 0)
		return false;
	pthread_sigmask(SIG_BLOCK, blocked, &former); /* which the new thread inherits */
	bool started = pthread_attr_setstacksize(&attr, stack_size() + GUARD) == 0 &&
	               pthread_attr_setguardsize(&attr, GUARD) == 0 &&
	               pthread_create(thread, &attr, run, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attr);
	return started;
}
