/* A page that may not be touched is, and a filter repairs it: pages.c and pages.cir have the same function. */
#ifndef PAGES_H
#define PAGES_H

enum { PAGE_NOACCESS = 1, PAGE_READWRITE = 4, PAGE_GUARD = 0x100, PAGE = 4096 };
#define ACCESS_VIOLATION     0xc0000005
#define GUARD_PAGE_VIOLATION 0x80000001

int VirtualProtect(void *address, unsigned long long size, unsigned protection, unsigned *former);

/* Protects the page, writes to it, and says how often a filter repaired it. */
int repaired(int *page, int times, unsigned protection);

void touch(int *page); /* main.c: adds 1 to the first number */

#endif
