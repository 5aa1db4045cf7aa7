#include "jit/lock.h"

#include <time.h>

static _Thread_local const char self; /* its address is the thread */

void jit_lock_init(JitLock *l)
{
	*l = (JitLock){.depth = 0};
	pthread_mutex_init(&l->mutex, NULL);
}

void jit_lock_destroy(JitLock *l)
{
	pthread_mutex_destroy(&l->mutex);
}

bool jit_lock_is_ours(const JitLock *l)
{
	return atomic_load_explicit(&l->owner, memory_order_relaxed) == &self;
}

void jit_lock(JitLock *l)
{
	if (!jit_lock_is_ours(l)) {
		pthread_mutex_lock(&l->mutex);
		atomic_store_explicit(&l->owner, &self, memory_order_relaxed);
	}
	l->depth++;
}

void jit_lock_before(JitLock *l, unsigned seconds)
{
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += seconds;
	if (!jit_lock_is_ours(l)) {
		if (pthread_mutex_timedlock(&l->mutex, &end) != 0)
			return;
		atomic_store_explicit(&l->owner, &self, memory_order_relaxed);
	}
	l->depth++;
}

void jit_unlock(JitLock *l)
{
	if (--l->depth)
		return;
	atomic_store_explicit(&l->owner, NULL, memory_order_relaxed);
	pthread_mutex_unlock(&l->mutex);
}

void jit_lock_forked(JitLock *l)
{
	if (!jit_lock_is_ours(l))
		jit_lock_init(l);
}
