// What the program and the DLL share. The class has a destructor, and a type descriptor in each of the two.
#include <cstdio>

struct Thrown {
	int n;
	explicit Thrown(int n) : n(n)
	{
		printf("+%d\n", n);
	}
	Thrown(const Thrown &other) : n(other.n + 1)
	{
		printf("=%d\n", n);
	}
	~Thrown()
	{
		printf("-%d\n", n);
	}
};

struct Special : Thrown {
	using Thrown::Thrown;
};

struct Cleaned {
	const char *where;
	~Cleaned()
	{
		printf("cleaned in the %s\n", where);
	}
};

#ifdef IN_DLL
#define FROM_DLL extern "C" __declspec(dllexport)
#else
#define FROM_DLL extern "C" __declspec(dllimport)
#endif

FROM_DLL void dll_throw(int n);
FROM_DLL void dll_call(void (*callback)());  // lets what the callback throws pass
FROM_DLL void dll_catch(void (*callback)()); // catches it
