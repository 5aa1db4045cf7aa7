/* emit/llvm_gaps/landing_phi.h: phis of landing pads at -O0.
 *
 * RegAllocFast brings a pad's phis into registers before what is in the exception's registers has been copied. On AArch64 the twelfth phi takes one of
 * these, and has the exception's selector for its value (LLVM 19.1.7 and 22.1.8; LLVM's issue 216477).
 * So the phis of landing pads become slots.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_LANDING_PHI_H
#define CIRC_EMIT_LLVM_GAPS_LANDING_PHI_H

#include "base/diag.h"

#include <llvm-c/Types.h>

/* Before code is made at -O0. False: no memory, which is reported. */
bool landing_phi_prepare(LLVMModuleRef module, Diags *d);

#endif
