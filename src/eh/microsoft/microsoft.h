/* eh/microsoft/microsoft.h: flat CIR to the Microsoft form (cir-reference 5.14 "Flat →
 * Microsoft"; design.md sections 5 and 6).
 *
 *   needs    a module that passed ir_verify at STAGE_FLAT
 *   gives    a module that passes ir_verify at STAGE_MICROSOFT
 *   changes  every function that initiates, throws or catches; every reference to an Itanium type info, which
 *            goes (msvc/rtti.h); adds functions for cleanups that handle exceptions themselves, type
 *            descriptors and tables for throwing; declares the runtime functions it calls
 *   cost     ops + edges + what must be copied because several pads own it
 *   errors   false: reported (an exception specification, a type without a Microsoft name, pads with two
 *            exits, …); the module may then be only destroyed
 */
#ifndef CIRC_EH_MICROSOFT_MICROSOFT_H
#define CIRC_EH_MICROSOFT_MICROSOFT_H

#include "base/vec.h"
#include "ir/module.h"

bool abi_lower_microsoft(IrModule *m, Diags *d);

/* The pads of all functions with a body, as text. Changes the module as the first half of the lowering does.
 * False: reported; `out` holds those before. */
bool abi_microsoft_dump_module(IrModule *m, Diags *d, Arena *mem, StrBuf *out);

#endif
