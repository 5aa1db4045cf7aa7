/* abi/guard.h: calls that must not let an exception out: they unwind to the block that terminates. */
#ifndef CIRC_ABI_GUARD_H
#define CIRC_ABI_GUARD_H

#include "abi/landingpad.h"

/* Builds `call` as a try_call in place of `at`: its block ends there, and what follows goes on in a new block, `at` first. */
IrOp *guard_build_call(LandingPads *l, IrOp *at, IrOpSpec call);

/* Guards what may throw in the cleanups of the function; it is still flat CIR then. */
void guard_cleanups(LandingPads *l);

#endif
