#include "api/api.h"

CircBlock *circ_module_body(CircModule *m)
{
	return m ? ir_module_block(m) : NULL;
}

CircBlock *circ_region_first_block(CircModule *m, CircRegion *r)
{
	bool ours = m && m->api && api_is_our_region(m, r);
	return ours ? api_hand_out(m, r->first) : NULL;
}

CircBlock *circ_block_next(CircModule *m, CircBlock *b)
{
	return m && m->api && api_is_ours(m, b) ? api_hand_out(m, b->next) : NULL;
}

CircOp *circ_block_first_op(CircBlock *b)
{
	return b ? b->first : NULL;
}

CircOp *circ_block_last_op(CircBlock *b)
{
	return b ? b->last : NULL;
}

CircOp *circ_op_next(CircOp *op)
{
	return op ? op->next : NULL;
}

CircOp *circ_op_prev(CircOp *op)
{
	return op ? op->prev : NULL;
}

CircRegion *circ_block_region(CircBlock *b)
{
	return b ? b->region : NULL;
}

size_t circ_block_nargs(const CircBlock *b)
{
	return b ? b->nargs : 0;
}

CircValue *circ_block_arg(const CircBlock *b, size_t index)
{
	return b && index < b->nargs ? b->args[index] : NULL;
}

const char *circ_op_mnemonic(const CircOp *op)
{
	return op ? op_info[op->kind].name : NULL;
}

bool circ_op_is_terminator(const CircOp *op)
{
	return op && op_info[op->kind].flags & OPF_TERM;
}

CircBlock *circ_op_block(CircModule *m, CircOp *op)
{
	return m && m->api && api_is_our_op(m, op) ? op->block : NULL;
}

CircOp *circ_op_parent(CircModule *m, CircOp *op)
{
	IrOp *parent = circ_op_block(m, op) ? ir_op_parent(op) : NULL;
	if (parent && !api_hand_out(m, parent->block))
		return NULL;
	return parent;
}

size_t circ_op_nresults(const CircOp *op)
{
	return op ? op->nresults : 0;
}

CircValue *circ_op_result(const CircOp *op, size_t index)
{
	return op && index < op->nresults ? &op->results[index] : NULL;
}

size_t circ_op_noperands(const CircOp *op)
{
	return op ? ir_op_nmain(op) : 0;
}

/* What defines an operand may stand in a block that was not asked for yet. */
CircValue *circ_op_operand(CircModule *m, const CircOp *op, size_t index)
{
	if (!m || !m->api || !api_is_our_op(m, op) || index >= circ_op_noperands(op))
		return NULL;
	IrValue *v = op->operands[index].value;
	return api_hand_out(m, v->is_arg ? v->def.block : v->def.op->block) ? v : NULL;
}

size_t circ_op_nregions(const CircOp *op)
{
	return op ? op->nregions : 0;
}

CircRegion *circ_op_region(CircOp *op, size_t index)
{
	return op && index < op->nregions ? &op->regions[index] : NULL;
}

size_t circ_op_nsuccessors(const CircOp *op)
{
	return op ? op->nsuccs : 0;
}

CircBlock *circ_op_successor(CircModule *m, const CircOp *op, size_t index)
{
	bool ours = m && m->api && api_is_our_op(m, op) && index < op->nsuccs;
	return ours ? api_hand_out(m, op->succs[index].dest) : NULL;
}

const CircAttr *circ_op_attr(CircModule *m, const CircOp *op, const char *name)
{
	const Name *n =
	    m && m->api && api_is_our_op(m, op) && name ? name_find(&m->names, str_of(name)) : NULL;
	return n ? ir_op_attr(op, n->id) : NULL;
}

const char *circ_op_symbol_name(const CircOp *op, size_t *len)
{
	const Name *n = op && op_info[op->kind].flags & OPF_SYMBOL ? ir_symbol_name(op) : NULL;
	if (len)
		*len = n ? n->len : 0;
	return n ? n->text : NULL;
}

CircType *circ_op_symbol_type(const CircOp *op)
{
	return op && op_info[op->kind].flags & OPF_SYMBOL ? ir_symbol_type(op) : NULL;
}

bool circ_op_may_throw(const CircOp *op)
{
	return op && ir_op_may_throw(op);
}

CircType *circ_value_type(const CircValue *v)
{
	return v ? v->type : NULL;
}

bool circ_value_is_used(const CircValue *v)
{
	return v && v->uses;
}
