/* abi/layout.h: what a module's data layouts say of pointers.
 *
 *   errors   false: reported. Pointers that are not 64 bits wide, for which sizes and offsets are made, whatever the target is
 */
#ifndef CIRC_ABI_LAYOUT_H
#define CIRC_ABI_LAYOUT_H

#include "ir/module.h"

bool abi_check_layout(IrModule *m, Diags *d);

#endif
