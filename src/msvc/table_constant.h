/* msvc/table_constant.h: the globals that hold type descriptors and the tables of a throw. */
#ifndef CIRC_MSVC_TABLE_CONSTANT_H
#define CIRC_MSVC_TABLE_CONSTANT_H

#include "ir/module.h"

enum { MS_DATA_MAX = 8 }; /* members of a record made here */

/* A constant of an anonymous struct of what the elements are. */
const IrAttr *ms_data_record(IrModule *m, const IrAttr *const *elems, uint32_t n);
const IrAttr *ms_data_array(IrModule *m, IrType *elem, const IrAttr *const *elems, uint32_t n);
const IrAttr *ms_data_string(IrModule *m, Str bytes); /* with a NUL at its end */
/* The distance of a symbol from the start of the image; 0 for none. */
const IrAttr *ms_data_image_relative(IrModule *m, Name *symbol);

typedef enum MsDataFlag {
	MS_DATA_CONSTANT = 1,
	MS_DATA_SHARED = 2,   /* one of equals in the program is kept; else internal to the object */
	MS_DATA_XDATA = 4,    /* in the section of unwinding data */
	MS_DATA_EXTERNAL = 8, /* other objects refer to this one */
} MsDataFlag;

/* The name must be free. */
void ms_data_define(IrModule *m, Name *name, const IrAttr *value, unsigned flags, Loc loc);
/* Of a definition, until another object has one of that name. */
void ms_data_alias(IrModule *m, Name *name, Name *of, Loc loc);
void ms_data_declare(IrModule *m, Name *name, IrType *type, Loc loc); /* an external constant */

#endif
