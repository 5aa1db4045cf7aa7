/* base/deep_thread.h: a thread whose stack is as deep as the main thread's, since LLVM recurses on code. */
#ifndef CIRC_BASE_DEEP_THREAD_H
#define CIRC_BASE_DEEP_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* blocked: signals that it does not get. False: the system has no thread for us. */
bool deep_thread_start(pthread_t *thread, const sigset_t *blocked, void *(*run)(void *), void *arg);

#endif
