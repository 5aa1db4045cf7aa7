#include "e2e.h"

#include <cstddef>

#ifdef __GLIBC__
#include <malloc.h>

static size_t memory()
{
	return mallinfo2().uordblks;
}
#else // there an exception is a variable, or nobody counts
static size_t memory()
{
	return 0;
}
#endif

extern "C" void branch(bool first);
extern "C" void always();

// 2 has the first one fail, 3 the second.
extern "C" int value(int n)
{
	if (number == n + 1)
		throw &base_object;
	return n;
}

#ifdef TWIN
void branch(bool first)
{
	throw (float)(first ? value(1) : throw value(2));
}

void always()
{
	throw (value(1), throw value(2), 1.0f);
}
#endif

static void rounds(const char *name, void (*thrower)())
{
	int floats = 0, ints = 0, bases = 0;
	size_t before = 0;
	for (int i = 0; i < 201; i++) {
		try {
			thrower();
		} catch (float) {
			floats++;
		} catch (int) {
			ints++;
		} catch (Base *) {
			bases++;
		}
		if (i == 0) { // the library has what it keeps for itself
			before = memory();
			floats = ints = bases = 0;
		}
	}
	event("%s: %d floats, %d ints, %d bases, %s", name, floats, ints, bases, memory() < before + 4000 ? "nothing kept" : "memory kept");
}

void test()
{
	rounds("branch", [] { branch(number % 2 == 0); });
	rounds("always", always);
}
