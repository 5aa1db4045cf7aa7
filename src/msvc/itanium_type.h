/* msvc/itanium_type.h: the <type> of the Itanium C++ ABI's mangling (section 5.1), read.
 *
 * Errors  NULL when the text is no mangled type, or says something that a type alone cannot be
 *         translated with: *why. Never longer than the text, never deeper than CXX_DEPTH_MAX.
 */
#ifndef CIRC_MSVC_ITANIUM_TYPE_H
#define CIRC_MSVC_ITANIUM_TYPE_H

#include "msvc/cxx_type.h"

typedef struct ItaniumFailure {
	const char *what; /* it holds, as a noun: "a lambda" */
	bool is_local;    /* what only the function, or the module, that it stands in can refer to */
} ItaniumFailure;

/* mangled: what follows _ZTI. */
CxxType *itanium_type(CxxTypes *t, Str mangled, ItaniumFailure *why);

#endif
