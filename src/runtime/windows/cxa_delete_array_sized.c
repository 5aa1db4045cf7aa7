/* operator delete[] with a size of code that was compiled for the Itanium C++ ABI: the program's own, by its name there. */
#include "runtime/windows/operator_new.h"

void _ZdaPvm(void *p, size_t size);

void _ZdaPvm(void *p, size_t size)
{
	operator_delete_array_sized(p, size);
}
