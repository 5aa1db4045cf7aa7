/* eh/itanium/cleanup_guard.h: calls that must not let an exception out: they unwind to the block that terminates. */
#ifndef CIRC_EH_ITANIUM_CLEANUP_GUARD_H
#define CIRC_EH_ITANIUM_CLEANUP_GUARD_H

#include "eh/itanium/landingpad.h"

/* Builds a call or throw as the try_call or try_throw that ends the block of b; b and what
 * stands behind it go on in a new one. */
IrOp *guard_build_call(LandingPads *l, IrBuilder *b, IrOpSpec call);

/* Guards what may throw in the cleanups of the function; it is still flat CIR then. */
void guard_cleanups(LandingPads *l);

#endif
