/* runtime/eh/elf/x86_64/thunk.h: what the context and the thunk of x86_64 share. */
#ifndef CIRC_RUNTIME_EH_ELF_X86_64_THUNK_H
#define CIRC_RUNTIME_EH_ELF_X86_64_THUNK_H

#include "runtime/eh/elf/fault_context.h"

/* How large what XSAVE stores is, a multiple of 64; 0: the processor has FXSAVE alone. */
extern uint64_t circeh_fault_state;

#endif
