/* runtime/eh/fault.h: faults of code of ours become exceptions (circ_faults_install()).
 *
 * Where the system does not ask personalities about faults (ELF, windows-gnu), it is made to go on in circeh_fault_thunk, as if the code
 * that faulted had called it: no handler of a signal is on the stack when the exception is raised, and none is unwound.
 *
 * 	elf/signals.c, gnu/faults.c   the system's word that there was a fault, and to whom it belongs
 * 	unwind/fault_range.c   where code may fault
 * 	elf/fault_context.h    what of it is the processor's
 * 	elf/PROCESSOR/          what the exception is raised from
 * 	unwind/fault_raise.c   the exception
 * 	unwind/fault_divide.c  why a division trapped
 */
#ifndef CIRC_RUNTIME_EH_FAULT_H
#define CIRC_RUNTIME_EH_FAULT_H

#include "runtime/eh/exception.h"

/* Statuses of Windows (ntstatus.h). */
#define FAULT_GUARD_PAGE      0x80000001u
#define FAULT_MISALIGNED      0x80000002u
#define FAULT_ACCESS          0xC0000005u
#define FAULT_IN_PAGE         0xC0000006u
#define FAULT_ILLEGAL         0xC000001Du
#define FAULT_FLOAT_DIVIDE    0xC000008Eu
#define FAULT_FLOAT_INEXACT   0xC000008Fu
#define FAULT_FLOAT_INVALID   0xC0000090u
#define FAULT_FLOAT_OVERFLOW  0xC0000091u
#define FAULT_FLOAT_UNDERFLOW 0xC0000093u
#define FAULT_DIVIDE          0xC0000094u
#define FAULT_OVERFLOW        0xC0000095u
#define FAULT_PRIVILEGED      0xC0000096u

/* What an access violation has in info[0] (EXCEPTION_RECORD). */
enum { FAULT_READ = 0, FAULT_WRITE = 1, FAULT_EXECUTE = 8 };

/* General registers: x86_64's by the numbers of its instructions, X0 to X30 of AArch64 and its stack pointer. */
#if defined(__aarch64__)
enum { FAULT_REGISTERS = 32 };
#else
enum { FAULT_REGISTERS = 16 };
#endif

/* What unwinders are told of the address of a fault: so much more (elf/x86_64/thunk.c). */
enum { FAULT_INSIDE = 1 };

/* Of the thread that faulted, on its stack. The thunk and its unwinding table know the layout. */
typedef struct CircehFault {
	uint64_t registers[FAULT_REGISTERS];
	uint64_t pc, flags;
	uint32_t code;
	uint64_t info[2];
} CircehFault;

/* unwind/fault_raise.c, called by the thunk. It returns where the instruction is to be started again. */
void circeh_fault_raise(CircehFault *f);

/* Did nobody take the exception of the fault at pc, which comes for the second time now? It is asked once. */
bool circeh_fault_is_declined(uintptr_t pc);

/* unwind/fault_range.c: may the code at pc fault? Signal handlers ask. */
bool circeh_may_fault(uintptr_t pc);
/* Is it in an operation of a `cir.try async`, which has an entry in the table of its function? */
bool circeh_is_operation(uintptr_t pc);

/* unwind/fault_divide.c: the code of x86_64's division at f->pc that trapped. */
uint32_t circeh_divide_code(const CircehFault *f);

#endif
