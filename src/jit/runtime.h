/* jit/runtime.h: what code in the JIT calls in place of what the dynamic loader and
 * libc's static part give a program. */
#ifndef CIRC_JIT_RUNTIME_H
#define CIRC_JIT_RUNTIME_H

#include "base/base.h"

/* Exit handlers, in the order of their registration. Each belongs to an owner, the module that registered it,
 * and to the owner's group, the JIT. */
typedef struct JitExit {
	struct JitExit *older;
	void (*function)(void *);
	void *argument;
	const void *owner, *group;
} JitExit;

typedef struct JitExits {
	JitExit *newest;
} JitExits;

/* False: no memory. */
bool jit_exits_add(JitExits *e, const JitExit *exit);
/* Takes out the newest of the owner or group into *out. False: there is none. */
bool jit_exits_take(JitExits *e, const void *owner, JitExit *out);

/* A thread-local variable: each thread has its own copy of the template, made at the first use.
 * This is the layout of the constant that jit/prepare.c makes. */
typedef struct JitTls {
	size_t size, align;      /* align 0: size and initial are jit_tls_of_loader()'s */
	const void *initial;     /* NULL: zeros */
	_Atomic(uintptr_t) slot; /* plus 1; 0: none yet */
} JitTls;

/* A variable of which the dynamic loader has the copies: where in what it numbers so (dlpi_tls_modid). */
JitTls jit_tls_of_loader(size_t module, size_t offset);
/* The calling thread's copy; of NULL, NULL. */
void *jit_tls_address(JitTls *variable);
/* The copies of all threads are given back; the variable is about to vanish. */
void jit_tls_forget(JitTls *variable);

/* Around fork(). */
void jit_tls_lock(void);
void jit_tls_unlock(void);
void jit_tls_unlock_in_child(void); /* where other threads are no more */

/* Registers a handler for the end of the calling thread, which comes before its copies
 * are given back. False: no memory. */
bool jit_thread_exits_add(const JitExit *exit);
/* Runs those of the calling thread that belong to the owner or group, newest first; those of other threads
 * are forgotten: what they would call is about to vanish. Waits for those that run there. */
void jit_thread_exits_run(const void *owner);
/* Is it one of those that the calling thread is in? */
bool jit_thread_runs_exit(const void *owner);

#endif
