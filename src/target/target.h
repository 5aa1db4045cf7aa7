/* target/target.h: how each target handles exceptions and passes values, one row per target.
 *
 * Two independent choices make up a row: the shape (how unwinding enters code) and the
 * runtime (which library is spoken to). A new target is a new row; a new shape or runtime is
 * a new file in src/eh.
 */
#ifndef CIRC_TARGET_TARGET_H
#define CIRC_TARGET_TARGET_H

#include "base/base.h"

typedef enum AbiShape {
	SHAPE_LANDING_PADS,
	SHAPE_FUNCLETS,
} AbiShape;

typedef enum AbiRuntime {
	RUNTIME_CXA,       /* __cxa_*: Itanium C++ ABI, level II */
	RUNTIME_MICROSOFT, /* _CxxThrowException and its tables */
} AbiRuntime;

typedef enum AbiTypeInfo {
	TYPE_INFO_ITANIUM,   /* _ZTI… */
	TYPE_INFO_MICROSOFT, /* ??_R0…@8 */
} AbiTypeInfo;

typedef enum AbiCallConv {
	CALL_SYSV_X86_64,
	CALL_WIN64,
} AbiCallConv;

typedef enum AbiObject {
	ABI_OBJECT_ELF,
	ABI_OBJECT_COFF,
} AbiObject;

typedef struct AbiTarget {
	const char *name; /* for messages */
	AbiShape shape;
	AbiRuntime runtime;
	AbiTypeInfo type_info;
	AbiCallConv call_conv;
	AbiObject object;
	const char *personality;      /* of C++ */
	const char *circ_personality; /* of circ's runtime; include/circ/runtime.h */
	const char *terminate;        /* std::terminate() */
	uint32_t unwind_header; /* RUNTIME_CXA: bytes from _Unwind_Exception to the thrown object behind it */
} AbiTarget;

/* Is it what a front end names for some row? In flat CIR, which knows no ABI, it says no more
 * than that the function may unwind. */
bool abi_is_default_personality(Str name);

/* The row of a triple; an empty triple is the host's, x86_64 ELF. NULL: exceptions are not supported there. */
const AbiTarget *abi_target(Str triple);

#endif
