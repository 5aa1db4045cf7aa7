/* ir/references.h: the symbols that a module needs from elsewhere. */
#ifndef CIRC_IR_REFERENCES_H
#define CIRC_IR_REFERENCES_H

#include "base/vec.h"
#include "ir/module.h"

typedef struct IrReference {
	Name *symbol;
	Loc loc; /* of the first op that names it outright; else of its declaration */
} IrReference;

typedef VEC(IrReference) IrReferences;

/* Declared functions and globals, and definitions that are available_externally, in the order of the module; in mem. */
IrReferences ir_references(const IrModule *m, Arena *mem);

#endif
