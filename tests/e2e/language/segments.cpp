#include "language.h"

extern "C" {
uint64_t by_fs();
uint64_t by_gs();
}

#ifdef _WIN32
static const unsigned at = 48;
static uint64_t block() { return by_gs(); }
#else
static const unsigned at = 0;
static uint64_t block() { return by_fs(); }
#endif

int main()
{
	uint64_t address = block();
	show("itself", *reinterpret_cast<uint64_t *>(address + at) == address);
	return 0;
}

#ifdef TWIN
uint64_t by_fs()
{
	uint64_t value;
	asm volatile("movq %%fs:0, %0" : "=r"(value));
	return value;
}
uint64_t by_gs()
{
	uint64_t value;
	asm volatile("movq %%gs:48, %0" : "=r"(value));
	return value;
}
#endif
