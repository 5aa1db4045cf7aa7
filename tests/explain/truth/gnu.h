#ifndef TRUTH_GNU_H
#define TRUTH_GNU_H

#include "handler.h"
#include "type.h"

void record_gnu_type(Record *r, const ExceptionRecord *e, OwnType *own);

#endif
