/* call/va_arg_buffer.c: a list is the address of the next argument. The arguments stand one behind another, each with its own alignment,
 * of at least that of an address: in a buffer of the caller's (WebAssembly), on the stack (Apple), or on a stack whose first 64 bytes came
 * in registers, which the callee has put in front of the rest (Windows on AArch64). Of what goes by address, they have the address.
 *
 * 	at = list, aligned; list = at + size, in steps of an address
 */
#include "call/va_arg_internal.h"

#include "ir/layout.h"

static IrValue *next(VaArg *a, IrBuilder *b, IrType *t, uint64_t align)
{
	IrValue *p = ir_build_bitcast(b, a->list, ir_type_ptr(a->m, a->m->voidp));
	IrValue *at = ir_build_load(b, p);
	uint64_t slot = ir_module_address_size(a->m);
	if (align > slot)
		at = va_align(b, at, align);
	uint64_t used = (ir_type_size(t) + slot - 1) / slot * slot;
	ir_build_store(b, va_step(b, at, va_number(b, a->m->size, used), a->m->voidp->elem), p);
	return ir_build_bitcast(b, at, ir_type_ptr(a->m, t));
}

/* Of what LLVM is given: a packed record goes as the vector in it. */
static uint64_t alignment(VaArg *a)
{
	return abi_type_align(a->types, a->passing.how == PASS_PIECES ? a->passing.pieces[0] : a->type);
}

void va_lower_buffer(VaArg *a)
{
	IrBuilder b = ir_before(a->m, a->op);
	uint64_t align = alignment(a), slot = ir_module_address_size(a->m);
	if (a->passing.how == PASS_NOTHING) {
		va_finish_undefined(a);
	} else if (a->passing.how == PASS_BYVAL || a->passing.how == PASS_ADDRESS) {
		IrType *address = ir_type_ptr(a->m, a->type);
		va_finish(a, va_load(&b, ir_build_load(&b, next(a, &b, address, slot)), align));
	} else {
		va_finish(a, va_load(&b, next(a, &b, a->type, align), align > slot ? align : slot));
	}
}
