/* call/callee_origin.h: where pointers to functions come from, on all ways through flat CIR.
 *
 * 	ms_origin_add(&o, callee);	for each pointer that is asked for
 * 	ms_origin_solve(&o);
 * 	ms_origin_of(&o, callee);
 *
 * Ownership  in the module's scratch arena.
 * Cost       values and edges that lead to those that are asked for.
 */
#ifndef CIRC_CALL_CALLEE_ORIGIN_H
#define CIRC_CALL_CALLEE_ORIGIN_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/module.h"

typedef enum MsOrigin {
	MS_ORIGIN_MEMBER = 1, /* a virtual table, a pointer to a member, the address of a member function */
	MS_ORIGIN_OTHER = 2,  /* other functions, and memory, of which nothing is known */
} MsOrigin;

typedef struct MsOriginNode MsOriginNode;

typedef struct MsOrigins {
	IrModule *m;
	PtrMap nodes; /* by value */
	VEC(MsOriginNode *) added, work;
} MsOrigins;

void ms_origin_add(MsOrigins *o, const IrValue *pointer);
void ms_origin_solve(MsOrigins *o);
/* Of both, those that it may have; 0: null, or undefined. */
unsigned ms_origin_of(const MsOrigins *o, const IrValue *pointer);

#endif
