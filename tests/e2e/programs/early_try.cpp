#include "twin.h"

extern "C" int twice(int n)
{
	step(n);
	return 2 * n;
}

#ifdef TWIN
static void calls_with_cleanups()
{
	try {
		{
			Cleanup one(1);
			step(1);
		}
		int r;
		{
			Cleanup two(2);
			r = twice(2);
		}
		done(r);
	} catch (int value) {
		saw_int(value);
		return;
	} catch (const Base &base) {
		saw_base(&base);
	}
}

static void try_with_a_cleanup()
{
	try {
		EhCleanup three(3);
		step(3);
		done(3);
		three.leave();
	} catch (int) {
		caught(3);
	}
}

static void handlers_apart()
{
	try {
		step(4);
	} catch (...) {
		caught(4);
		throw;
	}
	done(5);
}

void test()
{
	calls_with_cleanups();
	try_with_a_cleanup();
	handlers_apart();
}
#endif
