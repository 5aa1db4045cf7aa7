/* The number of elements that new[] keeps in front of them (Itanium C++ ABI, 2.7). Until May of 2026 clang took the memory of
 * new[] for pointers where it stepped over the number, by 8 of them:
 *
 *	%p = cir.cast bitcast %memory : !cir.ptr<!void> -> !cir.ptr<!cir.ptr<!u8i>>
 *	cir.store %n, (cir.cast bitcast %p -> !cir.ptr<!u64i>); %first = cir.ptr_stride %p, 8
 *
 * or, for an alignment N of the elements of more than 8, with steps to the number, by N - 8, and to the elements, by N. The
 * elements lay 64 bytes behind the begin of memory that has 8 for the number, and delete[] did not find it. Nothing else uses
 * %p; what the steps make is cast once: to no pointers to pointers, which would be the elements of a table. The memory becomes
 * bytes. */
#include "repair/internal.h"

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

/* By how much op steps; 0: it does not, or not by a known number forward. */
static uint64_t step_of(const IrOp *op)
{
	const IrValue *n = op->kind == OP_PTR_STRIDE ? ir_operand(op, 1) : NULL;
	uint64_t step;
	if (!n || n->is_arg || n->def.op->kind != OP_CONST ||
	    !ir_attr_get_u64(ir_op_attr(n->def.op, NAME_value), &step))
		return 0;
	return step;
}

/* The number takes the last 8 bytes of what is in front of the elements. */
static bool is_cookie_of_pointers(CookieWalk *w, const IrModule *m, const IrOp *op)
{
	enum { NUMBER_SIZE = 8 };
	if (op->kind != OP_CAST || !points_to_pointer(m, op->results[0].type) || !bitcast_of(&op->results[0]))
		return false;
	uint64_t number = 0, elements = 0;
	unsigned uses = 0, numbers = 0;
	IR_FOR_USES (u, &op->results[0]) {
		uint64_t step = step_of(u->user);
		const IrOp *to = step ? only_user(&u->user->results[0]) : u->user;
		uses++;
		if (to && is_cast_to_number(m, to)) {
			numbers++;
			number = step;
		} else if (to && step && is_cast_to_elements(to)) {
			elements = step;
		} else {
			return false;
		}
	}
	return uses == 2 && numbers == 1 && elements % NUMBER_SIZE == 0 && elements == number + NUMBER_SIZE &&
	       is_memory_of_new(w, ir_operand(op, 0)); /* last: it reads a name */
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
