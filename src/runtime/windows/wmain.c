/* The entry point of a program with wmain(). */
#include "runtime/windows/crt.h"

int wmain(int argc, wchar_t **argv, wchar_t **environment);

static int call_main(void)
{
	return wmain(*__p___argc(), *__p___wargv(), _get_initial_wide_environment());
}

int wmainCRTStartup(void)
{
	if (_configure_wide_argv(ARGV_UNEXPANDED) != 0 || _initialize_wide_environment() != 0)
		_exit(255);
	return crt_run_program(call_main);
}
