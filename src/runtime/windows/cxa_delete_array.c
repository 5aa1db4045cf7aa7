/* operator delete[] of code that was compiled for the Itanium C++ ABI: the program's own, by its name there. */
#include "runtime/windows/operator_new.h"

void _ZdaPv(void *p);

void _ZdaPv(void *p)
{
	operator_delete_array(p);
}
