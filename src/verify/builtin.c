/* Builtins (cir-reference 5.5, 5.18). */
#include "verify/verifier.h"

#include "ir/layout.h"
#include "target/target.h"

/* Pointers to the stack and to code are in the default address space. */
void verify_default_space(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++)
		if (ir_operand(op, i)->type->attr)
			verifier_error(
			    v, op, ": expected operand #%u to be in the default address space, found '%s'", i,
			    verifier_type(v, ir_operand(op, i)->type));
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->results[i].type->attr)
			verifier_error(v, op,
			               ": expected the result to be in the default address space, found '%s'",
			               verifier_type(v, op->results[i].type));
}

static bool check_range(Verifier *v, const IrOp *op, NameId name, uint64_t max)
{
	uint64_t value;
	const IrAttr *a = ir_op_attr(op, name);
	if (ir_attr_get_u64(a, &value) && value <= max)
		return true;
	verifier_error(v, op, ": attribute '%s' must be an integer from 0 to %llu",
	               ir_known_name(v->m, name)->text, (unsigned long long)max);
	return false;
}

/* Memory */

/* What is copied without a call becomes as many instructions: LLVM's own limit for
 * memory operations is far below. */
void verify_inline_bytes(Verifier *v, const IrOp *op)
{
	enum { INLINE_BYTES_MAX = 65536 };
	check_range(v, op, NAME_len, INLINE_BYTES_MAX);
}

static bool check_bits(Verifier *v, const IrOp *op, const IrAttr *range, uint64_t size)
{
	uint64_t begin, end;
	if (range->kind != ATTR_PARAMS || range->row != ATTR_ROW_OFFSET_PAIR)
		verifier_error(v, op, ": expected attribute 'offsets' to be an array of #cir.offset_pair");
	else if (!ir_attr_get_u64(range->elems[OFFSET_PAIR_BEGIN], &begin) ||
	         !ir_attr_get_u64(range->elems[OFFSET_PAIR_END], &end) || begin > end || end / 8 > size ||
	         (end / 8 == size && end % 8))
		verifier_error(v, op, ": '%s' is not a range of bits within the %llu bytes of the pointee",
		               ir_attr_str(v->arena, range), (unsigned long long)size);
	else
		return true;
	return false;
}

void verify_clear_padding(Verifier *v, const IrOp *op)
{
	IrType *pointee = ir_operand(op, 0)->type->elem;
	const IrAttr *offsets = ir_op_attr(op, NAME_offsets);
	if (!verifier_check_storage(v, op, pointee, "pointee type") ||
	    !verifier_check_align(v, op, NAME_alignment))
		return;
	if (offsets->kind != ATTR_ARRAY) {
		verifier_error(v, op, ": expected attribute 'offsets' to be an array of #cir.offset_pair");
		return;
	}
	for (uint32_t i = 0; i < offsets->n; i++)
		if (!check_bits(v, op, offsets->elems[i], ir_type_size(pointee)))
			return;
}

void verify_objsize(Verifier *v, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	if (t->bitint || (t->width != 32 && t->width != 64))
		verifier_error(v, op, ": expected result #0 to be an integer of 32 or 64 bits, found '%s'",
		               verifier_type(v, t));
}

void verify_prefetch(Verifier *v, const IrOp *op)
{
	check_range(v, op, NAME_locality, 3);
}

/* Hints */

void verify_assume_aligned(Verifier *v, const IrOp *op)
{
	verifier_check_align(v, op, NAME_alignment);
	if (op->noperands > 1 && ir_operand(op, 1)->type->width > 64)
		verifier_error(v, op, ": expected operand #1 to have at most 64 bits, found '%s'",
		               verifier_type(v, ir_operand(op, 1)->type));
}

void verify_expect(Verifier *v, const IrOp *op)
{
	const IrValue *expected = ir_operand(op, 1);
	if (ir_op_has(op, NAME_prob) && (expected->is_arg || expected->def.op->kind != OP_CONST))
		verifier_error(v, op, ": with a probability, operand #1 must be the result of 'cir.const'");
}

/* The stack and the machine */

/* The level is part of the instruction, and a load each: clang allows as many. */
void verify_frame_level(Verifier *v, const IrOp *op)
{
	enum { LEVEL_MAX = 65535 };
	const IrValue *level = ir_operand(op, 0);
	uint64_t n;
	const IrAttr *a =
	    !level->is_arg && level->def.op->kind == OP_CONST ? ir_op_attr(level->def.op, NAME_value) : NULL;
	if (!a || a->kind != ATTR_INT || !ir_attr_get_u64(a, &n) || n > LEVEL_MAX)
		verifier_error(v, op, ": operand #0 must be the result of a 'cir.const' from 0 to %d",
		               LEVEL_MAX);
	else
		verify_default_space(v, op);
}

void verify_cpuid(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	if (!ir_is_int(t) || t->width != 32)
		verifier_error(v, op, ": expected operand #0 to point to integers of 32 bits, found '%s'",
		               verifier_type(v, ir_operand(op, 0)->type));
}

/* What a register can hold. */
static bool check_scalars(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++) {
		const IrType *t = ir_operand(op, i)->type, *s = ir_scalar(t);
		if (ir_is_int(s) || ir_is_float(s) || ir_is_ptr(s) || s->kind == TYPE_BOOL ||
		    s->kind == TYPE_VPTR)
			continue;
		verifier_error(v, op,
		               ": expected operand #%u to be a number, a pointer or a vector, found '%s'", i,
		               verifier_type(v, t));
		return false;
	}
	return true;
}

/* The names that are of no use here: intrinsics of other machines, and those with ops of their own. */
static const char *foreign_prefix(Str name, const AbiMachine *machine)
{
	static const char *const prefixes[] = {
	    "aarch64.", "amdgcn.", "arm.",   "bpf.",  "dx.",  "hexagon.", "loongarch.", "mips.", "nvvm.",
	    "ppc.",     "r600.",   "riscv.", "s390.", "spv.", "ve.",      "wasm.",      "x86.",  "xcore.",
	};
	for (unsigned i = 0; i < ARRAY_LEN(prefixes); i++)
		if (name.len > strlen(prefixes[i]) && strcmp(prefixes[i], machine->intrinsics) != 0 &&
		    memcmp(name.data, prefixes[i], strlen(prefixes[i])) == 0)
			return prefixes[i];
	return NULL;
}

static bool is_intrinsic_name(Str name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		            c == '.' || c == '_';
		if (!fine)
			return false;
	}
	return name.len != 0;
}

void verify_call_llvm_intrinsic(Verifier *v, const IrOp *op)
{
	const AbiTarget *target = abi_target(ir_module_triple(v->m));
	const AbiMachine *machine = (target ? target : abi_target(STR("")))->machine;
	const IrAttr *a = ir_op_attr(op, NAME_intrinsic_name);
	if (!a || a->kind != ATTR_STRING || !is_intrinsic_name(name_str(a->name)))
		verifier_error(v, op,
		               "requires a string attribute 'intrinsic_name', the name without 'llvm.'");
	else if (foreign_prefix(name_str(a->name), machine))
		verifier_error(v, op, ": 'llvm.%s' is an intrinsic of another architecture than %s",
		               a->name->text, machine->name);
	else
		check_scalars(v, op);
}

/* Inline assembly */

static bool check_segments(Verifier *v, const IrOp *op)
{
	const IrAttr *segments = ir_op_attr(op, NAME_operands_segments);
	uint64_t total = 0, n;
	bool ok = segments && segments->kind == ATTR_ARRAY && segments->n == 3;
	for (uint32_t i = 0; ok && i < 3; i++) {
		ok = segments->elems[i]->kind == ATTR_INT && ir_attr_get_u64(segments->elems[i], &n) &&
		     n <= op->noperands;
		total += ok ? n : 0;
	}
	if (ok && total == op->noperands)
		return true;
	verifier_error(v, op,
	               ": expected attribute 'operands_segments' to be three counts whose sum is %u, the "
	               "number of operands",
	               op->noperands);
	return false;
}

static bool check_memory(Verifier *v, const IrOp *op)
{
	const IrAttr *memory = ir_op_attr(op, NAME_maybe_memory);
	if (!memory)
		return true;
	bool ok = memory->kind == ATTR_ARRAY && memory->n == op->noperands;
	for (uint32_t i = 0; ok && i < memory->n; i++)
		ok = memory->elems[i]->kind == ATTR_FLAG;
	if (!ok)
		verifier_error(
		    v, op,
		    ": attribute 'maybe_memory' must have one true or false for each of the %u operands",
		    op->noperands);
	return ok;
}

static bool is_text(const IrAttr *a)
{
	return a && a->kind == ATTR_STRING && !memchr(a->name->text, 0, a->name->len);
}

void verify_asm(Verifier *v, const IrOp *op)
{
	const IrAttr *flavor = ir_op_attr(op, NAME_asm_flavor);
	if (!is_text(ir_op_attr(op, NAME_asm_string)) || !is_text(ir_op_attr(op, NAME_constraints)))
		verifier_error(
		    v, op, "requires string attributes 'asm_string' and 'constraints', without NUL bytes");
	else if (!flavor || flavor->kind != ATTR_ENUM || flavor->enum_class != ENUM_ASM_FLAVOR)
		verifier_error(v, op, "requires attribute 'asm_flavor', 'x86_att' or 'x86_intel'");
	else if (check_segments(v, op) && check_memory(v, op) && verifier_check_template(v, op) &&
	         check_scalars(v, op))
		verifier_check_constraints(v, op);
}
