/* What the tests of the JIT share. */
#ifndef CIRC_TESTS_UNIT_API_JIT_H
#define CIRC_TESTS_UNIT_API_JIT_H

#include "api_common.h"

#include <pthread.h>
#include <unistd.h>

static inline CircJitModule *add(CircJit *jit, const char *text, Heard *h)
{
	CircModule *m = circ_module_parse("test.cir", text, strlen(text), hear, h);
	CircJitModule *added = circ_jit_add_module(jit, m);
	circ_module_destroy(m);
	return added;
}

/* ISO C has no conversion of an object pointer to a function's, nor back. */
typedef int Function(int);

static inline Function *as_function(void *address)
{
	Function *function;
	memcpy(&function, &address, sizeof function);
	return function;
}

static inline void *as_address(Function *function)
{
	void *address;
	memcpy(&address, &function, sizeof address);
	return address;
}

static inline Function *find(CircJit *jit, const char *name)
{
	return as_function(circ_jit_lookup(jit, name));
}

/* @shared(), which returns n, and @callN(x), which calls it. */
static inline CircJitModule *add_sharing(CircJit *jit, int n, const char *linkage, Heard *h)
{
	char text[512];
	snprintf(text, sizeof text,
	         "!s32i = !cir.int<s, 32>\n"
	         "cir.func %s @shared() -> !s32i {\n"
	         "  %%c = cir.const #cir.int<%d> : !s32i\n"
	         "  cir.return %%c : !s32i\n"
	         "}\n"
	         "cir.func @call%d(%%x: !s32i) -> !s32i {\n"
	         "  %%c = cir.call @shared() : () -> !s32i\n"
	         "  cir.return %%c : !s32i\n"
	         "}\n",
	         linkage, n, n);
	return add(jit, text, h);
}

/* @thrown throws its argument as an int, and returns it from the handler. */
static const char throws[] =
    "cir.global \"private\" constant external @_ZTIi : !cir.ptr<!u8i>\n"
    "cir.func @thrown(%x: !s32i) -> !s32i {\n"
    "  %r = cir.alloca !s32i, !cir.ptr<!s32i>, [\"r\"]\n"
    "  cir.try {\n"
    "    %e = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n"
    "    cir.store %x, %e : !s32i, !cir.ptr<!s32i>\n"
    "    cir.throw %e : !cir.ptr<!s32i>, @_ZTIi\n"
    "    cir.unreachable\n"
    "  } catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%t: !cir.eh_token) {\n"
    "    %c, %p = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)\n"
    "    %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
    "    cir.store %v, %r : !s32i, !cir.ptr<!s32i>\n"
    "    cir.end_catch %c : !cir.catch_token\n"
    "    cir.yield\n"
    "  }\n"
    "  %s = cir.load %r : !cir.ptr<!s32i>, !s32i\n"
    "  cir.return %s : !s32i\n"
    "}\n"
    "!s32i = !cir.int<s, 32>\n!u8i = !cir.int<u, 8>\n";

#endif
