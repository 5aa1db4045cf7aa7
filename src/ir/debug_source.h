/* ir/debug_source.h: what the source says of a function, where a pass has made something else of it: for
 * debuggers. Printed text does not have it. */
#ifndef CIRC_IR_DEBUG_SOURCE_H
#define CIRC_IR_DEBUG_SOURCE_H

#include "ir/build.h"

/* A variable that no alloca of the function is: in memory of the caller; of the function whose filter this is; in the bytes of another
 * variable. */
typedef struct IrMoved {
	IrValue *address; /* argument of the entry block, or a slot that holds the address */
	Name *name;
	IrType *type;
	Loc loc;
	uint32_t parameter; /* as ir_source_parameter() has it */
} IrMoved;

/* A slot of a parameter. The id tells another slot that came to lie in the same place. */
typedef struct IrSourceSlot {
	uint32_t id, parameter;
} IrSourceSlot;

typedef struct IrSource {
	IrType *type;      /* the function's */
	PtrMap parameters; /* slots (results of allocas) that parameters are stored to, to IrSourceSlot */
	VEC(IrMoved) moved;
} IrSource;

/* The parameter, from 1, that the prologue stores to a slot in the entry block; 0: none. */
uint32_t ir_stored_parameter(const IrValue *slot);

/* Remembers func as it is now, before its signature or its variables change. What is remembered already stays. */
IrSource *ir_source_remember(IrModule *m, const IrOp *func);
/* NULL: func is as the source has it. */
IrSource *ir_source_of(const IrModule *m, const IrOp *func);
/* Of a slot in a function that changed or did not (source NULL); from 1, or 0. */
uint32_t ir_source_parameter(const IrSource *source, const IrValue *slot);
/* The variable in a slot is at an argument from now on. */
void ir_source_move(IrModule *m, IrSource *source, const IrValue *slot, IrValue *address);
/* The variable in a slot, of this function or of the one around it, is at `address` from now on, which is kept for debuggers in a slot of
 * its own: a register would soon be gone. */
void ir_source_keep(IrBuilder *b, IrSource *source, const IrValue *slot, IrValue *address);

#endif
