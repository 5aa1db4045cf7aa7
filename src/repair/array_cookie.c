/* The number of elements that new[] keeps in front of them (Itanium C++ ABI, 2.7). Until May of 2026 clang took the memory of
 * new[] for pointers where it stepped over the number, by 8 of them:
 *
 *	%p = cir.cast bitcast %memory : !cir.ptr<!void> -> !cir.ptr<!cir.ptr<!u8i>>
 *	cir.store %n, (cir.cast bitcast %p -> !cir.ptr<!u64i>); %first = cir.ptr_stride %p, 8
 *
 * or, for an alignment N of the elements of more than 8, with steps to the number, by N - 8, and to the elements, by N. The
 * elements lay 64 bytes behind the begin of memory that has 8 for the number, and delete[] did not find it. Nothing else uses
 * %p; what the steps make is cast once: to no pointers to pointers, which would be the elements of a table. The memory is
 * as large as the elements and N bytes: in larger memory there may be as many pointers in front as the text says. It
 * becomes bytes. */
#include "repair/internal.h"

#include "ir/layout.h"
#include "ir/mangled.h"

#include <ctype.h>

typedef struct CookieWalk { /* zeros at first */
	const Name *callee; /* of the call that was looked at last */
	bool is_new;
} CookieWalk;

/* `na E m`; where a function has several local classes of one name, `na E _0 m` */
static bool is_array_new_of_size(const char *at, const char *end)
{
	if (!str_begins_with((Str){at, (size_t)(end - at)}, STR("naE")))
		return false;
	at = mangled_skip_discriminator(at + 3, end);
	return at < end && *at == 'm';
}

/* operator new[] behind the name of a class, its template arguments, or what stands for a name: of a class in whatever
 * else. Names are skipped, and numbers that are no lengths of names. */
static bool is_array_new_of_class(Str name)
{
	const char *at = name.data + 2, *end = name.data + name.len;
	if (!str_begins_with(name, STR("_ZN")) && !str_begins_with(name, STR("_ZZ")))
		return false;
	for (bool class = false; at && at < end; at = mangled_skip(at, end)) {
		if (class && is_array_new_of_size(at, end))
			return true;
		class = isdigit((unsigned char)*at) || *at == 'E' || *at == '_';
	}
	return false;
}

/* <operator-name> ::= na, of the global function or of a class (Itanium C++ ABI, 5.1.3) */
static bool is_array_new(const Name *name)
{
	Str text = name_str(name);
	return str_begins_with(text, STR("_Znam")) || is_array_new_of_class(text);
}

static const IrOp *bitcast_of(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	return op && op->kind == OP_CAST && ir_op_enum(op, NAME_kind, CAST_BITCAST) == CAST_BITCAST ? op
	                                                                                            : NULL;
}

/* One call may have many casts, and its callee a long name. */
static bool is_memory_of_new(CookieWalk *w, const IrValue *v)
{
	const IrOp *call = v->is_arg ? NULL : v->def.op;
	if (!call || (call->kind != OP_CALL && call->kind != OP_TRY_CALL))
		return false;
	const Name *callee = ir_call_callee(call);
	if (callee && callee != w->callee)
		*w = (CookieWalk){callee, is_array_new(callee)};
	return callee && w->is_new;
}

static bool points_to_pointer(const IrModule *m, const IrType *t)
{
	return t->kind == TYPE_PTR && t->elem->kind == TYPE_PTR && t->elem->elem == m->u8;
}

static const IrOp *only_user(const IrValue *v)
{
	return v->uses && !v->uses->next ? v->uses->user : NULL;
}

/* The bitcast that op is; NULL: it is another op. */
static const IrType *type_of_bitcast(const IrOp *op)
{
	return op && op->kind == OP_CAST && bitcast_of(&op->results[0]) ? op->results[0].type : NULL;
}

static bool is_cast_to_number(const IrModule *m, const IrOp *op)
{
	const IrType *t = type_of_bitcast(op);
	const IrOp *store = t && t->kind == TYPE_PTR && t->elem == m->u64 ? only_user(&op->results[0]) : NULL;
	return store && store->kind == OP_STORE && ir_operand(store, 1) == &op->results[0];
}

static bool is_cast_to_elements(const IrOp *op)
{
	const IrType *t = type_of_bitcast(op);
	return t && t->kind == TYPE_PTR && t->elem->kind != TYPE_PTR;
}

static bool constant_of(const IrValue *v, uint64_t *n)
{
	return !v->is_arg && v->def.op->kind == OP_CONST &&
	       ir_attr_get_u64(ir_op_attr(v->def.op, NAME_value), n);
}

/* By how much op steps; 0: it does not, or not by a known number forward. */
static uint64_t step_of(const IrOp *op)
{
	uint64_t step;
	return op->kind == OP_PTR_STRIDE && constant_of(ir_operand(op, 1), &step) ? step : 0;
}

/* The size of an element that `to`, a cast, has pointers to, maybe after one to `void *`; 0: unknown. The number is that of the
 * innermost elements of arrays of arrays. */
static uint64_t element_size(const IrOp *to)
{
	for (const IrOp *next = to; next && is_cast_to_elements(next); next = only_user(&next->results[0]))
		to = next;
	IrType *t = to->results[0].type->elem;
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	return ir_type_sized(t) ? ir_type_size(t) : 0;
}

/* %n * size + front, of which the sum is checked for overflow; the value for that is the other one of the cir.select. */
static bool adds(const IrValue *sum, uint64_t front)
{
	uint64_t n;
	const IrOp *op = sum->is_arg ? NULL : sum->def.op;
	if (op && op->kind == OP_SELECT && !ir_operand(op, 2)->is_arg)
		op = ir_operand(op, 2)->def.op;
	return op && op->kind == OP_ADD_OVERFLOW &&
	       (constant_of(ir_operand(op, 1), &n) || constant_of(ir_operand(op, 0), &n)) && n == front;
}

static bool fits(const IrOp *call, const IrValue *number, uint64_t front, const IrOp *to_elements)
{
	uint64_t size, n;
	if (!ir_call_nargs(call))
		return false;
	if (!constant_of(ir_operand(call, 0), &size))
		return adds(ir_operand(call, 0), front);
	return constant_of(number, &n) && size >= front && n <= size &&
	       size - front == n * element_size(to_elements);
}

/* The number takes the last 8 bytes of what is in front of the elements. */
static bool is_cookie_of_pointers(CookieWalk *w, const IrModule *m, const IrOp *op)
{
	enum { NUMBER_SIZE = 8 };
	if (op->kind != OP_CAST || !points_to_pointer(m, op->results[0].type) || !bitcast_of(&op->results[0]))
		return false;
	uint64_t number = 0, elements = 0;
	unsigned uses = 0, numbers = 0;
	const IrOp *to_number = NULL, *to_elements = NULL;
	IR_FOR_USES (u, &op->results[0]) {
		uint64_t step = step_of(u->user);
		const IrOp *to = step ? only_user(&u->user->results[0]) : u->user;
		uses++;
		if (to && is_cast_to_number(m, to)) {
			numbers++;
			number = step;
			to_number = to;
		} else if (to && step && is_cast_to_elements(to)) {
			elements = step;
			to_elements = to;
		} else {
			return false;
		}
	}
	if (uses != 2 || numbers != 1 || elements % NUMBER_SIZE != 0 || elements != number + NUMBER_SIZE)
		return false;
	const IrValue *memory = ir_operand(op, 0);
	return is_memory_of_new(w, memory) &&
	       fits(memory->def.op, ir_operand(only_user(&to_number->results[0]), 0), elements, to_elements);
}

static bool has_array_new(const IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC && is_array_new(ir_symbol_name(op)))
			return true;
	return false;
}

bool repair_array_cookies(Repair *r)
{
	CookieWalk w = {0};
	IrModule *m = r->m;
	IrType *bytes = ir_type_ptr(m, m->u8);
	if (!m->made[OP_PTR_STRIDE] || !has_array_new(m))
		return true;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body)) {
		if (!is_cookie_of_pointers(&w, m, op) || !repair_at(r, op->loc))
			continue;
		op->results[0].type = bytes;
		IR_FOR_USES (u, &op->results[0])
			if (u->user->kind == OP_PTR_STRIDE)
				u->user->results[0].type = bytes;
	}
	return true;
}
