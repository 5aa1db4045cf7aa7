/* operator new of code that was compiled for the Itanium C++ ABI: the program's own, by its name there. */
#include "runtime/windows/operator_new.h"

void *_Znwm(size_t size);

void *_Znwm(size_t size)
{
	return operator_new(size);
}
