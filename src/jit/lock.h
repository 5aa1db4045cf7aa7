/* jit/lock.h: a recursive lock that its thread still has in the child of a fork, which pthreads' do not promise. */
#ifndef CIRC_JIT_LOCK_H
#define CIRC_JIT_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct JitLock {
	pthread_mutex_t mutex;
	_Atomic(const void *) owner; /* of the thread that has it; NULL: none */
	unsigned depth;
} JitLock;

void jit_lock_init(JitLock *l);
void jit_lock_destroy(JitLock *l);
void jit_lock(JitLock *l);
/* Where it is not had in so many seconds, it is not. */
void jit_lock_before(JitLock *l, unsigned seconds);
void jit_unlock(JitLock *l);
bool jit_lock_is_ours(const JitLock *l);
/* In the child: a thread that had it is not there. */
void jit_lock_forked(JitLock *l);

#endif
