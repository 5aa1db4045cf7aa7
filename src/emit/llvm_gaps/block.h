/* emit/llvm_gaps/block.h: blocks of LLVM IR that are changed after the optimizer. */
#ifndef CIRC_EMIT_LLVM_GAPS_BLOCK_H
#define CIRC_EMIT_LLVM_GAPS_BLOCK_H

#include <llvm-c/Types.h>

LLVMValueRef gap_first_non_phi(LLVMBasicBlockRef b);

/* A new block before `on`, which takes its edges and phis. It has no terminator yet; the builder is at its end. */
LLVMBasicBlockRef gap_block_before(LLVMBuilderRef builder, LLVMBasicBlockRef on);

#endif
