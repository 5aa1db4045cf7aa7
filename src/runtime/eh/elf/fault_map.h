/* runtime/eh/elf/fault_map.h: null checks that were folded into accesses (docs/checks.md). */
#ifndef CIRC_RUNTIME_EH_ELF_FAULT_MAP_H
#define CIRC_RUNTIME_EH_ELF_FAULT_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Of a program or library, whose objects each add the one map that they are parts of. */
void circeh_fault_maps_add(const void *begin, const void *end);

/* Is *pc such an access? Then *pc is where the thread goes on. Signal handlers ask. */
bool circ_fault_map_redirect(uintptr_t *pc);

#endif
