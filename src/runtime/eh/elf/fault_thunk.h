/* runtime/eh/elf/fault_thunk.h: where a thread goes on that faulted: RIP is circeh_fault_thunk, RSP and RBX are the address of its
 * CircehFault, which is a multiple of 64 and below the red zone of the function that faulted. All other registers are as they were.
 */
#ifndef CIRC_RUNTIME_EH_ELF_FAULT_THUNK_H
#define CIRC_RUNTIME_EH_ELF_FAULT_THUNK_H

#include "runtime/eh/fault.h"

void circeh_fault_thunk(void);

/* How large what XSAVE stores is, a multiple of 64; 0: the processor has FXSAVE alone. Measured before the first fault. */
extern uint64_t circeh_fault_state;
void circeh_fault_measure(void);

enum { FAULT_RED_ZONE = 128 };
/* Between the red zone and the fault: what the thread goes on by, where it faulted. */
enum { FAULT_WAY_BACK = 32 };

#endif
