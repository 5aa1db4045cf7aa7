/* Thread-local variables with constructors: each thread runs the array .CRT$XD once, when it begins, or when
 * it first uses one of them, if it began before this module was loaded. */
#include "runtime/windows/crt.h"

extern _Thread_local bool __tls_guard;
void __dyn_tls_on_demand_init(void);
void __dyn_tls_init(void *module, DWORD reason,
                    void *reserved); /* objects with such variables ask for it by this name */

_Thread_local bool __tls_guard; /* has this thread run them? clang's code looks before each use */

CRT_ENTRY(".CRT$XDA") static CrtFunction *first[1];
CRT_ENTRY(".CRT$XDZ") static CrtFunction *last[1];

void __dyn_tls_on_demand_init(void)
{
	if (__tls_guard)
		return;
	__tls_guard = true;
	_initterm(first, last);
}

void __dyn_tls_init(void *module, DWORD reason, void *reserved)
{
	(void)module;
	(void)reserved;
	if (reason == PROCESS_ATTACH || reason == THREAD_ATTACH)
		__dyn_tls_on_demand_init();
}

CRT_ENTRY(".CRT$XLC") static TlsCallback *const callback[1] = {__dyn_tls_init};
