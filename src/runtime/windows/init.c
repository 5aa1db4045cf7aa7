/* Static initialisers: the arrays between these marks. .CRT$XI has C's, which may fail; .CRT$XC has C++'s,
 * and clang puts the constructors of globals into .CRT$XCU. What LLVM's list of functions to run at the end becomes is in .CRT$XT, in
 * ascending order of priority: LLVM's reference wants the highest first. */
#include "runtime/windows/crt.h"

CRT_ENTRY(".CRT$XIA") static CrtCheckedFunction *first_c[1];
CRT_ENTRY(".CRT$XIZ") static CrtCheckedFunction *last_c[1];
CRT_ENTRY(".CRT$XCA") static CrtFunction *first_cxx[1];
CRT_ENTRY(".CRT$XCZ") static CrtFunction *last_cxx[1];
CRT_ENTRY(".CRT$XTA") static CrtFunction *first_at_end[1];
CRT_ENTRY(".CRT$XTZ") static CrtFunction *last_at_end[1];

static void run_at_end(void)
{
	for (uintptr_t at = (uintptr_t)last_at_end; at > (uintptr_t)first_at_end; at -= sizeof *last_at_end) {
		CrtFunction *f = *(CrtFunction **)at;
		if (f)
			f();
	}
}

bool crt_run_initializers(void)
{
	if (_initterm_e(first_c, last_c) != 0)
		return false;
	/* Behind what others register, which is later. */
	bool listed = (uintptr_t)last_at_end - (uintptr_t)first_at_end > sizeof *first_at_end;
	if (listed && atexit(run_at_end) != 0)
		return false;
	_initterm(first_cxx, last_cxx);
	return true;
}
