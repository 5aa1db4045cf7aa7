// A filter changes registers, and execution goes on behind the load that faulted, as if it had read 77.
// There are EXCEPTION_POINTERS on windows-msvc alone.
// only: msvc
// trace: 77 1 returns 3
#include "seh.h"

enum { RAX = 0x78, RIP = 0xf8 }; /* in CONTEXT */

typedef struct Pointers {
	void *record;
	char *context;
} Pointers;

static int skip(const Pointers *pointers)
{
	*(long long *)(pointers->context + RAX) = 77;
	*(long long *)(pointers->context + RIP) += 2;
	return -1;
}

int context_changed(void)
{
	__try {
		say(load_from(8));
		say(1);
	} __except (skip((Pointers *)GetExceptionInformation())) {
		say(2);
	}
	return 3;
}
