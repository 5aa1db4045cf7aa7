/* emit/fault_maps.h: null checks that are folded into accesses (lower/null_check.c): LLVM is made to do it, and its map of them is given a name
 * that linkers define the bounds of.
 *
 * LLVM's option is one of the process. It does nothing to modules without !make.implicit, so it is set once, when the first
 * module asks for it.
 */
#ifndef CIRC_EMIT_FAULT_MAPS_H
#define CIRC_EMIT_FAULT_MAPS_H

#include "base/base.h"

#include <llvm-c/Types.h>

/* Before code is made of a module. */
void fault_maps_prepare(LLVMModuleRef module);

/* An object (ELF) or assembly, changed where it is. Of what has no such map nothing is. */
void fault_maps_name(char *bytes, size_t len, bool is_object);

#endif
