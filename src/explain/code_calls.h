/* explain/code_calls.h: calls in code that exceptions come out of. Tables name no callees: relocations do, and, where code is linked, the
 * call instruction itself. */
#ifndef CIRC_EXPLAIN_CODE_CALLS_H
#define CIRC_EXPLAIN_CODE_CALLS_H

#include "explain/object/object.h"

typedef struct CodeCall {
	uint64_t end; /* of the instruction: where the callee returns to */
	Str callee;   /* symbol; none: unknown */
} CodeCall;

/* The first direct call that begins at `from` or behind and ends at `end` or before, by relocations. False: none is known. */
bool code_next_call(const ObjectFile *o, ObjectPlace from, uint64_t end, CodeCall *call);

/* The call that ends there, of linked code. False: none that is known. */
bool code_call_before(const ObjectFile *o, ObjectPlace end, CodeCall *call);

/* Code at a place that jumps through a slot, as linkers' stubs do: the symbol of the slot ("__imp_…" in an import table). Empty: other code. */
Str code_jump_name(const ObjectFile *o, ObjectPlace at);

/* The first call that code makes, where nothing but moves and pushes stands before it: no jump is passed. False: something else does. */
bool code_first_call(const ObjectFile *o, ObjectPlace from, CodeCall *call);

#endif
