/* Memory: stack slots, loads and stores, copies, addresses (cir-reference 5.5). */
#include "verify/verifier.h"

#include "ir/layout.h"

static const IrType *pointee(const IrValue *pointer)
{
	return pointer->type->elem;
}

static bool check_pointee(Verifier *v, const IrOp *op, const IrValue *pointer)
{
	return verifier_check_storage(v, op, pointee(pointer), "pointee type");
}

void verify_alloca(Verifier *v, const IrOp *op)
{
	const IrValue *slot = &op->results[0];
	if (!check_pointee(v, op, slot))
		return;
	if (slot->type->attr)
		verifier_error(v, op, ": expected the result to be in the default address space, found '%s'",
		               verifier_type(v, slot->type));
	else if (verifier_check_annotations(v, op))
		verifier_check_align(v, op, NAME_alignment);
}

/* Loads and stores */

static void check_atomic(Verifier *v, const IrOp *op, const IrType *t, unsigned not_this, unsigned nor_this)
{
	unsigned order = ir_op_enum(op, NAME_mem_order, MEM_ORDER_RELAXED);
	if (!ir_op_has(op, NAME_mem_order)) {
		if (ir_op_has(op, NAME_sync_scope))
			verifier_error(v, op, "has 'syncscope' without 'atomic'");
	} else if (!verifier_check_atomic_type(v, op, t)) {
		return;
	} else if (order == not_this || order == nor_this || order == MEM_ORDER_ACQ_REL) {
		verifier_error(v, op, "cannot have the atomic order '%s'",
		               ir_enum_info[ENUM_MEM_ORDER].words[order]);
	}
}

void verify_load(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	if (pointee(ir_operand(op, 0)) != t) {
		verifier_error(v, op, ": the result has type '%s', but the address points to '%s'",
		               verifier_type(v, t), verifier_type(v, pointee(ir_operand(op, 0))));
		return;
	}
	if (verifier_check_align(v, op, NAME_alignment))
		check_atomic(v, op, t, MEM_ORDER_RELEASE, MEM_ORDER_RELEASE);
}

void verify_store(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type;
	if (pointee(ir_operand(op, 1)) != t) {
		verifier_error(v, op, ": the value has type '%s', but the address points to '%s'",
		               verifier_type(v, t), verifier_type(v, pointee(ir_operand(op, 1))));
		return;
	}
	if (verifier_check_align(v, op, NAME_alignment))
		check_atomic(v, op, t, MEM_ORDER_ACQUIRE, MEM_ORDER_CONSUME);
}

/* Copies */

void verify_copy(Verifier *v, const IrOp *op)
{
	const IrValue *src = ir_operand(op, 0), *dst = ir_operand(op, 1);
	if (!check_pointee(v, op, src))
		return;
	if (pointee(src) != pointee(dst))
		verifier_error(v, op, ": source and destination must point to the same type");
	else if (ir_op_has(op, NAME_skip_tail_padding) && pointee(src)->kind != TYPE_RECORD)
		verifier_error(v, op, ": 'skip_tail_padding' applies to records only, found '%s'",
		               verifier_type(v, pointee(src)));
	else if (verifier_check_align(v, op, NAME_src_align))
		verifier_check_align(v, op, NAME_dst_align);
}

static bool is_void_ptr(const IrValue *pointer)
{
	return pointee(pointer)->kind == TYPE_VOID;
}

void verify_libc_mem(Verifier *v, const IrOp *op)
{
	bool set = op->kind == OP_LIBC_MEMSET;
	const char *name = set ? "memset" : op->kind == OP_LIBC_MEMCPY ? "memcpy" : "memmove";
	const IrType *length = ir_operand(op, 0)->type;
	if (length->is_signed || length->bitint)
		verifier_error(v, op, ": the length of %s must be an unsigned integer%s", name,
		               length->bitint ? ", not a _BitInt" : "");
	else if (length->width > 64)
		verifier_error(v, op, ": the length of %s must have at most 64 bits", name);
	else if (set && ir_operand(op, 2)->type->width > 64)
		verifier_error(v, op, ": the value of memset must have at most 64 bits");
	else if (!set && (!is_void_ptr(ir_operand(op, 1)) || !is_void_ptr(ir_operand(op, 2))))
		verifier_error(v, op, ": source and destination of %s must be void pointers", name);
	else if (verifier_check_align(v, op, NAME_alignment) && verifier_check_align(v, op, NAME_src_align))
		verifier_check_align(v, op, NAME_dst_align);
}

/* LLVM takes nothing but a stack slot here. */
void verify_lifetime(Verifier *v, const IrOp *op)
{
	const IrValue *slot = ir_operand(op, 0);
	if (slot->is_arg || slot->def.op->kind != OP_ALLOCA)
		verifier_error(v, op, ": operand #0 must be the result of 'cir.alloca'");
}

/* Addresses */

void verify_get_global(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_symbol);
	if (!verifier_check_symbol(v, op, name, true))
		return;
	const IrOp *symbol = ir_symbol(name);
	const IrType *t = op->results[0].type, *want = ir_symbol_type(symbol);
	bool guarded = ir_op_has(symbol, NAME_static_local_guard);
	if (want && t->elem != want)
		verifier_error(v, op, ": the result points to '%s', but '@%s' has type '%s'",
		               verifier_type(v, t->elem), name->text, verifier_type(v, want));
	else if (t->attr != ir_op_attr(symbol, NAME_addr_space))
		verifier_error(v, op, ": the result is not in the address space of '@%s'", name->text);
	else if (ir_op_has(op, NAME_thread_local) && !ir_op_has(symbol, NAME_tls_model))
		verifier_error(v, op, "has 'thread_local', but the global is not thread-local");
	else if (ir_op_has(op, NAME_static_local) && !guarded)
		verifier_error(v, op, "has 'static_local', but '@%s' has no 'static_local_guard'",
		               name->text);
	else if (!ir_op_has(op, NAME_static_local) && guarded && v->symbol->kind != OP_GLOBAL)
		verifier_error(v, op, ": '@%s' has 'static_local_guard'; add 'static_local' to this op",
		               name->text);
}

/* void and functions count as one byte, as GNU C has it. */
static bool check_step(Verifier *v, const IrOp *op, const IrType *t)
{
	return t->kind == TYPE_VOID || t->kind == TYPE_FUNC ||
	       verifier_check_storage(v, op, t, "pointee type");
}

void verify_ptr_stride(Verifier *v, const IrOp *op)
{
	check_step(v, op, pointee(ir_operand(op, 0)));
}

void verify_ptr_diff(Verifier *v, const IrOp *op)
{
	const IrType *t = pointee(ir_operand(op, 0));
	if (check_step(v, op, t) && ir_type_sized(t) && ir_type_size((IrType *)t) == 0)
		verifier_error(v, op,
		               ": the pointee type '%s' has size zero, so no distance can be counted in it",
		               verifier_type(v, t));
}

void verify_get_element(Verifier *v, const IrOp *op)
{
	const IrType *base = ir_operand(op, 0)->type, *t = op->results[0].type;
	if (base->elem->kind != TYPE_ARRAY)
		verifier_error(v, op, ": expected a pointer to an array, found '%s'", verifier_type(v, base));
	else if (!check_pointee(v, op, ir_operand(op, 0)))
		return;
	else if (t->elem != base->elem->elem || t->attr != base->attr)
		verifier_error(v, op, ": expected the result to point to the element type '%s', found '%s'",
		               verifier_type(v, base->elem->elem), verifier_type(v, t));
}
