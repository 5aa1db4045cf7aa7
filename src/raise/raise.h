/* raise/raise.h: LLVM IR to CIR in the Itanium form, one to one: the inverse of lower/lower.h.
 *
 *   needs      raise_module(): a module that LLVM verifies; raise_bytes(): anything
 *   ownership  what is given stays the caller's, and nothing of the IrModule points into it
 *   errors     false: reported, by the function and the instruction where there is one. The IrModule may only be
 *              destroyed then. What is lost without a change of meaning is told by one remark
 *   memory     that runs out goes to the guard of the IrModule; LLVM's own ends the process
 *   threads    modules of different contexts may be raised at once
 */
#ifndef CIRC_RAISE_RAISE_H
#define CIRC_RAISE_RAISE_H

#include "ir/module.h"

#include <llvm-c/Types.h>

/* An empty module becomes what `module` says. name: of the input, for messages. */
bool raise_module(IrModule *m, LLVMModuleRef module, const char *name, Diags *d);

/* The same, which LLVM verifies first. */
bool raise_checked(IrModule *m, LLVMModuleRef module, const char *name, Diags *d);

/* The same of bitcode or text in memory. With a table of exceptions (IrModule.eh_table) LLVM makes it ready to be lifted. */
bool raise_bytes(IrModule *m, Str bytes, const char *name, Diags *d);

/* Is it bitcode, also in the wrapper that Apple's linkers know? */
bool raise_is_bitcode(Str bytes);

#endif
