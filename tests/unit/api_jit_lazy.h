/* What the tests of code that is made when it is called share. */
#ifndef CIRC_TESTS_UNIT_API_JIT_LAZY_H
#define CIRC_TESTS_UNIT_API_JIT_LAZY_H

#include "api_jit.h"

#include <stdatomic.h>
#include <string.h>

/* Each function is a part of its own. */
static inline CircJit *open_jit(Heard *h, char opt)
{
	return circ_jit_create(&(CircJitOptions){.opt = opt, .lazy = true, .lazy_ops = 1}, hear, h);
}

/* What the code handler was told of. */
typedef struct Told {
	CircJitModule *module;
	const void *begin[8];
	char names[256];
	atomic_int n;
} Told;

static inline void note_code(const CircJitCode *code, void *user)
{
	Told *told = user;
	told->module = code->module;
	if (told->n < 8)
		told->begin[told->n] = code->begin;
	told->n++;
	size_t len = strlen(told->names);
	snprintf(told->names + len, sizeof told->names - len, " %s%s", code->function->symbol,
	         code->unwind_info ? "" : "?");
}

static const char chain[] = "!s32i = !cir.int<s, 32>\n"
                            "cir.func @first(%x: !s32i) -> !s32i {\n"
                            "  %y = cir.call @second(%x) : (!s32i) -> !s32i\n"
                            "  cir.return %y : !s32i\n"
                            "}\n"
                            "cir.func internal @second(%x: !s32i) -> !s32i {\n"
                            "  %y = cir.call @third(%x) : (!s32i) -> !s32i\n"
                            "  cir.return %y : !s32i\n"
                            "}\n"
                            "cir.func @third(%x: !s32i) -> !s32i {\n"
                            "  %one = cir.const #cir.int<1> : !s32i\n"
                            "  %y = cir.add nsw %x, %one : !s32i\n"
                            "  cir.return %y : !s32i\n"
                            "}\n";

/* @outer calls @middle, whose cleanup counts, and that @thrown, which throws. */
static const char passes[] =
    "cir.func @outer(%x: !s32i) -> !s32i {\n"
    "  %r = cir.alloca !s32i, !cir.ptr<!s32i>, [\"r\"]\n"
    "  cir.try {\n"
    "    %y = cir.call @middle(%x) : (!s32i) -> !s32i\n"
    "    cir.store %y, %r : !s32i, !cir.ptr<!s32i>\n"
    "    cir.yield\n"
    "  } catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%t: !cir.eh_token) {\n"
    "    %c, %p = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!s32i>)\n"
    "    %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
    "    %two = cir.call @twice(%v) : (!s32i) -> !s32i\n"
    "    cir.store %two, %r : !s32i, !cir.ptr<!s32i>\n"
    "    cir.end_catch %c : !cir.catch_token\n"
    "    cir.yield\n"
    "  }\n"
    "  %s = cir.load %r : !cir.ptr<!s32i>, !s32i\n"
    "  cir.return %s : !s32i\n"
    "}\n"
    "cir.func no_inline @middle(%x: !s32i) -> !s32i {\n"
    "  %r = cir.alloca !s32i, !cir.ptr<!s32i>, [\"r\"]\n"
    "  cir.cleanup.scope {\n"
    "    %y = cir.call @throwing(%x) : (!s32i) -> !s32i\n"
    "    cir.store %y, %r : !s32i, !cir.ptr<!s32i>\n"
    "    cir.yield\n"
    "  } cleanup all {\n"
    "    cir.call @count() : () -> ()\n"
    "    cir.yield\n"
    "  }\n"
    "  %s = cir.load %r : !cir.ptr<!s32i>, !s32i\n"
    "  cir.return %s : !s32i\n"
    "}\n"
    "cir.func no_inline @throwing(%x: !s32i) -> !s32i {\n"
    "  %e = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n"
    "  cir.store %x, %e : !s32i, !cir.ptr<!s32i>\n"
    "  cir.throw %e : !cir.ptr<!s32i>, @_ZTIi\n"
    "  cir.unreachable\n"
    "}\n"
    "cir.func no_inline @twice(%x: !s32i) -> !s32i {\n"
    "  %y = cir.add nsw %x, %x : !s32i\n"
    "  cir.return %y : !s32i\n"
    "}\n"
    "cir.func no_inline @count() {\n"
    "  %p = cir.get_global @cleanups : !cir.ptr<!s32i>\n"
    "  %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
    "  %one = cir.const #cir.int<1> : !s32i\n"
    "  %w = cir.add nsw %v, %one : !s32i\n"
    "  cir.store %w, %p : !s32i, !cir.ptr<!s32i>\n"
    "  cir.return\n"
    "}\n"
    "cir.global external @cleanups = #cir.int<0> : !s32i\n"
    "cir.global \"private\" constant external @_ZTIi : !cir.ptr<!u8i>\n"
    "!s32i = !cir.int<s, 32>\n!u8i = !cir.int<u, 8>\n";

#endif
