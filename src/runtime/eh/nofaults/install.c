/* Where a fault is never an exception: without tables, since no frame is set up around an instruction that is no call. */
#include "runtime/eh/exception.h"

bool circ_faults_install(void)
{
	return false;
}

bool circ_faults_thread(void)
{
	return false;
}
