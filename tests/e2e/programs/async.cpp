#include "e2e.h"

extern "C" bool circ_faults_install(void);

#include <cstdlib>

#ifdef _WIN32
extern "C" __declspec(dllimport) void *VirtualAlloc(void *at, size_t size, unsigned long type, unsigned long protect);
static void *memory(int access)
{
	enum { COMMIT_RESERVE = 0x3000, NOACCESS = 1, READONLY = 2, READWRITE = 4 };
	return VirtualAlloc(nullptr, 4096, COMMIT_RESERVE, access == 0 ? NOACCESS : access == 1 ? READONLY : READWRITE);
}
#else
#include <sys/mman.h>
static void *memory(int access)
{
	int protect = access == 0 ? PROT_NONE : access == 1 ? PROT_READ : PROT_READ | PROT_WRITE;
	return mmap(nullptr, 4096, protect, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
#endif

extern "C" void *no_access()
{
	return memory(0);
}

extern "C" void *read_only()
{
	return memory(1);
}

extern "C" void *some_access()
{
	return memory(2);
}

extern "C" void install()
{
	if (!circ_faults_install())
		abort();
}
