/* runtime/eh/native.h: what the system's unwinder keeps in an exception. */
#ifndef CIRC_RUNTIME_EH_NATIVE_H
#define CIRC_RUNTIME_EH_NATIVE_H

#ifdef CIRCEH_SJLJ
#include "runtime/eh/sjlj/native.h"
#elif defined _MSC_VER
#include "runtime/eh/msvc/record.h"
#else
#include <unwind.h>
typedef struct _Unwind_Exception CircehNative;
#endif

#endif
