/* eh/wasm/wasm.h: frames of the chain, in functions of circ's runtime on WebAssembly.
 *
 *   needs    a module in the Itanium form; its functions of circ's runtime that land name its personality
 *   gives    the same, where those functions name the personality that LLVM knows, and circ.localescape and circ.localrecover are gone
 *   changes  functions of circ's runtime, and their filters; the module gets a table for each landing pad
 *   cost     ops + clauses
 *   errors   false: reported
 */
#ifndef CIRC_EH_WASM_WASM_H
#define CIRC_EH_WASM_WASM_H

#include "ir/module.h"
#include "target/target.h"

bool wasm_lower(IrModule *m, const AbiTarget *target, Diags *d);

#endif
