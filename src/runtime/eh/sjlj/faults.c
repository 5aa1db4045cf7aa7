/* Tables of where code may fault: there is none that needs them. */
#include "runtime/eh/exception.h"

bool circ_faults_register(const void *begin, const void *end)
{
	(void)begin;
	(void)end;
	return false;
}

bool circ_faults_register_code(const void *begin, const void *end)
{
	return circ_faults_register(begin, end);
}

void circ_faults_unregister(const void *begin)
{
	(void)begin;
}

void circ_fault_maps_register(const void *begin, const void *end)
{
	(void)begin;
	(void)end;
}

void circ_fault_maps_unregister(const void *begin)
{
	(void)begin;
}
