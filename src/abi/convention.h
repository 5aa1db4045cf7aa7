/* abi/convention.h: what is left to do between the form of exceptions and LLVM: values and calls as the target's calling
 * convention has them. The passes stand here in their order, for the command, the library and the fuzzer.
 *
 *   needs    a verified module of the Itanium or the Microsoft form
 *   gives    one of the same form, as abi/callconv.h has it
 *   errors   false: reported; the module may then be only destroyed
 */
#ifndef CIRC_ABI_CONVENTION_H
#define CIRC_ABI_CONVENTION_H

#include "abi/target.h"
#include "ir/module.h"

/* Told of each pass that is done; false ends the work. */
typedef bool AbiPassed(void *user, const char *pass);

/* features: LLVM's list for the target machine, or NULL. passed: NULL: nobody is told. */
bool abi_lower_convention(IrModule *m, const AbiTarget *target, const char *features, Diags *d,
                          AbiPassed *passed, void *user);

#endif
