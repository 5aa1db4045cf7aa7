/* runtime/eh/elf/fault_context.h: what of a fault is the processor's: a folder for each.
 *
 * A thread that faulted goes on in circeh_fault_thunk with the address of its CircehFault, which is a multiple of 64 and below what the
 * function that faulted may use, in the stack pointer and in a register that calls keep. All other registers are as they were.
 */
#ifndef CIRC_RUNTIME_EH_ELF_FAULT_CONTEXT_H
#define CIRC_RUNTIME_EH_ELF_FAULT_CONTEXT_H

#include "runtime/eh/fault.h"

#include <signal.h>
#include <ucontext.h>

void circeh_fault_thunk(void);

/* Before the first fault. */
void circeh_context_measure(void);

uintptr_t circeh_context_pc(const ucontext_t *u);
void circeh_context_set_pc(ucontext_t *u, uintptr_t pc);
uintptr_t circeh_context_sp(const ucontext_t *u);

/* Bytes above and below the CircehFault that going on needs. */
typedef struct CircehRoom {
	size_t above, below;
} CircehRoom;
CircehRoom circeh_context_room(const siginfo_t *info);

/* Fills in f, all of it. */
void circeh_context_describe(CircehFault *f, int signal, const siginfo_t *info, const ucontext_t *u);
/* The thread goes on in the thunk; `at` is described, and has its room. */
void circeh_context_enter(CircehFault *at, const siginfo_t *info, ucontext_t *u);

/* Does the system say the address of what was accessed? */
bool circeh_context_has_address(const ucontext_t *u);
/* Is it a division that trapped, and not since the quotient is too large? */
bool circeh_context_is_division_by_zero(int signal, const ucontext_t *u);

/* float_code.c: the code of a floating point operation that trapped; 0: it is no such operation. */
uint32_t circeh_float_code(int why);

#endif
