#include "abi/untold.h"

#include "abi/signature.h"
#include "abi/sysv_class.h"
#include "ir/spell.h"

typedef struct Check {
	AbiSignatures s;
	const AbiConvention *c; /* of the function at hand */
} Check;

static const IrType *untold_in_types(Check *c, IrType *const *types, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!sysv_is_told(&c->s.types, types[i]))
			return types[i];
	return NULL;
}

static const IrType *untold_in_values(Check *c, const IrOp *op)
{
	const IrType *t = NULL;
	bool calls = op_info[op->kind].flags & OPF_CALLS;
	for (uint32_t i = 0; calls && i < op->noperands && !t; i++)
		t = untold_in_types(c, &ir_operand(op, i)->type, 1);
	for (uint32_t i = 0; i < op->nresults && !t; i++)
		t = untold_in_types(c, &op->results[i].type, 1);
	return t;
}

/* The last member that is not told to be padding. */
static bool is_tail_untold(const IrType *record)
{
	for (uint32_t i = record->nmembers; record->marks && i-- > 0;)
		if (record->marks[i] != MARK_PAD)
			return record->marks[i] == MARK_UNTOLD;
	return false;
}

static const IrType *untold_copy(const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	return t->kind == TYPE_RECORD && ir_op_has(op, NAME_skip_tail_padding) && is_tail_untold(t) ? t
	                                                                                            : NULL;
}

/* What op passes or takes by value, or copies without its tail. */
static const IrType *untold_for(Check *c, const IrOp *op)
{
	bool calls = op_info[op->kind].flags & OPF_CALLS;
	if (op->kind == OP_COPY)
		return untold_copy(op);
	if (op->kind == OP_FUNC)
		c->c = abi_convention_of(&c->s, op);
	if ((calls ? abi_convention_of(&c->s, op) : c->c) != &abi_sysv_x86_64)
		return NULL;
	if (op->kind == OP_FUNC) {
		IrType *f = ir_func_type(op);
		const IrType *t = untold_in_types(c, f->members, f->nmembers);
		return t ? t : untold_in_types(c, &f->elem, 1);
	}
	return calls || op->kind == OP_VA_ARG ? untold_in_values(c, op) : NULL;
}

bool abi_check_untold(IrModule *m, const AbiTarget *target, const char *features, Diags *d)
{
	if (!m->padding_untold)
		return true;
	ArenaMark mark = arena_mark(&m->scratch);
	Check c = {0};
	bool ok = true;
	abi_signatures_init(&c.s, m, target, features, &m->scratch);
	for (const IrOp *op = ir_walk_first(&m->body); op && !diag_full(d); op = ir_walk_next(op, &m->body)) {
		const IrType *t = untold_for(&c, op);
		if (!t)
			continue;
		diag_error(d, op->loc,
		           "which members of '%s' are padding is not told, and what is passed or copied here "
		           "depends on it; expected 'data' or 'pad' before each member, and no "
		           "'padding_known = false' "
		           "of it in cir.record_traits",
		           ir_type_str(&m->scratch, t));
		ok = false;
	}
	arena_release(&m->scratch, mark);
	return ok;
}
