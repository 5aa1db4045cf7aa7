/* emit/llvm_gaps/refusal.h: which assembly it is that LLVM refuses while it makes code.
 *
 * Assembly is text for LLVM alone, and is read when the rest of the code is made. LLVM then says what is
 * wrong, but not where; what the lowering wrote down tells (emit/source_place.h).
 *
 * Ownership  a Refusals borrows the module and the Diags, from refusals_begin() to refusals_end().
 * Threads    that of the module's context.
 */
#ifndef CIRC_EMIT_LLVM_GAPS_REFUSAL_H
#define CIRC_EMIT_LLVM_GAPS_REFUSAL_H

#include "base/diag.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef struct Refusals {
	LLVMModuleRef module;
	Diags *d;
	LLVMDiagnosticHandler former;
	void *former_user;
	char *messages[DIAG_LIMIT]; /* LLVM's; NULL: told already */
	unsigned n, lost;           /* lost: those that there was no room for */
} Refusals;

/* LLVM's errors are kept from here on, */
void refusals_begin(Refusals *r, LLVMModuleRef module, Diags *d);
/* and reported here: at the assembly (CIRC_ERROR), else without a place (CIRC_FAILURE). The
 * module may be what code was made of. */
void refusals_end(Refusals *r, LLVMTargetMachineRef machine);

#endif
