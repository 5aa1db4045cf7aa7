/* operator delete of code that was compiled for the Itanium C++ ABI: the program's own, by its name there. */
#include "runtime/windows/operator_new.h"

void _ZdlPv(void *p);

void _ZdlPv(void *p)
{
	operator_delete(p);
}
