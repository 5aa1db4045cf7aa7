/* call/va_arg.h: cir.va_arg, written out for the target's calling convention (cir-reference 5.16).
 *
 *   needs    a verified module without regions: flat, or further
 *   gives    one of the same stage without cir.va_arg
 *   cost     ops
 */
#ifndef CIRC_CALL_VA_ARG_H
#define CIRC_CALL_VA_ARG_H

#include "ir/module.h"
#include "target/target.h"

/* features: LLVM's list for the target machine, or NULL. */
void abi_lower_va_args(IrModule *m, const AbiTarget *target, const char *features);

#endif
