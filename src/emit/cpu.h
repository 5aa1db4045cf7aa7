/* emit/cpu.h: names of CPUs and features, checked before LLVM makes code for them: what it does not know it
 * only mentions on standard error, and what cannot run 64-bit code ends the process.
 *
 * Errors     false: a CIRC_ERROR was reported.
 * Threads    any; one check at a time waits for the other.
 */
#ifndef CIRC_EMIT_CPU_H
#define CIRC_EMIT_CPU_H

#include "base/diag.h"

#include <llvm-c/Types.h>

typedef struct CpuNames {
	const char *triple, *cpu;
	const char *features; /* each with its sign */
} CpuNames;

/* Those that the command asks for. */
bool cpu_check(const CpuNames *names, Diags *d);

/* Those that functions of the module ask for (target-cpu, tune-cpu, target-features); their places
 * (PLACE_MACHINE) are taken away. */
bool cpu_check_functions(LLVMModuleRef module, Diags *d);

#endif
