/* runtime/eh/exception.h: an exception of a language's own in memory, and what a thread holds.
 *
 * 	CircException { what it is; who takes it; its handlers; record; what the system's unwinder knows }  object
 *
 * Ownership  the memory of an exception is one block of circeh_allocate(). Handlers and the list of exceptions in
 *            flight only borrow it.
 * Threads    an exception and a CircehThread are used by their thread only; hooks are atomic.
 */
#ifndef CIRC_RUNTIME_EH_EXCEPTION_H
#define CIRC_RUNTIME_EH_EXCEPTION_H

/* Only what circ/runtime.h declares is seen from outside of a shared library that this was linked into. */
#ifdef CIRCEH_EXPORTED
#pragma GCC visibility push(default)
#endif
#include "circ/runtime.h"
#ifdef CIRCEH_EXPORTED
#pragma GCC visibility pop
#endif

#include "runtime/eh/native.h"

/* A word that memory which is no header hardly has. */
typedef enum CircehState {
	CIRCEH_ALLOCATED = 0x43e7a110,
	CIRCEH_THROWN = 0x43e77470,
	CIRCEH_OVER = 0x43e70e4d,
	CIRCEH_KEPT = 0x43e7ce97, /* windows-msvc: one that is not ours */
} CircehState;

/* One that is held by handlers of this thread; the innermost handler's first, as in the C++ ABI (Itanium C++ ABI:
 * Exception Handling, 2.2.2). */
typedef struct CircehCatch {
	struct CircehCatch *older;
	void *native;
	int handlers;      /* that hold it; negative: as many, and it was thrown on by the innermost */
	uintptr_t seal;    /* of `native`, against what writes over it */
	bool own;          /* part of a CircException; else of a CircehForeign */
	bool cxx;          /* foreign: the C++ runtime was told */
	CircRecord *shown; /* what handlers see */
} CircehCatch;

typedef struct CircehForeign {
	CircehCatch held;
	CircRecord record;
} CircehForeign;

/* What the first phase has decided. */
typedef struct CircehDecision {
	uintptr_t pad;
	int selector;
	bool continues;    /* a filter said: where it was thrown */
	bool foreign;      /* the handler is of another language */
	void *object;      /* for the handler */
	uintptr_t frame;   /* windows-msvc: an address in the frame of the handler; else 0 */
	void *const *slot; /* windows-msvc: the handler's variable, for circ_seh_landed(); else null */
} CircehDecision;

/* The unwinder has not come to it. */
#define CIRCEH_PLAIN_FRAME_UNKNOWN ((uintptr_t)1)

typedef struct CircException {
	CircehDecision decision;
	const CircClause *type;
	void (*destroy)(void *object);
	void *object;
	struct CircException *older; /* in flight on this thread */
	uintptr_t stack;             /* there, while a filter runs that may be left; windows-msvc: always */
	struct CircehNotes *notes;   /* windows-msvc: of frames of C++, owned; or null */
	CircehCatch held;
	CircRecord record;
	/* ELF, windows-gnu: of a fault that no operation of a `cir.try async` raised, the frame of its function; else 0 */
	uintptr_t plain_frame;
	uint32_t state; /* CircehState. Not at the beginning, where what is freed is written over first */
	bool is_fault;  /* of the instruction at record.address, which need not be a call */
	CircehNative native;
} CircException;

/* What the personality decided for a foreign exception, which has no room for it. */
typedef struct CircehMemo {
	struct CircehMemo *older;
	const void *native;
	CircehDecision decision;
} CircehMemo;

typedef struct CircehThread {
	CircehCatch *caught;
	CircException *flying; /* the newest first */
	CircehMemo *memos;
	CircRecord shown; /* of a foreign exception outside of handlers */
	void *kept;       /* windows-msvc: foreign ones on their way to our handlers, the newest first */
} CircehThread;

/* thread.c */
CircehThread *circeh_thread(void);
CircehCatch *circeh_innermost(void);            /* checked; null: no handler runs */
void circeh_hold(CircehCatch *c, void *native); /* becomes the innermost */
CircehForeign *circeh_allocate_foreign(void);   /* all zero; the first of a thread needs no memory */
void circeh_free_foreign(CircehForeign *f);

/* memory.c: malloc's, else of the reserve; all zero. Null never: it says so and aborts. */
void *circeh_allocate(size_t size);
void circeh_free(void *memory);

/* exception.c */
CircException *circeh_of_object(void *object, CircehState state); /* checked */
CircException *circeh_own(void *native);                          /* checked; null: foreign */
CircException *circeh_held(const CircehCatch *c);                 /* checked; an own one */
void circeh_fly(CircException *e);
void circeh_land(CircException *e);
CircException *circeh_above(const CircException *e); /* the newest that was thrown after it, or null */
void circeh_over(CircException *e);                  /* releases object and memory */
/* Who else caught it (C++) is done with it; or it is replaced. A handler of ours may hold it yet. */
void circeh_let_go(CircException *e);

/* catch.c: what is in flight below a frame that takes an exception is in flight no longer: a cleanup, or a filter, was left by that one.
 * by: null if it is foreign */
void circeh_replace_below(CircException *by, uintptr_t frame);

/* clause.c: the answer of a clause. own: null if foreign; `foreign` is then what is known. On
 * CIRC_EXECUTE_HANDLER decision->object and ->foreign are set. */
int circeh_ask(const CircClause *clause, CircException *own, CircRecord *foreign, void *frame,
               CircehDecision *decision);

/* check_type.c. What is thrown by circ_raise(), checked; what is thrown of a type has the code of it, CIRC_CODE_LANGUAGE of a
 * language's own; the message may be null. */
const CircClause *circeh_check_clause(uint32_t check);
const CircClause *circeh_clause_of_code(uint32_t code);
uint32_t circeh_code_of_type(const void *type);
bool circeh_is_status(uint32_t code);
bool circeh_is_status_type(const void *type);
bool circeh_status_is(uint32_t code, const void *type);
const char *circeh_status_message(uint32_t code);

/* hooks.c */
bool circeh_match(const CircClause *thrown, const CircClause *wanted, void **object);
void circeh_release(const CircException *e); /* its object */
void circeh_on_throw(CircRecord *record);
void circeh_on_unhandled(CircRecord *record);
void circeh_on_replaced(CircRecord *old, CircRecord *replacement);
bool circeh_describe(const CircRecord *record, char *out, size_t size);

/* trace.c. e: null if it is foreign. circeh_left(): where an exception leaves what none may (guard.h) */
void circeh_say_type(const CircException *e);
void circeh_say_trace(const CircException *e);
_Noreturn void circeh_left(const CircException *e, const char *why);

/* unhandled.c. e: null if it is foreign or unknown */
_Noreturn void circeh_unhandled(CircException *e, const char *why);

/* report.c: on standard error, without memory. circeh_fatal() is for what cannot be. */
void circeh_say(const char *text);
void circeh_say_hex(uintptr_t value);
_Noreturn void circeh_fatal(const char *what);

/* text.c: where in `digits` the number begins; two texts as one that is cut at `size` */
char *circeh_hex(uintptr_t value, char digits[2 * sizeof(uintptr_t) + 3]);
bool circeh_join(char *out, size_t size, const char *first, const char *second);

/* --- what each system has its own of --- */

/* Is it ours? It is not looked into. */
bool circeh_native_is_own(const void *native);

/* What filters and handlers are shown. */
CircRecord circeh_foreign_record(void *native);

/* Of foreign exceptions: a handler begins, ends, throws on; one is replaced. */
void circeh_foreign_begin(CircehCatch *c);
void circeh_foreign_end(CircehCatch *c);
_Noreturn void circeh_foreign_rethrow(CircehCatch *c);
void circeh_foreign_drop(void *native);
/* As circeh_replace_below(), which calls it. */
void circeh_foreign_replace_below(CircException *by, uintptr_t frame);

void circeh_write(const char *text, size_t n);
/* At most `size` bytes with a NUL: the name of what begins at an address, and the file that it is in with the place there. */
bool circeh_symbol(const void *address, char *out, size_t size);
bool circeh_place(const void *address, char *out, size_t size);

/* debug_info.c: what debug information says of an address of code, as far as it does. False: there is none, or
 * nothing that reads it. */
typedef struct CircehPlace {
	char function[256]; /* empty: unknown */
	char file[512];     /* empty: unknown */
	uint32_t line;
} CircehPlace;
bool circeh_find_place(uintptr_t address, CircehPlace *place);
/* source.c: of a frame. */
bool circeh_frame_place(const CircFrame *f, CircehPlace *place);

#endif
