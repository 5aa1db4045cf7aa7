/* flatten/flatten.h: structured CIR to flat CIR (cir-reference 5.14 "Structured → flat"; the
 * design document's "CFG Flattening").
 *
 *   needs    a module that passed ir_verify at STAGE_STRUCTURED, and expand_module()
 *   gives    a module that passes ir_verify at STAGE_FLAT: no op has a region but cir.func
 *   cost     linear in the size of the output; an explicit stack, so nesting costs no C stack
 *   errors   false: reported (a goto into a cleanup scope or around a definition, cleanup regions
 *            nested beyond CLEANUP_NESTING_MAX); the module may then be only destroyed
 */
#ifndef CIRC_FLATTEN_FLATTEN_H
#define CIRC_FLATTEN_FLATTEN_H

#include "ir/module.h"

/* A cleanup region is copied for the unwinding path, with the regions inside it: depth d costs 2^d copies. */
enum { CLEANUP_NESTING_MAX = 12 };

bool flatten_module(IrModule *m, Diags *d);

#endif
