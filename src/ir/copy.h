/* ir/copy.h: a module of its own that is like another one.
 *
 * Ownership  the copy shares nothing with the original, which is only read and may be destroyed.
 * Order      names, types, attributes, ops and their ids: both modules give the same bytes.
 * Cost       all that the module holds.
 */
#ifndef CIRC_IR_COPY_H
#define CIRC_IR_COPY_H

#include "ir/module.h"

/* To a module that ir_module_create() just made; exhausted memory goes to its guard. */
void ir_module_copy(const IrModule *from, IrModule *to);

#endif
