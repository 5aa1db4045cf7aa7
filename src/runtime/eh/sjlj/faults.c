/* A fault is at an instruction around which no frame was set up: without tables it is never an exception. */
#include "runtime/eh/exception.h"

bool circ_faults_install(void)
{
	return false;
}

bool circ_faults_thread(void)
{
	return false;
}
