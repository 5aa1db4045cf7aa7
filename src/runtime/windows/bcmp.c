/* What LLVM makes of memcmp() where only equality is asked for, in code that was compiled for Linux. */
#include "runtime/windows/crt.h"

int memcmp(const void *a, const void *b, size_t n);
int bcmp(const void *a, const void *b, size_t n);

int bcmp(const void *a, const void *b, size_t n)
{
	return memcmp(a, b, n);
}
