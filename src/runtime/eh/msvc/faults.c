/* The system asks the tables of code about faults, too: there is nothing to install. */
#include "runtime/eh/exception.h"

bool circ_faults_install(void)
{
	return true;
}

bool circ_faults_thread(void)
{
	return true;
}

bool circ_faults_register(const void *begin, const void *end)
{
	(void)begin;
	(void)end;
	return true;
}

bool circ_faults_register_code(const void *begin, const void *end)
{
	return circ_faults_register(begin, end);
}

void circ_faults_unregister(const void *begin)
{
	(void)begin;
}
