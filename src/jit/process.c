/* jit/process.c: all JITs of the process.
 *
 *   fork     threads of the parent that compile, or hold a lock of a JIT, are not in the child: fork() waits for them. What children have
 *            compiled is compiled before the next fork, so that a program that forks again and again compiles a function twice at most
 *   the end  LLVM's variables are destroyed by exit(), while other threads run: those that call what is not compiled yet wait
 *   signals  a handler may interrupt anything, malloc() too, so nothing may be compiled in one: before the program has its first handler,
 *            what waits is compiled, and so is from then on what is added */
#include "jit/internal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static Jit *jits;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool handles_signals;

/* ---- fork ---- */

static void before_fork(void)
{
	pthread_mutex_lock(&list_lock);
	for (Jit *j = jits; j; j = j->next) {
		jit_compile_waiting(j, false);
		jit_enter_state(j);
	}
	jit_tls_lock();
}

static void unlock(void)
{
	for (Jit *j = jits; j; j = j->next)
		jit_leave_state(j);
	pthread_mutex_unlock(&list_lock);
}

static void after_fork(void)
{
	jit_tls_unlock();
	unlock();
}

static void after_fork_in_child(void)
{
	for (Jit *j = jits; j; j = j->next)
		jit_lock_forked(&j->lock);
	jit_tls_unlock_in_child();
	unlock();
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void jit_enroll(Jit *j)
{
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&list_lock);
	j->next = jits;
	j->link = &jits;
	if (j->next)
		j->next->link = &j->next;
	jits = j;
	pthread_mutex_unlock(&list_lock);
}

void jit_strike(Jit *j)
{
	pthread_mutex_lock(&list_lock);
	*j->link = j->next;
	if (j->next)
		j->next->link = j->link;
	pthread_mutex_unlock(&list_lock);
}

/* ---- the end ---- */

/* Nothing is compiled from now on, but for this thread: the others wait until the process is gone. LLVM's variables are about to be destroyed. */
static void before_end(void)
{
	pthread_mutex_lock(&list_lock);
	for (Jit *j = jits; j; j = j->next)
		jit_lock_before(&j->state, 5);
	pthread_mutex_unlock(&list_lock);
}

void jit_watch_end(void)
{
	atexit(before_end);
}

/* LLVM's library was loaded before this one, the program's own exit handlers come later. */
__attribute__((constructor)) static void watch_end_of_library(void)
{
	jit_watch_end();
}

/* ---- signals ---- */

typedef void Handler(int);

/* A handler itself may get here, and must not wait. */
static void before_handler(void)
{
	if (atomic_load(&handles_signals))
		return;
	pthread_mutex_lock(&list_lock);
	for (Jit *j = jits; j; j = j->next)
		jit_compile_waiting(j, true);
	atomic_store(&handles_signals, true);
	pthread_mutex_unlock(&list_lock);
}

static Handler *own_signal(int number, Handler *handler)
{
	if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR)
		before_handler();
	return signal(number, handler);
}

static int own_sigaction(int number, const struct sigaction *action, struct sigaction *former)
{
	if (action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
		before_handler();
	return sigaction(number, action, former);
}

bool jit_handles_signals(void)
{
	return atomic_load(&handles_signals);
}

typedef struct Replacement {
	const char *name;
	void (*former)(void), (*function)(void);
} Replacement;

#define ROW(function)                                                                                        \
	{                                                                                                    \
#function, (void (*)(void))(function), (void (*)(void))(own_##function)                      \
	}

void *jit_replace_outside(const char *name, void *address)
{
	static const Replacement rows[] = {ROW(signal), ROW(sigaction)};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool same = memcmp(&address, &rows[i].former, sizeof address) == 0;
		if (same && strcmp(name, rows[i].name) == 0)
			memcpy(&address, &rows[i].function, sizeof address);
	}
	return address;
}
