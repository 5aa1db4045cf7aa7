#include "twin.h"

enum Code : short { OTHER, SEVEN = 7 };
typedef float Floats __attribute__((vector_size(16)));

struct S {
	int first, second;
	int sum();
};

extern "C" void throw_code();
extern "C" void throw_complex();
extern "C" void throw_vector();
extern "C" void throw_member();
extern "C" void throw_method();

static void throw_one()
{
	switch (number) {
	case 0:
		throw_code();
		break;
	case 1:
		throw_complex();
		break;
	case 2:
		throw_vector();
		break;
	case 3:
		throw_member();
		break;
	default:
		throw_method();
	}
}

extern "C" void catch_in_cxx()
{
	S s = {2, 9};
	try {
		throw_one();
	} catch (Code code) {
		event("Code %d", code);
	} catch (_Complex double z) {
		event("complex %g %g", __real__ z, __imag__ z);
	} catch (const Floats &v) {
		event("vector %g %g %g %g", v[0], v[1], v[2], v[3]);
	} catch (int S::*member) {
		event("member %d", s.*member);
	} catch (int (S::*method)()) {
		event("method %d", (s.*method)());
	}
}

#ifdef TWIN
int S::sum()
{
	return first + second;
}

extern "C" void throw_code()
{
	throw SEVEN;
}

extern "C" void throw_complex()
{
	_Complex double z;
	__real__ z = 1.5;
	__imag__ z = -2;
	throw z;
}

extern "C" void throw_vector()
{
	throw Floats{1, 2, 3, 4};
}

extern "C" void throw_member()
{
	throw &S::second;
}

extern "C" void throw_method()
{
	throw &S::sum;
}

void test()
{
	catch_in_cxx();
}
#endif
