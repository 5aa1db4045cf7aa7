/* What the program was linked with. */
#include "runtime/eh/unwind/cxx.h"

void *__cxa_begin_catch(void *native) __attribute__((weak));
void __cxa_end_catch(void) __attribute__((weak));
void __cxa_rethrow(void) __attribute__((weak));

CxxRuntime circeh_cxx_runtime(void)
{
	return (CxxRuntime){__cxa_begin_catch, __cxa_end_catch, __cxa_rethrow};
}
