/* emit/llvm_gaps/scope_ranges.h: what faults between two invokes of one try, for windows-msvc.
 *
 * LLVM's scope tables (EHStreamer.cpp, InvokeStateChangeIterator; seen in LLVM 19.1.7 and 22.1.8) have one range for
 * all invokes with one unwind destination which follow one another in the code, and no call that may unwind stands
 * between. Blocks that stand between, but are not in the try, are in the range then: a load there that faults is shown
 * to the filters of that try.
 *
 * In functions marked circ.may_fault (the attribute SCOPE_RANGES, lower/may_fault.c) each such block gets an invoke
 * before it, of a `nop`, which unwinds to a cleanup that does nothing. Ranges end there. In other functions only
 * blocks with an operation of `cir.try async` whose exception leaves the function do: cleanups that are functions of
 * their own have them. That is inline assembly, and no call to LLVM.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_SCOPE_RANGES_H
#define CIRC_EMIT_LLVM_GAPS_SCOPE_RANGES_H

#include "base/diag.h"

#include <llvm-c/Types.h>

#define SCOPE_RANGES "circ-may-fault"

/* After the last pass of the optimiser, before the code generator. Blocks of funclets stay as they are.
 * Cost: functions, and the instructions of those with that personality. False: no memory, which is reported. */
bool emit_end_scope_ranges(LLVMModuleRef module, Diags *d);

#endif
