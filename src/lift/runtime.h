/* lift/runtime.h: what the functions of a language's exceptions do. Those of the Itanium C++ ABI are known (Exception Handling, 2.4 and 2.5). */
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
	LIFT_ROLES
} LiftRole;

typedef struct LiftFn {
	Str name;
	LiftRole role;
} LiftFn;

typedef struct LiftTable {
	VEC(LiftFn) fns; /* besides those of C++ */
} LiftTable;

/* Of the function that a call names. */
LiftRole lift_role(const LiftTable *t, const IrOp *op);
LiftRole lift_role_of(const LiftTable *t, const Name *function);

#endif
