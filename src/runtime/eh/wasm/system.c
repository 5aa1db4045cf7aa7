/* No address of code means anything to a program here. */
#include "runtime/eh/exception.h"

bool circeh_symbol(const void *address, char *out, size_t size)
{
	(void)address;
	(void)out;
	(void)size;
	return false;
}

bool circeh_place(const void *address, char *out, size_t size)
{
	return circeh_symbol(address, out, size);
}

bool circeh_find_place(uintptr_t address, CircehPlace *place)
{
	(void)address;
	(void)place;
	return false;
}
