#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: internal error: '%s' does not hold\n", file, line, condition);
	errno = EDOM; /* the command takes another abort without memory for LLVM's want of it */
	abort();
}
