/* A reference interpreter of structured CIR: executes the ops as cir-reference 5.7, 5.10 and 5.15 describe
 * them, without flattening and without LLVM. Slow and simple, so that it can be believed.
 *
 *   exec.c    regions and structured ops: each tells by a Way how it was left
 *   eval.c    ops that compute a value or use memory
 *   array.c   arrays of objects
 *   except.c  exception objects, the search for a handler, catching
 *   world.c   the functions that the programs call: tests/random/runtime.cpp once more
 *   main.c    the command
 *
 * Limits  no recursion of interpreted functions; no goto into a region; ops that the
 *         programs do not use are reported.
 */
#ifndef INTERPRET_H
#define INTERPRET_H

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

typedef struct Exception {
	const char *type; /* mangled, behind _ZTI */
	void *object;
	void *adjusted; /* to the type of the handler that was found */
	Name *dtor;     /* or NULL */
	int handlers;   /* that have begun and not ended */
	bool rethrown;
	struct Exception *caught_before;
} Exception;

/* What an exception passes on its way out, innermost first: a try, or (try_op NULL) the border of what runs
 * because of unwinding, where it terminates. */
typedef struct Guard {
	struct Guard *outer;
	const IrOp *try_op;
} Guard;

typedef struct World { /* tests/random/runtime.cpp */
	uint32_t state;
	unsigned decisions, elements;
} World;

typedef struct Interp {
	IrModule *m;
	Arena mem;     /* of one run: the program's memory, exceptions */
	Value *values; /* by IrValue.id */
	Guard *guards;
	bool caller_catches;  /* everything that leaves the function */
	Exception *caught;    /* innermost */
	Exception *exception; /* WAY_THROW */
	unsigned uncaught;    /* exceptions on their way to a handler */
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

/* array.c */
Way exec_array_ctor(Interp *in, const IrOp *op);
Way exec_array_dtor(Interp *in, const IrOp *op);
Way exec_delete_array(Interp *in, const IrOp *op);

/* eval.c: false when it is not such an op. */
bool eval_op(Interp *in, const IrOp *op);
uint64_t eval_size(IrType *t);
Value eval_load(const IrType *t, const void *p);
void eval_store(const IrType *t, void *p, Value v);

/* except.c */
Exception *exception_new(Interp *in, const char *type, size_t size);
Way exception_throw(Interp *in, Exception *e);
Way exception_rethrow(Interp *in);
/* Index of the handler region of a try that takes the exception; 0: none. Adjusts. */
uint32_t exception_handler(const IrOp *try_op, Exception *e);
void *exception_begin_catch(Interp *in, Exception *e);
Way exception_end_catch(Interp *in);

/* world.c */
void world_start(World *w, unsigned sequence);
/* False: there is no function of that name. */
bool world_call(Interp *in, const char *name, const Value *args, Value *result, Way *way);
bool world_is_base(const char *derived, const char *base); /* class types, by the mangled name */
void world_print_escape(const Exception *e);

#endif
