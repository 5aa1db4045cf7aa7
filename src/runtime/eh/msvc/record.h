/* runtime/eh/msvc/record.h: what Windows and the C++ runtime of Microsoft's ABI know of an exception. Names of fields are
 * ours, the layout is Microsoft's (EXCEPTION_POINTERS, _ThrowInfo and what it leads to). */
#ifndef CIRC_RUNTIME_EH_MSVC_RECORD_H
#define CIRC_RUNTIME_EH_MSVC_RECORD_H

#include "runtime/eh/windows/record.h"

#include <stddef.h>

enum { CXX_MAGIC = 0x19930520, CXX_PARAMETERS = 4 };
#define CXX_EXCEPTION 0xe06d7363u /* "msc" */

/* Parameters of a C++ exception. */
enum { PARAMETER_MAGIC, PARAMETER_OBJECT, PARAMETER_THROW_INFO, PARAMETER_MODULE };

typedef struct ExceptionPointers {
	ExceptionRecord *record;
	void *context;
} ExceptionPointers;

/* Numbers are offsets from the beginning of the module that threw. */
typedef struct ThrowInfo {
	uint32_t attributes, destructor, forward, catchable_types;
} ThrowInfo;

typedef struct CatchableTypes {
	uint32_t n, types[1];
} CatchableTypes;

typedef struct CatchableType {
	uint32_t properties, descriptor;
	int32_t displacement[3];
	uint32_t size, copy;
} CatchableType;

typedef struct TypeDescriptor {
	const void *vftable;
	char *undecorated;
	char decorated[1];
} TypeDescriptor;

typedef struct CircehNative {
	ExceptionRecord record;       /* as it was raised */
	struct CircException *holder; /* what C++ takes for the object that was thrown */
} CircehNative;

void RaiseException(uint32_t code, uint32_t flags, uint32_t n, const uintptr_t *parameters);

/* The type thrown, NULL: it is no C++ exception. */
const CatchableType *circeh_cxx_type(const ExceptionRecord *r);
const void *circeh_in_module(const ExceptionRecord *r, uint32_t offset); /* offset 0: NULL */

#endif
