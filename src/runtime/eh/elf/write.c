/* Where there is write(): ELF, and WASI. */
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
