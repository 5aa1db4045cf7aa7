#include "driver/limits.h"

#include "base/poison.h"
#include "driver/batch.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	SECONDS = 60,
	MEBIBYTES = 2048,
	GRACE = 5, /* seconds, until the kernel ends what does not end by itself */
	WATCHER_STACK = 1 << 16
};

static char message[128];

/* A thread of its own, and no handler: an output that is being written is finished first (driver/batch.h). */
static void *end_in_time(void *signals)
{
	int number;
	while (sigwait(signals, &number) != 0)
		;
	batch_await_writing();
	ssize_t written = write(STDERR_FILENO, message, strlen(message));
	(void)written;
	_exit(3);
}

static bool watch_time(unsigned seconds)
{
	static sigset_t signals;
	pthread_t watcher;
	pthread_attr_t attr;
	snprintf(message, sizeof message,
	         "circ: error: out of time: %u seconds of processor time are used up ('--max-time')\n",
	         seconds);
	sigemptyset(&signals);
	sigaddset(&signals, SIGXCPU);
	if ((errno = pthread_sigmask(SIG_BLOCK, &signals, NULL)) || (errno = pthread_attr_init(&attr)))
		return false;
	pthread_attr_setstacksize(&attr,
	                          WATCHER_STACK > PTHREAD_STACK_MIN ? WATCHER_STACK : PTHREAD_STACK_MIN);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	errno = pthread_create(&watcher, &attr, end_in_time, &signals);
	pthread_attr_destroy(&attr);
	return errno == 0;
}

/* What is smaller already stays. */
static bool lower(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) != 0)
		return false;
	limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return setrlimit(resource, &limit) == 0;
}

/* AddressSanitizer and ThreadSanitizer have terabytes of addresses for themselves. */
static bool lower_memory(unsigned mebibytes)
{
#if defined(BASE_ASAN) || defined(__SANITIZE_THREAD__)
	(void)mebibytes;
	return true;
#else
	rlim_t bytes = (rlim_t)mebibytes << 20;
	return lower(RLIMIT_AS, bytes, bytes);
#endif
}

bool limits_set(const Options *o, Report *r)
{
	unsigned seconds = o->max_time ? o->max_time : SECONDS;
	bool ok = !o->untrusted ||
	          (watch_time(seconds) && lower(RLIMIT_CPU, seconds, seconds + GRACE) &&
	           lower(RLIMIT_CORE, 0, 0) && lower_memory(o->max_memory ? o->max_memory : MEBIBYTES));
	if (!ok)
		report_failure(r, "cannot bound time and memory: %s", strerror(errno));
	return ok;
}
