/* msvc/symbol_callee.h: what the mangled name of a function in the Microsoft C++ ABI tells of how it is called.
 *
 * Cost  one pass over the name.
 */
#ifndef CIRC_MSVC_SYMBOL_CALLEE_H
#define CIRC_MSVC_SYMBOL_CALLEE_H

#include "base/base.h"

typedef enum MsCallee {
	MS_CALLEE_UNTOLD, /* no function's name of that ABI, or a digest of one */
	MS_CALLEE_PLAIN,  /* a free function, or a static member */
	MS_CALLEE_METHOD, /* takes `this` */
} MsCallee;

MsCallee ms_symbol_callee(Str symbol);

#endif
