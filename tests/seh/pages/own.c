/* The access is in the function of the __try. */
#include "pages.h"

int repaired(int *page, int times, unsigned protection)
{
	unsigned former;
	int n = 0;
	for (int i = 0; i < times; i++) {
		VirtualProtect(page, PAGE, protection, &former);
		__try {
			*page += 1;
		} __except (n++, VirtualProtect(page, PAGE, PAGE_READWRITE, &former), -1) {
			return -1;
		}
	}
	return n;
}
