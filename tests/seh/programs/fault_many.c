// A thousand faults, one after the other. Faults are the system's exceptions on windows-msvc alone.
// only: msvc
// trace: returns 1000
#include "seh.h"

int fault_many(void)
{
	int i, n = 0;
	for (i = 0; i < 1000; i = i + 1) {
		__try {
			n = n + divide(1, 0);
		} __except (GetExceptionCode() == 0xc0000094) {
			n = n + 1;
		}
	}
	return n;
}
