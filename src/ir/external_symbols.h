/* ir/external_symbols.h: the symbols that a module needs from elsewhere. */
#ifndef CIRC_IR_EXTERNAL_SYMBOLS_H
#define CIRC_IR_EXTERNAL_SYMBOLS_H

#include "base/vec.h"
#include "ir/module.h"

typedef VEC(SymbolUse) IrReferences;

/* Declared functions and globals, and definitions that are available_externally, in the order of the module,
 * each with the place of the first op that names it outright, else of its declaration. In mem, names
 * included: the module may be destroyed. */
IrReferences ir_references(const IrModule *m, Arena *mem);

#endif
