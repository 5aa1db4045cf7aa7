#ifndef TRUTH_PERSONALITY_H
#define TRUTH_PERSONALITY_H

#include "type.h"

#include <unwind.h>

typedef _Unwind_Reason_Code Personality(int, _Unwind_Action, _Unwind_Exception_Class,
                                        struct _Unwind_Exception *, struct _Unwind_Context *);

typedef struct Question {
	const char *personality;
	_Unwind_Action actions;
	struct _Unwind_Exception *exception;
	struct _Unwind_Context *context;
	OwnType *own; /* NULL: the personality is C++'s */
} Question;

_Unwind_Reason_Code record_personality(Personality *real, const Question *q);

#endif
