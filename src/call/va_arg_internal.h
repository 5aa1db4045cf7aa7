/* call/va_arg_internal.h: what the lowerings of va_arg share; private to call/va_arg*.c. */
#ifndef CIRC_CALL_VA_ARG_INTERNAL_H
#define CIRC_CALL_VA_ARG_INTERNAL_H

#include "call/signature.h"
#include "ir/build.h"

typedef struct VaArg {
	IrModule *m;
	AbiTypes *types;
	IrOp *op;
	IrType *type;
	IrValue *list;
	AbiPassing passing;
} VaArg;

/* va_arg_build.c */
IrValue *va_number(IrBuilder *b, IrType *t, uint64_t n);
IrValue *va_binary(IrBuilder *b, OpKind kind, IrValue *x, IrValue *y);
/* p + bytes, as a pointer to t */
IrValue *va_step(IrBuilder *b, IrValue *p, IrValue *bytes, IrType *t);
/* p, or the next address with that alignment */
IrValue *va_align(IrBuilder *b, IrValue *p, uint64_t align);
/* The address of a member of the list. */
IrValue *va_field(const VaArg *a, IrBuilder *b, uint64_t offset, IrType *t);
IrValue *va_load(IrBuilder *b, IrValue *p, uint64_t align);
/* A variable of the argument's type, in the entry block. */
IrValue *va_slot(const VaArg *a);
/* v takes the place of the op. */
void va_finish(VaArg *a, IrValue *v);
void va_finish_undefined(VaArg *a);

/* va_arg_aapcs64.c */
void va_lower_aapcs64(VaArg *a);

/* va_arg_buffer.c */
void va_lower_buffer(VaArg *a);

#endif
