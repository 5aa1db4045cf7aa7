/* Static initialisers: the arrays between these marks. .CRT$XI has C's, which may fail; .CRT$XC has C++'s,
 * and clang puts the constructors of globals into .CRT$XCU. */
#include "runtime/windows/crt.h"

CRT_ENTRY(".CRT$XIA") static CrtCheckedFunction *first_c[1];
CRT_ENTRY(".CRT$XIZ") static CrtCheckedFunction *last_c[1];
CRT_ENTRY(".CRT$XCA") static CrtFunction *first_cxx[1];
CRT_ENTRY(".CRT$XCZ") static CrtFunction *last_cxx[1];

bool crt_run_initializers(void)
{
	if (_initterm_e(first_c, last_c) != 0)
		return false;
	_initterm(first_cxx, last_cxx);
	return true;
}
