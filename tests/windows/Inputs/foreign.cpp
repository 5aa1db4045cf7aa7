#include <cstdio>

extern "C" void RaiseException(unsigned long code, unsigned long flags, unsigned long nparameters, const void *parameters);

static void raises()
{
	RaiseException(0xe0434952, 0, 0, nullptr);
}

static void cxx_frame()
{
	try {
		raises();
	} catch (...) {
		puts("caught by catch (...)");
	}
}

int main()
{
	__try {
		cxx_frame();
	} __except (1) {
		puts("caught by __except");
	}
	return 0;
}
