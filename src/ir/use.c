/* What an op uses: operands, arguments of successors, and where these lead. */
#include "ir/use.h"

#include "ir/module.h"

uint32_t ir_op_nmain(const IrOp *op)
{
	return op->nsuccs ? op->succs[0].first : op->noperands;
}

void ir_set_operand(IrOp *op, uint32_t i, IrValue *v)
{
	CHECK(i < op->noperands);
	if (op->operands[i].value)
		ir_use_unlink(&op->operands[i]);
	ir_use_link(&op->operands[i], v, op);
}

/* Replaces operands [at, at + old) by n others; what stands behind moves. */
static void splice_operands(IrModule *m, IrOp *op, uint32_t at, uint32_t old, IrValue *const *v, uint32_t n)
{
	uint32_t total = op->noperands - old + n;
	IrUse *uses = total ? pool_array(&m->pool, IrUse, total) : NULL;
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *value = op->operands[i].value;
		ir_use_unlink(&op->operands[i]);
		if (i < at)
			ir_use_link(&uses[i], value, op);
		else if (i >= at + old)
			ir_use_link(&uses[i - old + n], value, op);
	}
	for (uint32_t i = 0; i < n; i++)
		ir_use_link(&uses[at + i], v[i], op);
	pool_drop(op->operands);
	op->operands = uses;
	op->noperands = total;
}

void ir_op_set_main_operands(IrModule *m, IrOp *op, IrValue *const *v, uint32_t n)
{
	uint32_t old = ir_op_nmain(op);
	splice_operands(m, op, 0, old, v, n);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		op->succs[i].first = op->succs[i].first - old + n;
}

void ir_succ_set_args(IrModule *m, IrOp *op, uint32_t succ, IrValue *const *args, uint32_t n)
{
	CHECK(succ < op->nsuccs);
	uint32_t old = op->succs[succ].nargs;
	splice_operands(m, op, op->succs[succ].first, old, args, n);
	op->succs[succ].nargs = n;
	for (uint32_t i = succ + 1; i < op->nsuccs; i++)
		op->succs[i].first = op->succs[i].first - old + n;
}

void ir_succ_set_dest(IrSucc *s, IrBlock *dest)
{
	if (s->dest)
		ir_succ_unlink(s);
	ir_succ_link(s, dest);
}

void ir_value_replace(IrValue *from, IrValue *to)
{
	CHECK(from != to);
	while (from->uses) {
		IrUse *u = from->uses;
		IrOp *user = u->user;
		ir_use_unlink(u);
		ir_use_link(u, to, user);
	}
}
