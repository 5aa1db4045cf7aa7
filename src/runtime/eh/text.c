/* Texts made without memory. */
#include "runtime/eh/exception.h"

char *circeh_hex(uintptr_t value, char digits[2 * sizeof(uintptr_t) + 3])
{
	char *at = digits + 2 * sizeof value + 2;
	*at = '\0';
	do
		*--at = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	*--at = 'x';
	*--at = '0';
	return at;
}

bool circeh_join(char *out, size_t size, const char *first, const char *second)
{
	size_t n = 0;
	if (size == 0)
		return false;
	while (*first && n + 1 < size)
		out[n++] = *first++;
	while (*second && n + 1 < size)
		out[n++] = *second++;
	out[n] = '\0';
	return true;
}
