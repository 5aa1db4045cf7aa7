/* runtime/eh/sjlj/frame.h: the frame that compiled code has around a call which may throw, and the landing pad's table.
 *
 * src/eh/sjlj/sjlj.c writes both, and src/eh/wasm/wasm.c, where the machine unwinds by itself, but knows no first phase. A function has one frame, on its stack, for all its calls, since one of them at a time is made. The thread's
 * frames are a chain, the innermost first: a frame is in it while its call is made, and is taken out by who jumps to it.
 */
#ifndef CIRC_RUNTIME_EH_SJLJ_FRAME_H
#define CIRC_RUNTIME_EH_SJLJ_FRAME_H

#include "runtime/eh/exception.h"

typedef struct CircehPadClause {
	const CircClause *clause; /* null: takes everything */
	uint64_t selector;        /* not 0 */
} CircehPadClause;

typedef struct CircehPad {
	uint32_t is_cleanup; /* entered, with the selector 0, by what its clauses do not take, too */
	uint32_t nclauses;
	CircehPadClause clauses[];
} CircehPad;

#ifdef __wasm__
enum { CIRCEH_BUFFER_WORDS = 2 };
#else
enum { CIRCEH_BUFFER_WORDS = 34 };
#endif

typedef struct CircehFrame {
	struct CircehFrame *outer;
	const CircehPad *pad; /* not null in frames of compiled code, which sets no more than the first two */
	void *exception;      /* written before its pad is entered */
	uintptr_t selector;
	const char
	    *guards; /* without a pad, of the runtime itself: nothing may leave it, and this is said then */
	uintptr_t unused;
	/* setjmp.c's. The first word is what llvm.localrecover counts from: RBP, and on AArch64 SP; on WebAssembly, which has nothing but that
	 * word, an array of the variables' addresses */
	uintptr_t buffer[CIRCEH_BUFFER_WORDS];
} CircehFrame;

_Static_assert(sizeof(CircehFrame) == (6 + CIRCEH_BUFFER_WORDS) * sizeof(uintptr_t),
               "FRAME_WORDS of src/eh/sjlj/sjlj.c and src/eh/wasm/wasm.c");

#ifdef CIRCEH_EXPORTED
#pragma GCC visibility push(default)
#endif
/* Called by compiled code. */
CircehFrame **circ_sjlj_chain(void); /* where the thread has its innermost frame */
#ifdef __wasm__
/* An exception has come to a pad: takes the frame down, and those that were left on the way. The selector of the clause that takes it, or 0. */
int circ_wasm_land(CircehFrame *frame, void *native);
#endif
__attribute__((returns_twice)) int circ_sjlj_setjmp(CircehFrame *frame);
_Noreturn void circ_sjlj_resume(void *native); /* a cleanup is over */
void *circ_sjlj_object(
    void *native); /* what the handler gets that is about to begin: as __cxa_get_exception_ptr() */
#ifdef CIRCEH_EXPORTED
#pragma GCC visibility pop
#endif

/* search.c. The answer of a frame: of the first of its clauses that takes the exception, or whose filter wants to go on where it was thrown;
 * the decision is filled then. e: null if it is foreign, and `foreign` is what is known. */
int circeh_chain_ask(const CircehFrame *frame, CircException *e, CircRecord *foreign,
                     CircehDecision *decision);
/* The answer of the innermost frame that has one; e->decision is filled then. */
int circeh_chain_search(CircException *e);

/* setjmp.c: circ_sjlj_setjmp() returns 1 there. */
_Noreturn void circeh_sjlj_longjmp(CircehFrame *frame);

#endif
