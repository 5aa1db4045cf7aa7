/* eh/microsoft/outline.h: cleanups that handle exceptions of their own, be it to terminate, become functions of
 * their own, which the cleanup calls: Microsoft's tables cannot nest a pad in a cleanup (LLVM accepts
 * one, and leaves it out of the tables). So do those that allocate a variable size on the stack.
 *
 *   needs    flat CIR that passed ir_verify and funclet_prepare.c
 *   gives    flat CIR in which no pad begins inside of a cleanup
 *   changes  the function; adds functions behind it at the end of the module, which are
 *            flat CIR too and may need the same
 *   cost     ops
 *   errors   false: reported (an op that belongs to the frame of its function)
 */
#ifndef CIRC_EH_MICROSOFT_OUTLINE_H
#define CIRC_EH_MICROSOFT_OUTLINE_H

#include "ir/module.h"

bool outline_cleanups(IrModule *m, IrOp *func, Arena *mem, Diags *d);

#endif
