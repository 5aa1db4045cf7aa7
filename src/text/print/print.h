/* text/print/print.h: IR to text, always in the newest spelling. The text of a module that verifies reads back as
 * the same module. Errors none. Changes nothing. */
#ifndef CIRC_TEXT_PRINT_PRINT_H
#define CIRC_TEXT_PRINT_PRINT_H

#include "base/vec.h"
#include "ir/module.h"

typedef enum PrintFlags {
	PRINT_LOCATIONS = 1, /* loc(…) after ops, blocks and arguments; default: left out */
	PRINT_GENERIC = 2,   /* every op in the generic form (reference 1.10) */
} PrintFlags;

/* Where text of an op begins: its head, and what stands after each of its regions. */
typedef struct PrintPlace {
	uint32_t offset; /* in the text */
	const IrOp *op;
} PrintPlace;
typedef VEC(PrintPlace) PrintPlaces;

/* Appends to out, whose storage is in `arena`. What the printer needs itself is in the module's scratch
 * arena; it is given back unless `arena` is that one. */
void text_print(IrModule *m, unsigned flags, Arena *arena, StrBuf *out);

/* The same, and appends to places, ascending, where its ops are; they are kept in `arena`, too. */
void text_print_places(IrModule *m, unsigned flags, Arena *arena, StrBuf *out, PrintPlaces *places);

#endif
