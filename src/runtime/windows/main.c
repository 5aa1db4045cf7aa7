/* The entry point of a program with main(). */
#include "runtime/windows/crt.h"

int main(int argc, char **argv, char **environment);

static int call_main(void)
{
	return main(*__p___argc(), *__p___argv(), _get_initial_narrow_environment());
}

int mainCRTStartup(void)
{
	if (_configure_narrow_argv(ARGV_UNEXPANDED) != 0 || _initialize_narrow_environment() != 0)
		_exit(255);
	return crt_run_program(call_main);
}
