/* ir/data.h: globals that hold tables for a run-time library: type descriptors, tables of a throw, clauses. */
#ifndef CIRC_IR_DATA_H
#define CIRC_IR_DATA_H

#include "ir/module.h"

enum { IR_DATA_MAX = 8 }; /* members of a record made here */

/* A constant of an anonymous struct of what the elements are. */
const IrAttr *ir_data_record(IrModule *m, const IrAttr *const *elems, uint32_t n);
const IrAttr *ir_data_array(IrModule *m, IrType *elem, const IrAttr *const *elems, uint32_t n);
const IrAttr *ir_data_string(IrModule *m, Str bytes);     /* with a NUL at its end */
const IrAttr *ir_data_address(IrModule *m, Name *symbol); /* a !cir.ptr<!void> */
/* The distance of a symbol from the start of the image; 0 for none. */
const IrAttr *ir_data_image_relative(IrModule *m, Name *symbol);

typedef enum IrDataFlag {
	IR_DATA_CONSTANT = 1,
	IR_DATA_SHARED = 2,   /* one of equals in the program is kept; else internal to the object */
	IR_DATA_XDATA = 4,    /* in the section of unwinding data */
	IR_DATA_EXTERNAL = 8, /* other objects refer to this one */
} IrDataFlag;

/* The name must be free. */
void ir_data_define(IrModule *m, Name *name, const IrAttr *value, unsigned flags, Loc loc);
/* Of a definition, until another object has one of that name. */
void ir_data_alias(IrModule *m, Name *name, Name *of, Loc loc);
void ir_data_declare(IrModule *m, Name *name, IrType *type, Loc loc); /* an external constant */

#endif
