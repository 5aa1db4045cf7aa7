/* std::uncaught_exceptions() and std::uncaught_exception() of code that was compiled for the Itanium C++ ABI. */
#include "runtime/windows/crt.h"

int __uncaught_exceptions(void); /* vcruntime140.dll */
int _ZSt19uncaught_exceptionsv(void);
bool _ZSt18uncaught_exceptionv(void);

int _ZSt19uncaught_exceptionsv(void)
{
	return __uncaught_exceptions();
}

bool _ZSt18uncaught_exceptionv(void)
{
	return __uncaught_exceptions() > 0;
}
