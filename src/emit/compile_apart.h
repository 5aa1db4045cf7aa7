/* emit/compile_apart.h: makes code of a module in a process of its own, to see whether LLVM can.
 *
 * LLVM ends the process over some input, or crashes, and has no way to return from that.
 *
 * Threads    any. The other process does nothing but make code and end; it ends after a while in any case.
 */
#ifndef CIRC_EMIT_COMPILE_APART_H
#define CIRC_EMIT_COMPILE_APART_H

#include <llvm-c/TargetMachine.h>

enum { COMPILE_REASON_MAX = 512 };

typedef enum CompileOutcome {
	COMPILE_DONE,
	COMPILE_UNKNOWN, /* there is no process to be had */
	COMPILE_HANGS,
	COMPILE_REFUSED,
} CompileOutcome;

/* Once before the first one. */
void compile_apart_set_up(LLVMTargetMachineRef machine, LLVMModuleRef like);
/* The module stays as it is. reason: what LLVM says, of COMPILE_REASON_MAX + 1 bytes; "": it crashed. */
CompileOutcome compile_apart(LLVMTargetMachineRef machine, LLVMModuleRef module, char *reason);

#endif
