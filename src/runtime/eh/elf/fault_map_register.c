/* What constructors of programs and libraries call that have folded null checks. */
#include "runtime/eh/elf/fault_map.h"
#include "runtime/eh/exception.h"

void circ_fault_maps_register(const void *begin, const void *end)
{
	if (begin == end)
		return;
	circeh_fault_maps_add(begin, end);
	circ_faults_install();
}
