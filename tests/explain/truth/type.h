#ifndef TRUTH_TYPE_H
#define TRUTH_TYPE_H

#include "record.h"

#include <stdbool.h>

struct _Unwind_Exception; /* begins with the number of who threw it, exception_class */

/* Adds the type of an exception of circ's runtime; false: it is none. */
typedef bool OwnType(Record *r, const struct _Unwind_Exception *e);

OwnType record_own_type; /* own_type.c */

/* null: it is not known. own: NULL where the program has no such exceptions. */
void record_type(Record *r, const struct _Unwind_Exception *e, OwnType *own);

#endif
