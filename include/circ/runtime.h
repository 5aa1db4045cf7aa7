/* circ/runtime.h: libcircrt, exceptions of a language's own: what compiled code calls, and what the runtime of
 * the language may set and ask. Programs link it (libcircrt.a; circeh.lib for windows-msvc), and what runs in a
 * JIT finds it there; it is no part of the compiler, and needs an unwinder (libgcc's or LLVM's libunwind; Windows'
 * own) and a C library, no C++ one. A program without a C library can have it on ELF: it defines malloc, free, abort,
 * memcpy, memset, strlen, write, and dladdr, which may know nothing (return 0).
 *
 * An exception is an object, its type, which is the address of any constant, and the number of the language that
 * threw it. A throw has two phases: first the callers are asked, innermost first, which clause takes the exception;
 * then the cleanups up to there run. Where nobody takes it, nothing has been cleaned up.
 *
 * 	thrown                   seen by a clause of the same language         of another language, or in C++
 * 	this language's own      type, when, all; code CIRC_CODE_LANGUAGE      all, when; catch (...)
 * 	any other, C++'s         when, all; code CIRC_CODE_FOREIGN             (unchanged)
 * 	a check that failed      type, when, all; code of Windows              type, when, all; catch (...)
 *
 * Destructors of C++ run on an exception's way through C++, and cleanups of circ's on the way of one of C++'s.
 *
 * Ownership  an exception owns its object, whose memory it is. When it is over, that is when its last handler
 *            ends, when it is replaced, or when C++ has caught it, the object is released, exactly once: by the
 *            function that circ_throw() was given, else by its CircExceptionType's, else by circ_set_release()'s. A
 *            CircRecord belongs to the runtime.
 * Lifetime   a record is valid while a filter runs that was given it, or until its exception is over; one of
 *            a foreign exception until the handler that took it ends, and outside of handlers until the
 *            thread's next call of circ_record(). Clauses and types must stay while exceptions of theirs live.
 * Units      sizes in bytes. Objects are aligned as for malloc().
 * Errors     there is no error to return: memory for exceptions is kept in reserve (64 KiB), and what cannot be
 *            (an end of a handler that was none, a filter that answers 7, a header that was written over) is
 *            said on standard error, and the program is aborted. So it is where an exception leaves a filter, a
 *            function that releases, or one that was set below: nothing has been cleaned up then. A fault in
 *            them, a stack that is used up included, ends the program as a fault does on the system: by SIGSEGV on ELF, without a
 *            word of ours; on Windows with a message where there is stack for it, and no handler sees it.
 * Threads    exceptions belong to the thread that throws them. Every function may be called by several threads
 *            at once; what is set holds for all.
 */
#ifndef CIRC_RUNTIME_H
#define CIRC_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define CIRC_NORETURN [[noreturn]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define CIRC_NORETURN _Noreturn
#else
#define CIRC_NORETURN
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- what the compiler writes as constants --- */

typedef enum CircClauseKind {
	CIRC_CLAUSE_TYPE = 1,           /* what: any address */
	CIRC_CLAUSE_EXCEPTION_TYPE = 2, /* what: a CircExceptionType, of circ.exception_type */
	CIRC_CLAUSE_WHEN = 3,           /* what: a CircFilter */
	CIRC_CLAUSE_ALL = 4,            /* what: null. In tables of ELF a null clause, too, of any language */
	CIRC_CLAUSE_WHEN_NESTED = 5,    /* what: a CircFilter that exceptions may leave */
	CIRC_CLAUSE_CXX = 6 /* what: a type info of C++, in code without tables (docs/exceptions.md) */
} CircClauseKind;

#define CIRC_LANGUAGE_CXX UINT32_C(0x432b2b00) /* of the clauses of that kind */

/* What a handler takes; with the first two kinds and the last one also what is thrown. */
typedef struct CircClause {
	uint32_t kind;     /* CircClauseKind */
	uint32_t language; /* the module's circ.eh.language */
	const void *what;
} CircClause;

/* Each base begins where the object begins; how they share the space is the language's affair. */
typedef struct CircExceptionType {
	const char *name;
	size_t size;                   /* of the object */
	void (*release)(void *object); /* or null. Not the memory, which is the exception's */
	size_t nbases;
	const struct CircExceptionType *bases[1]; /* nbases of them */
} CircExceptionType;

/* --- what filters, handlers and hooks see --- */

/* Other codes are those of Windows, on all systems: 0xC0000005 is an access violation. */
#define CIRC_CODE_FOREIGN  0u
#define CIRC_CODE_LANGUAGE 0xE0434952u

/* Bits of CircRecord.flags. */
typedef enum CircRecordFlag {
	CIRC_NONCONTINUABLE = 1, /* no filter may answer CIRC_CONTINUE_EXECUTION */
	CIRC_RETHROWN = 2
} CircRecordFlag;

typedef struct CircRecord {
	uint32_t code;
	uint32_t flags;
	void *object;     /* null: foreign */
	const void *type; /* `what` of the clause it was thrown with; null: foreign */
	void *address;    /* in the function that threw; null: unknown */
	void *native;     /* the system's: _Unwind_Exception *; windows-msvc: EXCEPTION_RECORD * */
	uint64_t info[2]; /* of a language's own its number and 0; of a fault its kind and address */
	void *pointers;   /* windows-msvc, in a filter: EXCEPTION_POINTERS *; else null */
} CircRecord;

typedef enum CircAnswer {
	CIRC_CONTINUE_EXECUTION = -1, /* circ_throw() returns */
	CIRC_CONTINUE_SEARCH = 0,
	CIRC_EXECUTE_HANDLER = 1
} CircAnswer;

/* Decides in the first phase, before any cleanup runs, once for each exception and handler. frame: for
 * llvm.localrecover. An exception that leaves it ends the program, or, with CIRC_CLAUSE_WHEN_NESTED, goes on: all handlers are asked, this
 * one too, and when one takes it, the first exception is over. Filters that circ compiles catch what they throw, and answer 0.
 * windows-msvc: where execution cannot go on, the system raises another exception (0xC0000025), of a structured one; of others the
 * program ends. */
typedef int CircFilter(CircRecord *record, void *frame);

/* --- what compiled code calls --- */

/* Memory for an object to throw, all zero. Never null. */
void *circ_allocate_exception(size_t size);

/* Of an object that is not thrown after all; it is not released. Null is allowed. */
void circ_free_exception(void *object);

/* object: of circ_allocate_exception(), handed over. type: of kind CIRC_CLAUSE_TYPE or
 * CIRC_CLAUSE_EXCEPTION_TYPE. destroy: releases the object, or null. Returns only when a filter says that execution
 * goes on here; the exception is over then. */
void circ_throw(void *object, const CircClause *type, void (*destroy)(void *object));

/* The same where nothing can go on, as behind cir.throw: CIRC_NONCONTINUABLE. */
CIRC_NORETURN void circ_throw_noncontinuable(void *object, const CircClause *type,
                                             void (*destroy)(void *object));

/* In a handler, or a function that it calls: what the innermost handler of this thread caught goes on. */
CIRC_NORETURN void circ_rethrow(void);

/* native: the system's exception that landed (CircRecord.native). Returns the object, null if it is foreign. Each handler begins
 * with it and ends, on every way out, with circ_end_catch(). */
void *circ_begin_catch(void *native);
void circ_end_catch(void);

/* The record of an exception that has landed, caught yet or not. Never null. */
CircRecord *circ_record(void *native);

/* What a handler of `type` in a module of `language` would get of the exception; null: it does not take it. A filter asks this
 * first, since it is asked about exceptions of every language. record: null is allowed. */
void *circ_object_as(const CircRecord *record, uint32_t language, const CircExceptionType *type);

/* Ends an exception that was on its way through a cleanup, when another one leaves that cleanup. */
void circ_drop(void *native);

/* Where nothing may throw, something did: says so and aborts. native: the exception, or null. */
CIRC_NORETURN void circ_terminate(void *native);

/* windows-msvc: what a filter of __C_specific_handler asks. pointers: EXCEPTION_POINTERS *; frame: as for a
 * CircFilter. Returns a CircAnswer; when it is CIRC_EXECUTE_HANDLER, *slot is what circ_begin_catch() is given. */
int circ_seh_match(void *pointers, const CircClause *clause, void *frame, void **slot);

/* windows-msvc: what the code that such a filter leads to calls first. Returns what circ_begin_catch() is given: the newest exception that
 * circ_seh_match() chose the handler for and that was not replaced. */
void *circ_seh_landed(void *const *slot);

/* windows-msvc: what a cleanup calls at its end, in which an exception may have been thrown, while another is on its way. *inside, a variable of
 * the function, becomes false. Exceptions that were thrown in the cleanup and are on their way yet were replaced by what a handler there took. */
void circ_seh_cleanup_ends(bool *inside);

/* windows-msvc: what the code behind a cleanup calls, while an exception is on its way. *inside, a variable of the function: is that
 * one which has left the cleanup? Then the search for a handler of the one before it is over; *inside becomes false. */
void circ_seh_behind_cleanup(bool *inside);

/* --- checks that fail, and faults --- */

/* What circ.check checks. */
typedef enum CircCheck {
	CIRC_CHECK_NULL,       /* a pointer, before it is used: circ_type_access, 0xC0000005 */
	CIRC_CHECK_ZERO,       /* a divisor: circ_type_zero, 0xC0000094 */
	CIRC_CHECK_OVERFLOW,   /* the result of an operation on integers: circ_type_overflow, 0xC0000095 */
	CIRC_CHECK_BOUNDS,     /* an index: circ_type_bounds, 0xC000008C */
	CIRC_CHECK_CONVERSION, /* a value to be converted: circ_type_conversion, 0xC0000090 */
	CIRC_CHECK_STORE       /* what is stored, where any type may be: circ_type_store, 0xC0000024 */
} CircCheck;

/* Throws what a check that failed throws, with the code of its kind. No filter may go on there. */
CIRC_NORETURN void circ_raise(uint32_t check);

/* ELF, with --faults=implicit: the program or library whose maps of null checks lie there is loaded, or unloaded. The first one calls
 * circ_faults_install(): a null check that fails goes on as one. */
void circ_fault_maps_register(const void *begin, const void *end);
void circ_fault_maps_unregister(const void *begin);

/* Handlers of any language may name them; circ_type_fault is the base of the others and takes every exception with a code of Windows. What is thrown
 * by others with such a code, or by the processor, is of these types, too. The object has no size; of one that circ_raise() did not
 * throw it is null. */
extern const CircExceptionType circ_type_fault, circ_type_access, circ_type_zero, circ_type_overflow,
    circ_type_bounds, circ_type_conversion, circ_type_store;

/* --- what a language may set. Null: the default again. The former one is returned --- */

/* May a handler of type `wanted` take what was thrown as `thrown`? Both are of the same language and of one of
 * the kinds of types. *object is what the handler gets: a base that lies elsewhere may be put there. Runs in the first
 * phase. The default: the same address, or a base of it if both are a CircExceptionType. */
typedef bool CircMatch(const CircClause *thrown, const CircClause *wanted, void **object);
CircMatch *circ_set_match(CircMatch *match);
bool circ_match_default(const CircClause *thrown, const CircClause *wanted, void **object);

/* Releases objects that were thrown without a function for it, and whose type has none. The default: nothing. */
typedef void CircRelease(void *object, const CircClause *type);
CircRelease *circ_set_release(CircRelease *release);

/* Called by circ_throw() and circ_rethrow() before anybody is asked, to record a trace or to stop in a debugger. */
typedef void CircThrowHook(CircRecord *record);
CircThrowHook *circ_set_throw_hook(CircThrowHook *hook);

/* Called when nobody takes an exception, before anything is cleaned up. When it returns, the default follows: type,
 * message and a trace on standard error, then abort(). record: null if it is not known. */
typedef void CircUnhandled(CircRecord *record);
CircUnhandled *circ_set_unhandled(CircUnhandled *unhandled);

/* The message of an exception, for that report: at most `size` bytes with a NUL at the end. False: none. */
typedef bool CircDescribe(const CircRecord *record, char *out, size_t size);
CircDescribe *circ_set_describe(CircDescribe *describe);

/* Called before `old` is released because `replacement` took its place; null: that is not known. */
typedef void CircReplaced(CircRecord *old, CircRecord *replacement);
CircReplaced *circ_set_replaced(CircReplaced *replaced);

/* --- faults: docs/faults.md --- */

/* From here on a fault of code that may fault, in a `cir.try async` or a function marked circ.may_fault, is an exception of no language: its
 * record has the status that Windows has for it as code, the address of the instruction, and of an access info[0] 0 (read), 1 (write) or 8 (execute) and
 * info[1] the address. Once for a process, and gives the calling thread a stack for signals (circ_faults_thread()). On windows-msvc faults
 * are exceptions without it. False: the system refuses. */
bool circ_faults_install(void);

/* The calling thread gets a stack for signals, if it has none, until it ends: so that handlers which were there before find one when
 * the thread's own is used up. Faults are exceptions in threads that never call it, too. */
bool circ_faults_thread(void);

/* The tables of where code may fault that the linker does not join with this library's: of code that is made or loaded without it. They stay
 * until circ_faults_unregister(), which gets their beginning. False: no memory. */
bool circ_faults_register(const void *begin, const void *end);
/* The same of the code itself: all of it may fault, as that of functions marked circ.may_fault, whose section is circ_may_fault on ELF. */
bool circ_faults_register_code(const void *begin, const void *end);
void circ_faults_unregister(const void *begin);

/* --- frames: walks without unwinding --- */

typedef struct CircFrame {
	uintptr_t pc;       /* where execution goes on in it */
	uintptr_t sp;       /* of the function, while it waits for its callee */
	uintptr_t function; /* its beginning; 0: unknown */
	uintptr_t table;    /* its own table of exceptions; 0: none */
	uint32_t flags;     /* 1: pc is the instruction that faulted, not one behind a call */
#ifdef _WIN32
	uintptr_t handler;       /* windows-msvc: what reads the table, an address; 0: none */
	uintptr_t registers[32]; /* that calls keep, as the function has them; for circ_frame_branch() */
#endif
} CircFrame;

/* The frames of this thread, the caller's first; at most `max`. Returns how many. */
size_t circ_frames(CircFrame *frames, size_t max);

/* Where an exception out of the frame's callee lands in it: the landing pad, on windows-msvc the code behind
 * __except. Null: nowhere. */
void *circ_frame_label(const CircFrame *frame);

/* The name of the frame's function, by its symbol or by debug information (circ_frame_source()), or, where it has none that
 * can be seen, its file and the place in it: at most `size` bytes with a NUL at the end. False: neither is known. */
bool circ_frame_name(const CircFrame *frame, char *out, size_t size);

/* "FILE:LINE" of the frame: at most `size` bytes with a NUL at the end. False: not known, since there is no debug
 * information, or no library that reads it, which is loaded when first asked (ELF: elfutils' libdw.so.1; Windows: dbghelp.dll, for
 * PDBs). It takes memory and time, and one thread waits for another: for reports. */
bool circ_frame_source(const CircFrame *frame, char *out, size_t size);

/* Goes to `label` in the frame, an address in its function, as if the exception had landed there; `exception` is
 * what a landing pad gets, with the selector 0. Everything between is skipped. The frame must be one of this
 * thread's that has not returned; on ELF it is looked for, and its absence said. */
CIRC_NORETURN void circ_frame_branch(const CircFrame *frame, void *label, void *exception);

/* The same, but the cleanups of all frames between run before. `exception`: null, or an address that is only
 * passed on. On ELF and windows-gnu a catch (...) of C++ between is entered, as by all that unwinds by force: it must throw on, and
 * the program ends when it does not, or where the C++ library cannot (libc++abi). */
CIRC_NORETURN void circ_frame_unwind(const CircFrame *frame, void *label, void *exception);

#ifdef __cplusplus
}
#endif

#endif
