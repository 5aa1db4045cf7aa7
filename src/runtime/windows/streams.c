/* The streams of C as variables, as glibc's headers have them; Microsoft's are results of a function. */
#include "runtime/windows/crt.h"

extern FILE *stdin, *stdout, *stderr;

FILE *stdin, *stdout, *stderr;

static int set_streams(void)
{
	stdin = __acrt_iob_func(0);
	stdout = __acrt_iob_func(1);
	stderr = __acrt_iob_func(2);
	return 0;
}

CRT_ENTRY(".CRT$XIB") static CrtCheckedFunction *const initializer[1] = {set_streams}; /* before any of C++ */
