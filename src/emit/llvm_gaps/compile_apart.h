/* emit/llvm_gaps/compile_apart.h: makes code of a module in a process of its own, to see whether LLVM can.
 *
 * LLVM ends the process over some input, or crashes, and has no way to return from that.
 *
 * Threads    any. The other process does nothing but make code and end. It ends after a while in any case, and with
 *            the thread that waits for it.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_COMPILE_APART_H
#define CIRC_EMIT_LLVM_GAPS_COMPILE_APART_H

#include <stdint.h>

#include <llvm-c/TargetMachine.h>

enum { COMPILE_REASON_MAX = 512 };

typedef enum CompileOutcome {
	COMPILE_DONE,
	COMPILE_UNKNOWN, /* there is no process to be had, or no time left */
	COMPILE_HANGS,
	COMPILE_REFUSED,
} CompileOutcome;

/* What all trials of a module together may still take. A text of 4 KB can ask for minutes. */
typedef struct CompileBudget {
	int64_t cpu_ms;   /* of processors */
	int64_t clock_ms; /* by the clock: trials that get no processor cost that alone */
} CompileBudget;
static const CompileBudget compile_budget = {.cpu_ms = 5000, .clock_ms = 15000};

/* Once before the first one. */
void compile_apart_set_up(LLVMTargetMachineRef machine, LLVMModuleRef like);
/* The module stays as it is. reason: what LLVM says, of COMPILE_REASON_MAX + 1 bytes; "": it crashed. */
CompileOutcome compile_apart(LLVMTargetMachineRef machine, LLVMModuleRef module, CompileBudget *budget,
                             char *reason);

#endif
