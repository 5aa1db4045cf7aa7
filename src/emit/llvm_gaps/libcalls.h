/* emit/llvm_gaps/libcalls.h: calls that LLVM's back end makes of an op, of functions that the target's libraries do not have.
 *
 * Which op becomes such a call depends on the features of the CPU and on what the optimizer leaves of it, so it is the
 * code that is looked at. On ELF there is nothing to look for: what LLVM calls there is in libc, libm, libatomic,
 * and libgcc or compiler-rt.
 *
 *   exempt   functions that the module declares: somebody has them
 *   errors   a CIRC_ERROR for each function whose code calls such a one, at that function (PLACE_FUNCTION)
 *   cost     on Windows alone: the names of the module's functions, and of the object's symbols
 *   threads  that of the module's context
 */
#ifndef CIRC_EMIT_LLVM_GAPS_LIBCALLS_H
#define CIRC_EMIT_LLVM_GAPS_LIBCALLS_H

#include "base/diag.h"
#include "emit/emit.h"

/* Before the optimizer, which drops declarations, and the code generator, which adds some. */
void libcalls_note_own(LLVMModuleRef module);
/* The code: an object, or assembly. */
void libcalls_check(LLVMModuleRef module, EmitFormat format, Str code, Diags *d);

#endif
