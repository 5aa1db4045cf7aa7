/* jit/stubs.h: the code that callers of functions have before these are compiled.
 *
 * A stub jumps to where its slot says: to the function, once that is there, before that to what finds it, which is given the slot:
 *
 * 	lea slot(%rip), %r11
 * 	jmp *(%r11)
 *
 * %r11 is nobody's at a call (System V ABI for x86_64, 3.2.3). All other registers that an argument may be in are kept. */
#ifndef CIRC_JIT_STUBS_H
#define CIRC_JIT_STUBS_H

#include "base/lazy_function.h"

typedef struct JitSlot JitSlot;

/* Of all slots in one object. */
typedef struct JitStubOwner {
	void *(*find)(JitSlot *slot); /* where the function is */
} JitStubOwner;

struct JitSlot {
	_Atomic(void *) target;
	JitStubOwner *owner;
};

bool jit_stubs_here(void);

/* An object with a stub for each name, and the slots, zeros, as `slots`. malloc'ed; data NULL: no memory. */
Str jit_stubs_object(const LazyFunction *functions, size_t n, const char *slots);

/* What a slot holds first: it goes on where `find` of its owner says. */
void *jit_stub_resolver(void);

#endif
