/* runtime/eh/guard.h: functions of a language that no exception may leave.
 *
 * Who calls such a function writes CIRCEH_BEGIN_GUARD() before the call and CIRCEH_GUARD() after it. The caller's own frame then ends the program
 * in the first phase, before anything was unwound: by a personality, or without tables by a frame of the chain. Otherwise the exception would look for
 * a handler in the very frames that are asked already, without an end. What unwinds by force (circ_frame_unwind(), longjmp(), the end of a
 * thread) passes.
 *
 * The caller must not be inlined. Since CIRCEH_GUARD() follows the call, that is no tail call.
 */
#ifndef CIRC_RUNTIME_EH_GUARD_H
#define CIRC_RUNTIME_EH_GUARD_H

/* Which, and what is said. */
#define CIRCEH_GUARDS(ROW)                                                                                   \
	ROW(filter, "a filter threw an exception")                                                           \
	ROW(match, "a function of circ_set_match() threw an exception")                                      \
	ROW(release, "a function that releases an object threw an exception")                                \
	ROW(throw_hook, "a function of circ_set_throw_hook() threw an exception")                            \
	ROW(unhandled, "a function of circ_set_unhandled() threw an exception")                              \
	ROW(describe, "a function of circ_set_describe() threw an exception")                                \
	ROW(replaced, "a function of circ_set_replaced() threw an exception")

#if defined CIRCEH_SJLJ || defined __wasm__
#include "runtime/eh/sjlj/guard.h"
#else
#define CIRCEH_BEGIN_GUARD(which) (void)0
#ifdef _WIN32
#define CIRCEH_GUARD(which) __asm__ volatile(".seh_handler circeh_guard_" #which ", @except" ::: "memory")
#else /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
#define CIRCEH_GUARD(which) __asm__ volatile(".cfi_personality 0x1b, circeh_guard_" #which ::: "memory")
#endif
#endif

#define CIRCEH_GUARDED __attribute__((noinline))

#endif
