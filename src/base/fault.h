/* base/fault.h: where allocations fail on purpose.
 *
 * The allocators of base/ ask fault_strikes() before each object. tests/faults/allocation.c compiles them
 * with CIRC_FAULTS, and has its own fault_strikes(); everywhere else nothing is asked.
 */
#ifndef CIRC_BASE_FAULT_H
#define CIRC_BASE_FAULT_H

#include <stdbool.h>

#ifdef CIRC_FAULTS
enum { FAULTS = 1 };
bool fault_strikes(void);
#else
enum { FAULTS = 0 };
static inline bool fault_strikes(void)
{
	return false;
}
#endif

#endif
