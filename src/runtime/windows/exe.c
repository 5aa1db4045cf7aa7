/* What happens around main. A fault (an access violation, a division by zero) becomes the signal of C that it
 * stands for, when the program handles that; a C++ exception is left to those who look for it. */
#include "runtime/windows/crt.h"

enum { NOT_STARTED = 255 }; /* exit status, as of Microsoft's */

int crt_run_program(int (*call_main)(void))
{
	_set_app_type(APP_CONSOLE);
	crt_filter_unhandled();
	__try {
		if (!crt_run_initializers())
			return NOT_STARTED;
		exit(call_main());
	} __except (_seh_filter_exe((DWORD)_exception_code(), _exception_info())) {
		_exit((int)_exception_code());
	}
}
