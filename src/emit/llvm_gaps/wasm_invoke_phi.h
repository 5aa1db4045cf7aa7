/* emit/llvm_gaps/wasm_invoke_phi.h: what is computed in front of an invoke is moved behind the call where a phi of its normal edge takes it, though its
 * landing pad takes it, too (LLVM's WebAssemblyRegStackify): the pad reads an old value.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_WASM_INVOKE_PHI_H
#define CIRC_EMIT_LLVM_GAPS_WASM_INVOKE_PHI_H

#include <llvm-c/Types.h>

/* Such phis take their values from blocks of their own. */
void wasm_split_invoke_phis(LLVMModuleRef module);

#endif
