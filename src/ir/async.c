#include "ir/async.h"

#include "ir/layout.h"
#include "ir/try.h"

static bool is_body(void *user, const IrRegion *r)
{
	TryHandler h;
	(void)user;
	TryRole role = ir_try_role(r, &h);
	return role == TRY_ROLE_FILTER || (role == TRY_ROLE_BODY && ir_op_has(r->op, NAME_async));
}

bool ir_is_async(Arena *a, PtrMap *known, const IrOp *op)
{
	const IrRegion *r = ir_nearest(a, known, op, is_body, NULL);
	TryHandler h;
	return r && ir_try_role(r, &h) == TRY_ROLE_BODY;
}

bool ir_async_is_register(const IrType *t)
{
	if (t->kind == TYPE_PTR || t->kind == TYPE_VPTR)
		return true;
	return t->kind == TYPE_INT && (t->width == 8 || t->width == 16 || t->width == 32 || t->width == 64);
}

uint64_t ir_async_size(IrType *t)
{
	enum { F80_BYTES = 10 }; /* the rest is padding, which a load does not read */
	const IrType *scalar = t->kind == TYPE_LONG_DOUBLE ? t->elem : t;
	return scalar->kind == TYPE_F80 ? F80_BYTES : ir_type_size(t);
}

/* A variable of the function, or a place in it that is known now, is always there. */
static bool is_in_variable(const IrValue *p)
{
	while (!p->is_arg) {
		const IrOp *op = p->def.op;
		switch (op->kind) {
		case OP_ALLOCA:
			return op->noperands == 0;
		case OP_GET_MEMBER:
		case OP_COMPLEX_REAL_PTR:
		case OP_COMPLEX_IMAG_PTR:
			p = ir_operand(op, 0);
			break;
		default:
			return false;
		}
	}
	return false;
}

static AsyncKind access_kind(const IrOp *op, uint32_t pointer, IrType *type)
{
	enum { ATOMIC_MAX = 8 };
	const IrValue *p = ir_operand(op, pointer);
	if (is_in_variable(p))
		return ASYNC_NONE;
	bool wide = ir_op_has(op, NAME_mem_order) && ir_type_size(type) > ATOMIC_MAX;
	return p->type->attr || wide ? ASYNC_REFUSED : ASYNC_RAISES;
}

static AsyncKind pair_kind(const IrOp *op, uint32_t first)
{
	const IrValue *p = ir_operand(op, first), *q = ir_operand(op, first + 1);
	if (is_in_variable(p) && is_in_variable(q))
		return ASYNC_NONE;
	return p->type->attr || q->type->attr ? ASYNC_REFUSED : ASYNC_RAISES;
}

AsyncKind ir_async_kind(const IrOp *op)
{
	switch (op->kind) {
	case OP_LOAD:
		return access_kind(op, 0, op->results[0].type);
	case OP_STORE:
		return access_kind(op, 1, ir_operand(op, 0)->type);
	case OP_GET_BITFIELD:
	case OP_SET_BITFIELD:
	case OP_MEMSET_INLINE:
		return access_kind(op, 0, ir_operand(op, 0)->type);
	case OP_LIBC_MEMSET:
		return access_kind(op, 1, ir_operand(op, 1)->type);
	case OP_COPY:
	case OP_MEMCPY_INLINE:
		return pair_kind(op, 0);
	case OP_LIBC_MEMCPY:
		return pair_kind(op, 1);
	case OP_DIV:
	case OP_REM:
		return ir_scalar(op->results[0].type)->kind == TYPE_INT ? ASYNC_RAISES : ASYNC_REFUSED;
	case OP_LIBC_MEMMOVE:
	case OP_LIBC_MEMCMP:
	case OP_LIBC_MEMCHR:
	case OP_CLEAR_PADDING:
	case OP_VEC_MASKED_LOAD:
	case OP_GET_METHOD:
	case OP_DELETE_ARRAY:
	case OP_ATOMIC_FETCH:
	case OP_ATOMIC_XCHG:
	case OP_ATOMIC_CMPXCHG:
	case OP_ATOMIC_TEST_AND_SET:
	case OP_ATOMIC_CLEAR:
		return ASYNC_REFUSED;
	default:
		return ASYNC_NONE;
	}
}
