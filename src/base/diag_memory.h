/* base/diag_memory.h: warnings and remarks that were delivered, so that none comes again for the next use of the same module.
 *
 * Two are the same where their text and place are. Within one turn, both come.
 *
 * Ownership  malloc'ed; diag_memory_free(). All zero is empty.
 * Errors     without memory nothing is remembered.
 */
#ifndef CIRC_BASE_DIAG_MEMORY_H
#define CIRC_BASE_DIAG_MEMORY_H

#include "base/hash.h"
#include "circ/diagnostic.h"

typedef struct DiagMemory {
	struct DiagSaid *said; /* a table; hash 0: free */
	uint32_t cap, len;     /* cap: 0 or a power of two */
	uint32_t turn;         /* raise it before each use of the module */
	HashKey key;
} DiagMemory;

/* Was it delivered in an earlier turn? Else it is remembered. */
bool diag_memory_knows(DiagMemory *memory, const CircDiagnostic *d);
void diag_memory_free(DiagMemory *memory);

#endif
