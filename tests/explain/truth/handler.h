#ifndef TRUTH_HANDLER_H
#define TRUTH_HANDLER_H

#include "record.h"
#include "windows_api.h"

typedef void AddType(Record *r, const ExceptionRecord *e);

/* Calls the real handler of a frame, and records the question and the answer, if there is one. */
int record_handler(const char *name, LanguageHandler *real, AddType *add_type, ExceptionRecord *e,
                   void *frame, Context *context, Dispatch *dispatch);

#endif
