/* The entry point of a DLL: initialisers before, destructors after its DllMain. */
#include "runtime/windows/crt.h"

int DllMain(void *module, DWORD reason, void *reserved);

int _DllMainCRTStartup(void *module, DWORD reason, void *reserved)
{
	if (reason == PROCESS_ATTACH) {
		crt_own_exit_table();
		if (!crt_run_initializers())
			return 0;
	}
	int ok = DllMain(module, reason, reserved);
	/* DllMain that refuses the process is told no more, but what was constructed is destroyed. */
	if (reason == PROCESS_DETACH || (reason == PROCESS_ATTACH && !ok))
		crt_run_exit_table();
	return ok;
}
