/* runtime/eh/windows/record.h: what the system knows of an exception. Names of fields are ours, the layout is Microsoft's
 * (EXCEPTION_RECORD). */
#ifndef CIRC_RUNTIME_EH_WINDOWS_RECORD_H
#define CIRC_RUNTIME_EH_WINDOWS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum { SEH_NONCONTINUABLE = 1, SEH_UNWINDS = 2 | 4, MOST_PARAMETERS = 15 };

typedef struct ExceptionRecord {
	uint32_t code, flags;
	struct ExceptionRecord *nested;
	void *address;
	uint32_t nparameters;
	uintptr_t parameters[MOST_PARAMETERS];
} ExceptionRecord;

struct CircException;

/* Did a language throw it? *own: null if not one of ours did. */
bool circeh_is_thrown(ExceptionRecord *r, struct CircException **own);

#endif
