/* emit/llvm_gaps/block.h: blocks and functions of LLVM IR that are changed after the optimizer. */
#ifndef CIRC_EMIT_LLVM_GAPS_BLOCK_H
#define CIRC_EMIT_LLVM_GAPS_BLOCK_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/ptrmap.h"
#include "base/vec.h"

#include <llvm-c/Types.h>

LLVMValueRef gap_first_non_phi(LLVMBasicBlockRef b);

/* A new block before `on`, which takes its edges and phis. It has no terminator yet; the builder is at its end. */
LLVMBasicBlockRef gap_block_before(LLVMBuilderRef builder, LLVMBasicBlockRef on);

/* v, a pointer or an integer of at most a word, as the result of an empty assembly: LLVM knows nothing of it. */
LLVMValueRef gap_take_through(LLVMBuilderRef b, LLVMValueRef v);

bool gap_has_personality(LLVMValueRef function, const char *name);

/* What functions are changed with. The memory is there until the last one is done. */
typedef struct GapWork {
	LLVMValueRef function;
	LLVMBuilderRef builder;
	Arena mem;
	uint64_t changes; /* in the module, where they are numbered */
} GapWork;

/* The value, for a branch: unlike a constant it keeps the other edge. */
LLVMValueRef gap_build_bool(GapWork *work, LLVMValueRef branch, bool value);

/* A walk over blocks that visits each once. */
typedef struct GapWalk {
	PtrMap seen;
	VEC(LLVMBasicBlockRef) left; /* to be visited */
} GapWalk;

void gap_walk_to(GapWork *work, GapWalk *walk, LLVMBasicBlockRef b);

/* Each function that is wanted. False: no memory, which is reported. */
bool gap_change_functions(LLVMModuleRef module, bool (*is_wanted)(LLVMValueRef function),
                          void (*change)(GapWork *work), Diags *d);

#endif
