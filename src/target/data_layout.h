/* target/data_layout.h: what a module says of its target that no target here is like.
 *
 *   errors   false: reported. Pointers of another width than the target's;
 *            another C++ ABI than that of the module's own triple (-fc++-abi)
 */
#ifndef CIRC_TARGET_DATA_LAYOUT_H
#define CIRC_TARGET_DATA_LAYOUT_H

#include "ir/module.h"

bool abi_check_layout(IrModule *m, Diags *d);

#endif
