#include "language.h"

extern "C" {
int32_t run(int32_t n);
void mark(int32_t n) { show("event", n); }
}

int main()
{
	for (int n : {0, 1, 3})
		show("run", run(n));
	return 0;
}

#ifdef TWIN
static void deep(int32_t n)
{
	mark(n);
	if (n)
		deep(n - 1);
}

// A jump is back where the buffer was filled, with 1.
int32_t run(int32_t n)
{
	mark(0);
	for (int32_t i = 0; i < n; i++)
		deep(i), mark(1);
	return n;
}
#endif
