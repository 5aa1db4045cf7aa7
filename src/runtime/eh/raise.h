/* runtime/eh/raise.h: how the system throws: circeh_raise(e) asks, cleans up, and enters the handler. It returns when a filter wants
 * execution to go on where the exception was thrown (e->decision.continues), or when nobody takes it. */
#ifndef CIRC_RUNTIME_EH_RAISE_H
#define CIRC_RUNTIME_EH_RAISE_H

#if defined CIRCEH_SJLJ || defined _MSC_VER || defined __wasm__
#include "runtime/eh/exception.h"
void circeh_raise(CircException *e); /* sjlj/chain.c, msvc/seh.c, wasm/chain.c */
#else
#include "runtime/eh/unwind/raise.h"
#endif

#endif
