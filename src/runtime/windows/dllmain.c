/* For DLLs without a DllMain of their own. */
#include "runtime/windows/crt.h"

int DllMain(void *module, DWORD reason, void *reserved);

int DllMain(void *module, DWORD reason, void *reserved)
{
	(void)module;
	(void)reason;
	(void)reserved;
	return 1;
}
