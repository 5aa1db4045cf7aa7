// windows_names.cpp: the member functions of e2e.h by the names that CIR knows them by. Where the C++ ABI is Itanium's, those are their
// own names.
#ifdef _MSC_VER
#include "e2e.h"

#include <new>

extern "C" {
void _ZN4BaseC1ERKS_(Base *to, const Base *from)
{
	new (to) Base(*from);
}

void _ZN4BaseD1Ev(Base *base)
{
	base->~Base();
}

void _ZN4BaseD2Ev(Base *base)
{
	base->~Base();
}

void _ZN9SomeClassC1Ev(SomeClass *object)
{
	new (object) SomeClass;
}

void _ZN9SomeClassD1Ev(SomeClass *object)
{
	object->~SomeClass();
}

void _ZN9SomeClass11doSomethingEv(SomeClass *object)
{
	object->doSomething();
}

int _ZN9SomeClass3getEv(SomeClass *object)
{
	return object->get();
}
}
#endif
