/* No address of code means anything to a program here. */
#include "runtime/eh/exception.h"

#include <unistd.h>

void circeh_write(const char *text, size_t n)
{
	while (n > 0) {
		ssize_t written = write(STDERR_FILENO, text, n);
		if (written <= 0)
			return;
		text += written;
		n -= (size_t)written;
	}
}

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
