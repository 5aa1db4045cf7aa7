/* faults/fault.h: makes the n-th allocation, or the n-th system call, of circ's own code fail.
 *
 * Counted are the objects of arenas and pools (base/fault.h) and the calls of malloc() and its like that
 * circ's objects make: the test is linked with --wrap. Forked processes go on with the same count. What LLVM
 * and the C library allocate for themselves is not: LLVM ends the process when it has no memory.
 */
#ifndef CIRC_TESTS_FAULTS_FAULT_H
#define CIRC_TESTS_FAULTS_FAULT_H

#include <stdbool.h>

typedef enum FaultKind {
	FAULT_MEMORY, /* ENOMEM */
	FAULT_SYSTEM, /* EIO: what fault_system.c wraps */
} FaultKind;

typedef enum FaultMode {
	FAULT_ONCE,     /* the n-th fails, later ones do not */
	FAULT_FROM_NOW, /* the n-th and all after it fail */
} FaultMode;

/* n counts from 1; 0: only count. */
void fault_arm(FaultKind kind, unsigned long n, FaultMode mode);
/* For fault_system.c; sets errno. */
bool fault_system_strikes(void);
/* Ends it. True: the n-th allocation was reached. */
bool fault_disarm(void);
/* Since fault_arm(). */
unsigned long fault_count(void);
/* Pieces of memory from malloc() and its like that were not freed, by this process and
 * by those that it forked. */
long fault_live(void);
void fault_set_live(long live);

#endif
