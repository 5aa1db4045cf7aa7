/* main.exe TIMES THREADS: each thread has a page, and touches it so often, with either protection. */
#include "pages.h"

int printf(const char *format, ...);
int atoi(const char *text);
void *VirtualAlloc(void *address, unsigned long long size, unsigned how, unsigned protection);
void *CreateThread(void *security, unsigned long long stack, unsigned (*f)(void *), void *argument,
                   unsigned flags, unsigned *id);
unsigned WaitForSingleObject(void *thread, unsigned milliseconds);
unsigned long long GetTickCount64(void);

#ifdef INSTALLS /* windows-gnu */
_Bool circ_faults_install(void);
#else
#define circ_faults_install() 1
#endif

enum { MOST = 64, COMMIT = 0x3000, FOREVER = -1 };

static int times, failed;

void touch(int *page)
{
	*(volatile int *)page += 1;
}

static unsigned run(void *argument)
{
	(void)argument;
	int *page = VirtualAlloc(0, PAGE, COMMIT, PAGE_READWRITE);
	int n = repaired(page, times, PAGE_NOACCESS);
	int m = repaired(page, times, PAGE_READWRITE | PAGE_GUARD);
	if (n != times || m != times || *page != 2 * times)
		failed = 1;
	return 0;
}

int main(int argc, char **argv)
{
	void *threads[MOST];
	int n = argc > 2 ? atoi(argv[2]) : 1;
	times = argc > 1 ? atoi(argv[1]) : 1;
	if (!circ_faults_install())
		return 1;
	unsigned long long start = GetTickCount64();
	for (int i = 0; i < n; i++)
		threads[i] = CreateThread(0, 0, run, 0, 0, 0);
	for (int i = 0; i < n; i++)
		WaitForSingleObject(threads[i], FOREVER);
	printf("%s %d ms\n", failed ? "FAILED" : "all repaired", (int)(GetTickCount64() - start));
	return failed;
}
