/* expand/expand.h: structured ops that stand for a protocol with the C++ runtime,
 * written out in other structured ops.
 *
 *   cir.global … ctor {…} dtor {…}   functions that run before main and at exit (cir-reference 4.3)
 *   cir.cxx_module_…                 the initializers of C++20 modules (attributes of the module)
 *   cir.local_init                   an initializer behind a guard; cir.register_exit_dtor   (5.5)
 *   tls_refs                         the wrapper and init functions of thread-local globals
 *   cir.dyn_cast                     __dynamic_cast and its like (5.1)
 *
 *   needs    a module that passed ir_verify at STAGE_STRUCTURED
 *   gives    the same without the above; to be flattened
 *   cost     linear in the size of the module
 *   errors   false: reported (no such runtime on the target; names of the runtime that are taken); the
 *            module may then be only destroyed
 */
#ifndef CIRC_EXPAND_EXPAND_H
#define CIRC_EXPAND_EXPAND_H

#include "ir/module.h"
#include "target/target.h"

/* target NULL: one that circ does not know; an error if there is anything to expand. */
bool expand_module(IrModule *m, const AbiTarget *target, Diags *d);

#endif
