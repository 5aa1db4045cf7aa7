/* eh/over_aligned.h: variables of more than the stack's alignment in functions whose filters see variables.
 *
 * LLVM gives a function with such a variable a second frame pointer, which llvm.localrecover does not know: filters would
 * see other places, silently (llvm-project PR 222133). So these variables are bytes of which the aligned ones are taken, in the function
 * and in its filters, and LLVM is told not to realign the stack (lower/op_eh.c).
 *
 *   needs    the Itanium or Microsoft form
 *   changes  functions with circ.localescape, and the filters that name them
 *   cost     ops
 */
#ifndef CIRC_EH_OVER_ALIGNED_H
#define CIRC_EH_OVER_ALIGNED_H

#include "ir/module.h"

void over_aligned_lower(IrModule *m);

#endif
