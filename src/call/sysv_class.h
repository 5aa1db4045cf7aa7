/* call/sysv_class.h: the classes of the eightbytes of a value, which say how the System V ABI passes it. */
#ifndef CIRC_CALL_SYSV_CLASS_H
#define CIRC_CALL_SYSV_CLASS_H

#include "call/type_passing.h"

enum { EIGHTBYTE = 8 };

typedef enum SysvClass {
	CLASS_NONE,
	CLASS_INTEGER,
	CLASS_SSE,
	CLASS_SSEUP,
	CLASS_X87,
	CLASS_X87UP,
	CLASS_COMPLEX_X87,
	CLASS_MEMORY,
} SysvClass;

/* Of the first eightbyte, and of all others. */
typedef struct SysvClasses {
	SysvClass lo, hi;
} SysvClasses;

/* named: not one of a variadic function's rest */
SysvClasses sysv_classify(AbiTypes *types, IrType *t, bool named);
/* Of __int128 or a _BitInt of as many bits. */
bool sysv_is_int128_vector(const IrType *t);
/* Does a value of t go in the same registers, whatever a MARK_UNTOLD in it is? */
bool sysv_is_told(AbiTypes *types, IrType *t);

#endif
