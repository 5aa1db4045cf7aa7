/* lift/runtime.h: what the functions of a language's exceptions do. Those of the Itanium C++ ABI are known (Exception Handling, 2.4
 * and 2.5); a table says it of others (docs/llvm-ir.md).
 *
 * Ownership  a table's names are those of its text, or of the arena it was read into.
 */
#ifndef CIRC_LIFT_RUNTIME_H
#define CIRC_LIFT_RUNTIME_H

#include "base/vec.h"
#include "ir/module.h"

typedef enum LiftRole {
	LIFT_NOTHING,
	LIFT_ALLOCATE,   /* (size): memory for an exception */
	LIFT_FREE,       /* (memory) */
	LIFT_THROW,      /* (memory, type, destructor) */
	LIFT_RETHROW,    /* () */
	LIFT_BEGIN,      /* (exception): its object */
	LIFT_END,        /* () */
	LIFT_OBJECT,     /* (exception): its object, before the catch begins */
	LIFT_TERMINATE,  /* (exception) */
	LIFT_UNEXPECTED, /* (exception): no type of a specification */
	LIFT_TYPE,       /* (type): the number of a type among selectors */
	LIFT_CATCH,      /* (exception): begins the catch and ends it; the call stays, with the object */
	LIFT_RESUME,     /* (exception): as the instruction does */
	LIFT_ROLES
} LiftRole;

/* name: with a `*` at its end all names that begin so. */
typedef struct LiftFn {
	Str name;
	LiftRole role;
} LiftFn;

typedef struct LiftTable {
	VEC(LiftFn) fns; /* besides those of C++ */
	VEC(Str) personalities;
	bool circ;         /* what it is lifted to: exceptions of libcircrt; else of C++ */
	uint32_t language; /* circ.eh.language */
	Str compare;       /* decides whether a type takes an exception; empty: none is asked */
	Str pads;          /* is called where a pad takes an exception; empty: pads do not */
	bool cleanups;     /* pads that only clean up do, too */
	Str selector;      /* gives the selector there; empty: it is 0 */
} LiftTable;

/* t: NULL for C++ alone. Of the function that a call names. */
LiftRole lift_role(const LiftTable *t, const IrOp *op);
LiftRole lift_role_of(const LiftTable *t, const Name *function);
bool lift_has_personality(const LiftTable *t, const Name *personality);

/* Reads a table; every error is reported, and then false. */
bool lift_read_table(LiftTable *t, const Source *text, Arena *mem, Diags *d);

/* For the module's lifting; the text is copied. False: it was reported, and the module is as before. */
bool lift_set_table(IrModule *m, const Source *text, Diags *d);

#endif
