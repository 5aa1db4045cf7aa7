/* call/guess/bitfield_unit.c: units of bit-fields in texts that have integers for them, before `!cir.bitfield`.
 *
 * The ops that read and write bit-fields show which members those are. It matters where a packed record has one at a place that an
 * integer would be misaligned at: bit-fields never are.
 */
#include "call/guess/guess.h"

#include "ir/layout.h"

static bool is_misaligned(IrType *record, uint32_t i)
{
	IrType *t = record->members[i];
	return t->kind == TYPE_INT && ir_record_offset(record, i) % ir_type_align(t);
}

static bool may_matter(IrType *t)
{
	enum { LARGEST = 16 };
	if (t->kind != TYPE_RECORD || !t->packed || !ir_type_sized(t) || ir_type_size(t) > LARGEST)
		return false;
	for (uint32_t i = 0; i < t->nmembers; i++)
		if (is_misaligned(t, i))
			return true;
	return false;
}

static bool any_may_matter(const IrModule *m)
{
	for (uint32_t i = 0; i < m->types.len; i++)
		if (may_matter(m->types.held[i]))
			return true;
	return false;
}

static void add(AbiGuesses *g, Arena *mem, const IrValue *address)
{
	const IrOp *op = address->is_arg ? NULL : address->def.op;
	if (!op || op->kind != OP_GET_MEMBER)
		return;
	IrType *record = ir_operand(op, 0)->type->elem;
	uint64_t index = 0;
	if (!may_matter(record) || !ir_attr_get_u64(ir_op_attr(op, NAME_index), &index) ||
	    index >= record->nmembers)
		return;
	bool *units = ptrmap_get(&g->units, record);
	if (!units) {
		units = arena_array(mem, bool, record->nmembers);
		ptrmap_put(mem, &g->units, record, units);
	}
	units[index] = true;
}

void abi_guess_units(AbiGuesses *g, const IrModule *m, Arena *mem)
{
	if (!any_may_matter(m))
		return;
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_GET_BITFIELD || op->kind == OP_SET_BITFIELD)
			add(g, mem, ir_operand(op, 0));
}
