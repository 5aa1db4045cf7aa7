/* emit/llvm_gaps/recovered_address.h: addresses that are computed from variables of another function's frame.
 *
 * `lea variable(%frame,%index)` loses the variable where the frame is in RBP or R13 (X86FixupLEAs, for CPUs with slow LEAs of three
 * operands; LLVM 19.1.7 and 22.1.8, mended in 23 by its pull request 200705). So arithmetic is kept out of the instruction that makes the variable's
 * address: it goes through an empty assembly first.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_RECOVERED_ADDRESS_H
#define CIRC_EMIT_LLVM_GAPS_RECOVERED_ADDRESS_H

#include <llvm-c/Types.h>

/* Behind the optimizer; X86FixupLEAs does not run at -O0. Results of llvm.localrecover and llvm.eh.recoverfp that more is done with than to load and store. */
void recovered_address_prepare(LLVMModuleRef module);

#endif
