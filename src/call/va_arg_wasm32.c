/* call/va_arg_wasm32.c: a list is the address of the next argument, in a buffer of the caller's where each has its own
 * alignment, of at least 4 bytes. Of a record that goes in memory the buffer has the address.
 *
 * 	at = list, aligned; list = at + size, in steps of 4
 */
#include "call/va_arg_internal.h"

#include "ir/layout.h"

enum { SLOT = 4 };

static IrValue *next(VaArg *a, IrBuilder *b, IrType *t, uint64_t align)
{
	IrValue *p = ir_build_bitcast(b, a->list, ir_type_ptr(a->m, a->m->voidp));
	IrValue *at = ir_build_load(b, p);
	if (align > SLOT)
		at = va_align(b, at, align);
	uint64_t used = (ir_type_size(t) + SLOT - 1) / SLOT * SLOT;
	ir_build_store(b, va_step(b, at, va_number(b, a->m->size, used), a->m->voidp->elem), p);
	return ir_build_bitcast(b, at, ir_type_ptr(a->m, t));
}

void va_lower_wasm32(VaArg *a)
{
	IrBuilder b = ir_before(a->m, a->op);
	uint64_t align = abi_type_align(a->types, a->type);
	if (a->passing.how == PASS_NOTHING) {
		va_finish_undefined(a);
	} else if (a->passing.how == PASS_BYVAL || a->passing.how == PASS_ADDRESS) {
		IrType *address = ir_type_ptr(a->m, a->type);
		va_finish(a, va_load(&b, ir_build_load(&b, next(a, &b, address, SLOT)), align));
	} else {
		va_finish(a, va_load(&b, next(a, &b, a->type, align), align > SLOT ? align : SLOT));
	}
}
