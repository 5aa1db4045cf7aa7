/* emit/llvm_gaps/cleanup_end.h: cleanups that the optimizer finds to never end, for windows-msvc.
 *
 * The tables name the handlers around a cleanup, which the first phase asks before anything runs. LLVM reads that off
 * the cleanup's `cleanupret` (WinEHPrepare.cpp; seen in LLVM 19.1.7 and 22.1.8). What the cleanup calls may end the
 * program, or loop, in a way that only the optimizer sees; it drops the cleanupret then, and with it the handlers: the
 * exception finds none, and the cleanup does not run.
 *
 * So a cleanup that calls functions, or has several blocks, gets a second end while the optimizer runs, at
 * a condition of which it knows nothing. It stays only where no other is left.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_CLEANUP_END_H
#define CIRC_EMIT_LLVM_GAPS_CLEANUP_END_H

#include "base/diag.h"

#include <llvm-c/TargetMachine.h>

/* Before the first pass of the optimizer. Cost: functions, and the blocks of those with such a personality.
 * False, here and below: no memory, which is reported. */
bool emit_hold_cleanup_ends(LLVMModuleRef module, Diags *d);

/* After the last one. False also where LLVM refuses a pass, which is reported. */
bool emit_settle_cleanup_ends(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d);

#endif
