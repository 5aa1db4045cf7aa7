/* eh/destructor.h: destructors of thrown objects where those of C++ give the object back (AbiMachine.returns_this): a machine that checks the types of
 * functions that are called by their address wants each runtime's own.
 */
#ifndef CIRC_EH_DESTRUCTOR_H
#define CIRC_EH_DESTRUCTOR_H

#include "eh/cxa.h"

/* What is handed to the runtime for the function of that name: itself, or an internal function that calls it. */
Name *destructor_for_runtime(Cxa *c, Name *destructor, Loc loc);

#endif
