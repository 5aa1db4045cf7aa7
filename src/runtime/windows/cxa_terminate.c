/* What ends the program in code that was compiled for the Itanium C++ ABI. */
#include "runtime/windows/crt.h"

_Noreturn void _ZSt9terminatev(void);
_Noreturn void __cxa_pure_virtual(void);
_Noreturn void __cxa_deleted_virtual(void);

void _ZSt9terminatev(void)
{
	terminate();
}

void __cxa_pure_virtual(void)
{
	terminate();
}

void __cxa_deleted_virtual(void)
{
	terminate();
}
