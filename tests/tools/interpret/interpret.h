/* A reference interpreter of structured CIR: executes the ops as cir-reference 5.7, 5.10 and 5.15 describe
 * them, without flattening and without LLVM. Slow and simple, so that it can be believed.
 *
 *   exec.c    regions and structured ops: each tells by a Way how it was left
 *   eval.c    ops that compute a value or use memory
 *   array.c   arrays of objects
 *   search.c  the first phase of a throw: who takes the exception
 *   except.c  exception objects, catching, the end of an exception
 *   world.c   the functions that the programs call: tests/random/runtime.cpp once more
 *   own.c     the same for tests/random/own.py: tests/random/own_runtime.cpp once more
 *   fault.c   faults, and checks that fail
 *   fault_world.c  the same as own.c for tests/random/faults.py: tests/random/fault_runtime.cpp once more
 *   main.c    the command
 *
 * Exceptions are C++'s, or of circ's own runtime, of the module's language or of another one; functions are of either runtime
 * (docs/exceptions.md). A throw asks the handlers around it, of all functions that wait, before anything is cleaned up.
 *
 * Limits  no goto into a region; ops that the programs do not use are reported.
 */
#ifndef INTERPRET_H
#define INTERPRET_H

#include "base/ptrmap.h"
#include "ir/eh_runtime.h"
#include "ir/module.h"

typedef union Value {
	uint64_t i; /* integers, extended by their signedness; booleans */
	double f;
	void *p;
	struct Exception *token;
} Value;

/* How a region, or an op that holds regions, is left. */
typedef enum Way {
	WAY_END, /* by its end */
	WAY_BREAK,
	WAY_CONTINUE,
	WAY_RETURN,
	WAY_GOTO,
	WAY_THROW,
	WAY_TERMINATE,
	WAY_FAILED, /* the interpreter cannot go on; it has said why */
} Way;

typedef enum Language {
	LANGUAGE_CXX,
	LANGUAGE_OWN,  /* of the module, in circ's runtime */
	LANGUAGE_OTHER /* another one in circ's runtime */
} Language;

/* What a filter is shown and answers: the beginning of a CircRecord, and values of circ/runtime.h, which does not go together with
 * the library's own headers. */
enum {
	RECORD_NONCONTINUABLE = 1,
	RECORD_RETHROWN = 2,
	ANSWER_CONTINUE = -1,
	ANSWER_SEARCH = 0,
	ANSWER_HANDLE = 1,
};
#define CODE_LANGUAGE 0xE0434952u

/* Codes of Windows, of faults and of checks that fail. */
#define STATUS_ACCESS   0xC0000005u
#define STATUS_DIVIDE   0xC0000094u
#define STATUS_OVERFLOW 0xC0000095u

typedef struct Record {
	uint32_t code, flags;
	void *object;
	uint64_t info[2]; /* of an access: is it a write, and where */
} Record;

typedef struct Exception {
	Language language;
	const char *type; /* mangled, behind _ZTI; of an exception type its name */
	void *object;
	void *adjusted; /* to the type of the handler that was found */
	Name *dtor;     /* or NULL */
	Record record;
	/* That have begun and not ended, of each runtime; was it thrown on by the innermost? */
	int handlers[EH_RUNTIME_COUNT];
	bool rethrown[EH_RUNTIME_COUNT];
	bool replaced;
	const struct Guard *target; /* what the first phase found; NULL: the caller of all */
	const IrRegion *handler;    /* of a target that is a try */
} Exception;

/* What a runtime's handlers hold, the innermost first. */
typedef struct Held {
	struct Held *older;
	Exception *exception;
} Held;

/* A handler of a cir.try that runs. */
typedef struct Handling {
	struct Handling *outer;
	Exception *exception;
	bool begun, ended;
} Handling;

typedef enum GuardKind {
	GUARD_TRY,
	GUARD_FINALLY,     /* takes everything, and throws it on */
	GUARD_TERMINATE,   /* the border of what runs because of unwinding, where it terminates */
	GUARD_FILTER,      /* an exception that leaves a filter means that it says no */
	GUARD_WORLD,       /* a catch (...) of the world */
	GUARD_WORLD_ERROR, /* catch (Error &) */
} GuardKind;

/* What an exception passes on its way out, innermost first. */
typedef struct Guard {
	struct Guard *outer;
	GuardKind kind;
	const IrOp *try_op; /* GUARD_TRY */
	const IrOp *func;   /* that it stands in */
} Guard;

typedef struct World { /* tests/random/runtime.cpp */
	uint32_t state;
	unsigned decisions, elements;
	bool thrown_on; /* by C++ */
	bool guarded;   /* may nobody touch the page? */
	unsigned char memory[2048], page[4096];
} World;

typedef struct Interp {
	IrModule *m;
	bool
	    microsoft; /* the C++ runtime of windows-msvc: any number of foreign exceptions may be held at once */
	Arena mem;     /* of one run: the program's memory, exceptions */
	Arena module;     /* of all runs */
	PtrMap spans;     /* function → Span of its values */
	Value *values;    /* by IrValue.id */
	const IrOp *func; /* that runs */
	Guard *guards;
	bool caller_catches; /* everything that leaves the function */
	Held *held[EH_RUNTIME_COUNT];
	Handling *handling;
	Exception *exception; /* WAY_THROW */
	char released_as;     /* '-'; of one that was replaced '!' */
	unsigned uncaught;    /* exceptions on their way to a handler */
	bool abnormal;        /* what circ.abnormal says */
	Way stopped;          /* WAY_TERMINATE or WAY_FAILED: a filter ended the program */
	Value result;         /* of a yield, return or condition */
	const Name *label;    /* WAY_GOTO */
	World world;
} Interp;

/* exec.c */
Way exec_function(Interp *in, const IrOp *func);
Way exec_call(Interp *in, Name *callee, const Value *args, uint32_t n, Value *result);
Way exec_region(Interp *in, const IrRegion *r);
Way exec_unwinding(Interp *in,
                   const IrRegion *r); /* because of unwinding: what leaves it by an exception terminates */
Way fail(const IrOp *op, const char *why);
static inline Value exec_operand(const Interp *in, const IrOp *op, uint32_t i)
{
	return in->values[ir_operand(op, i)->id];
}
static inline void exec_bind(Interp *in, const IrRegion *r, Value v)
{
	if (r->first->nargs)
		in->values[r->first->args[0]->id] = v;
}
static inline EhRuntime exec_runtime(const Interp *in)
{
	return ir_func_eh_runtime(in->m, in->func);
}

/* array.c */
Way exec_array_ctor(Interp *in, const IrOp *op);
Way exec_array_dtor(Interp *in, const IrOp *op);
Way exec_delete_array(Interp *in, const IrOp *op);

/* eval.c: false when it is not such an op. */
bool eval_op(Interp *in, const IrOp *op);
uint64_t eval_size(IrType *t);
Value eval_load(Interp *in, const IrType *t, const void *p);
void eval_store(const IrType *t, void *p, Value v);
Value eval_element(Interp *in, const IrType *vector, Value v, uint64_t i);

/* search.c */
void search_begin(Interp *in, Guard *g, GuardKind kind, const IrOp *try_op);
void search_end(Interp *in, const Guard *g);
/* The region of a try that sees an exception which the try does not take; NULL: none. */
const IrRegion *search_passed(Interp *in, const IrOp *try_op, Exception *e);
typedef enum Found { FOUND_NOBODY, FOUND, FOUND_CONTINUE } Found;
Found search(Interp *in, Exception *e);

/* except.c */
Exception *exception_new(Interp *in, const char *type, size_t size);
/* WAY_THROW; WAY_END: a filter says that the program goes on there; WAY_TERMINATE: nobody takes it. */
Way exception_throw(Interp *in, Exception *e);
Way exception_rethrow(Interp *in, EhRuntime of);
/* WAY_END, or WAY_TERMINATE. */
Way exception_begin_catch(Interp *in, Exception *e, EhRuntime of);
Way exception_end_catch(Interp *in, Exception *e, EhRuntime of);
/* The same for a finally. *aside: what is held meanwhile, but out of the way of one of another language. */
Way exception_begin_finally(Interp *in, Exception *e, EhRuntime of, Held **aside);
Way exception_end_finally(Interp *in, Exception *e, EhRuntime of, Held *aside);
/* A cleanup of circ's runtime that ran for it was left by another one. */
void exception_drop(Interp *in, Exception *e);

/* world.c */
void world_start(World *w, unsigned sequence);
/* False: there is no function of that name. */
unsigned world_decide(World *w);
bool world_is_exhausted(const World *w);
bool world_call(Interp *in, const char *name, const Value *args, Value *result, Way *way);
bool world_is_base(const char *derived, const char *base); /* class types, by the mangled name */
void world_print_escape(const Exception *e);

/* own.c: as world_call(). */
bool own_call(Interp *in, const char *name, const Value *args, Value *result, Way *way);
void own_print_escape(Interp *in, Exception *e);
/* Throws anything, where nothing can go on. */
Way own_raise(Interp *in, int32_t n);

/* fault.c */
/* Does the op fault? *r: what is raised then. */
bool fault_of(Interp *in, const IrOp *op, Record *r);
/* WAY_END: the op is to be started again. */
Way fault_raise(Interp *in, const IrOp *op, const Record *r);
Way fault_check(Interp *in, const IrOp *op);
/* Is it a code of Windows? */
bool fault_is_status(uint32_t code);
bool fault_is_status_type(const char *type);
bool fault_is_of_type(uint32_t code, const char *type);
uint32_t fault_status_of(const char *type); /* 0: none */

/* fault_world.c: as world_call(). */
bool fault_call(Interp *in, const char *name, const Value *args, Value *result, Way *way);
void fault_start(World *w);
bool fault_place_is_bad(const World *w, const void *p);
void fault_say(const World *w, const Record *r);
bool fault_repair(World *w, const Record *r); /* false: it cannot be continued */

#endif
