/* call/callconv.h: source-level signatures to those of the target's calling convention
 * (cir-reference 2.7, regime 2).
 *
 *   needs    a module that passed ir_verify at STAGE_ITANIUM or STAGE_MICROSOFT, for `target`
 *   gives    a module of the same stage, in which parameters and results are scalars, pointers with llvm.sret
 *            and llvm.byval, and records that stand for a pair of registers. Function types elsewhere (of
 *            pointers in memory) stay as they are: pointers are cast where they are called
 *   changes  functions, calls, returns, and what makes or takes the values that go through them. What
 *            is lowered already stays as it is: small integers are not widened in a module that
 *            widens or lowers any itself, unless records stand beside them, and a module that this pass changed says so
 *            (`circ.calls_lowered`) and is not changed again
 *   cost     ops + operands
 *   errors   false: reported (a guaranteed tail call that cannot be kept); the module may
 *            then be only destroyed
 */
#ifndef CIRC_CALL_CALLCONV_H
#define CIRC_CALL_CALLCONV_H

#include "ir/module.h"
#include "target/target.h"

/* features: LLVM's list for the target machine ("+avx2,…"), or NULL: vectors wider than
 * 16 bytes depend on it. */
bool abi_lower_calls(IrModule *m, const AbiTarget *target, const char *features, Diags *d);
/* Does the module say that this pass changed it? */
bool abi_calls_are_lowered(const IrModule *m);

#endif
