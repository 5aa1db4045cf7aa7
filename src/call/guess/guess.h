/* call/guess/guess.h: what an older text is guessed to mean, whose era could not say how values are passed.
 *
 * Only for modules with the attribute `circ.older_text`: the reader sets it where the text has an older spelling, and it is printed,
 * since nothing else in what is printed says so. Text of the newest grammar and modules that are built in memory are never
 * guessed about: what they do not specify has the default of call/type_passing.h.
 *
 * Ownership  in the arena that is given.
 * Cost       walks over the module; none where there is nothing to guess.
 */
#ifndef CIRC_CALL_GUESS_GUESS_H
#define CIRC_CALL_GUESS_GUESS_H

#include "base/ptrmap.h"
#include "ir/module.h"

typedef struct AbiGuesses {
	PtrMap by_address; /* record types whose copies functions make, which the module has */
	PtrMap
	    copied; /* record types that are taken for trivially copyable: the copy or move constructor of each */
	PtrMap
	    units; /* record types: an array with a bool for each member, whether it is a unit of bit-fields */
} AbiGuesses;

void abi_guess(AbiGuesses *g, const IrModule *m, Arena *mem);

static inline bool abi_may_guess(const IrModule *m)
{
	return ir_module_attr(m, NAME_circ_older_text) != NULL;
}

/* The parts of abi_guess() */
void abi_guess_by_function(AbiGuesses *g, const IrModule *m, Arena *mem);
void abi_guess_units(AbiGuesses *g, const IrModule *m, Arena *mem);

/* A front end that widens one parameter, or lowers one, has done so with all: an i8 that says nothing is a piece of a record
 * then, which nobody widens. Is there such a function? */
bool abi_guess_lowered(const IrModule *m, bool (*is_lowered)(const void *user, const IrOp *func),
                       const void *user);

/* Adds the record types that are no aggregates for Microsoft's C++ to `found` (call/record_trait.h). */
void abi_guess_no_aggregates(PtrMap *found, const IrModule *m, Arena *mem);
/* Are the classes of the module Microsoft's, by the names of its symbols? */
bool abi_guess_microsoft_classes(const IrModule *m);

#endif
