#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: internal error: '%s' does not hold\n", file, line, condition);
	errno = 0; /* the command takes an abort with ENOMEM for LLVM's want of memory */
	abort();
}
