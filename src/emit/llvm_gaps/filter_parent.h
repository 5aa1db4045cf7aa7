/* emit/llvm_gaps/filter_parent.h: filters of a try that is never reached, at -O0 for windows-msvc.
 *
 * A filter finds the frame of its function by a label that LLVM writes with the function's table. Where a branch at a constant passes by all of
 * its pads, FastISel drops them, there is no table, and the assembler misses the label (LLVM 19.1.7 and 22.1.8). So such a
 * branch is at a variable.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_FILTER_PARENT_H
#define CIRC_EMIT_LLVM_GAPS_FILTER_PARENT_H

#include "base/diag.h"

#include <llvm-c/Types.h>

/* Before code is made at -O0: an optimizer drops the filter, too. Cost: blocks of functions with filters. False: no memory, which is reported. */
bool filter_parent_prepare(LLVMModuleRef module, Diags *d);

#endif
