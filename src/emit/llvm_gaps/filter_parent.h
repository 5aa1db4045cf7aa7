/* emit/llvm_gaps/filter_parent.h: filters of a try that is never reached, at -O0 for windows-msvc.
 *
 * A filter finds the frame of its function by a label that LLVM writes with the function's table. Where LLVM finds that none of its pads
 * is reached (behind a call that does not return, a branch at a constant, a store to null), it drops them, there is no table, and the assembler
 * misses the label (LLVM 19.1.7 and 22.1.8). So such a function has one more pad.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_FILTER_PARENT_H
#define CIRC_EMIT_LLVM_GAPS_FILTER_PARENT_H

#include "base/diag.h"

#include <llvm-c/Types.h>

/* Before code is made at -O0: an optimizer drops the filter, too. Cost: instructions of functions with filters. False: no memory, which is reported. */
bool filter_parent_prepare(LLVMModuleRef module, Diags *d);

#endif
