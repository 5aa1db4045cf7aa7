/* operator delete with a size of code that was compiled for the Itanium C++ ABI: the program's own, by its name there. */
#include "runtime/windows/operator_new.h"

void _ZdlPvm(void *p, size_t size);

void _ZdlPvm(void *p, size_t size)
{
	operator_delete_sized(p, size);
}
