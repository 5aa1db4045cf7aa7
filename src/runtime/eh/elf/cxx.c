/* In a program: what it was linked with. In libcirc: what the process has loaded for the code in its JIT, since circ itself may
 * have a part of one inside. */
#include "runtime/eh/unwind/cxx.h"

#ifdef CIRCEH_EXPORTED

void *__cxa_begin_catch(void *native) __attribute__((weak));
void __cxa_end_catch(void) __attribute__((weak));
void __cxa_rethrow(void) __attribute__((weak));

CxxRuntime circeh_cxx_runtime(void)
{
	return (CxxRuntime){__cxa_begin_catch, __cxa_end_catch, __cxa_rethrow};
}

#else

#include <dlfcn.h>
#include <string.h>

CxxRuntime circeh_cxx_runtime(void)
{
	CxxRuntime cxx;
	void *found[] = {dlsym(RTLD_DEFAULT, "__cxa_begin_catch"), dlsym(RTLD_DEFAULT, "__cxa_end_catch"),
	                 dlsym(RTLD_DEFAULT, "__cxa_rethrow")};
	_Static_assert(sizeof found == sizeof cxx, "a function's address is one of data");
	memcpy(&cxx, found, sizeof cxx);
	return cxx;
}

#endif
