/* emit/llvm_gaps/pad_phi.h: a way round a mistake of LLVM in functions with funclets.
 *
 * WinEHPrepare (seen in LLVM 19.1.7 and 22.1.8) makes memory of the phis on pads. A catchswitch ends its
 * block, so that a phi beside it is reloaded before each use; but a use by a phi of another pad is left for
 * later, and what then is stored for that one may still be the first phi, which meanwhile has become poison.
 * clang's own objects have wrong values for it, from -O1 on.
 *
 * So no phi of a catchswitch may go into the phi of a pad as it is: a freeze stands
 * between them, which is an ordinary use.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_PAD_PHI_H
#define CIRC_EMIT_LLVM_GAPS_PAD_PHI_H

#include <llvm-c/Core.h>

/* After the last pass that might undo it, before the code generator. Cost: operands of the phis on pads. */
void emit_break_pad_phis(LLVMModuleRef module);

#endif
