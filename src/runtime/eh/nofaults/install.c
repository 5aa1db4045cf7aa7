/* Where a fault is never an exception: without tables, since no frame is set up around an instruction that is no call, and on processors
 * that elf/signals.c does not know. */
#include "runtime/eh/exception.h"

bool circ_faults_install(void)
{
	return false;
}

bool circ_faults_thread(void)
{
	return false;
}
