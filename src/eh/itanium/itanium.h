/* eh/itanium/itanium.h: flat CIR to the Itanium form (cir-reference 5.14 "Flat → Itanium"; design.md section 5).
 *
 *   needs    a module that passed ir_verify at STAGE_FLAT, or at STAGE_ITANIUM: then
 *            personalities and such zeros alone are left to do
 *   gives    a module that passes ir_verify at STAGE_ITANIUM
 *   changes  every function that initiates, throws or catches, or has ELF's personality on MinGW; zeros that hold
 *            pointers to data members;
 *            declares the runtime functions it calls
 *   cost     ops + edges + clauses written
 *   errors   false: reported (a type-info symbol that is not in the module, …); the module
 *            may then be only destroyed
 */
#ifndef CIRC_EH_ITANIUM_ITANIUM_H
#define CIRC_EH_ITANIUM_ITANIUM_H

#include "ir/module.h"

bool abi_lower_itanium(IrModule *m, Diags *d);

#endif
