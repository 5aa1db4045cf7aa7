/* edit_op.c: ops deleted, doubled, moved and copied; operands and successors exchanged. */
#include "edit.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/clone.h"

/* at: where new constants go. */
static void erase_for(Edit *e, IrOp *op, IrOp *at)
{
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->results[i].uses)
			ir_value_replace(&op->results[i], pick_value(e, at, op->results[i].type));
	ir_op_erase(op);
}

void edit_erase(Edit *e, IrOp *op)
{
	erase_for(e, op, op);
}

/* From the end: what is used in there is by then no more. */
void edit_erase_rest(Edit *e, IrOp *op)
{
	IrBlock *b = op->block;
	while (b->last != op)
		erase_for(e, b->last, op);
	edit_erase(e, op);
}

static bool is_inside(const IrOp *op, const IrOp *outer)
{
	while (op && op != outer)
		op = ir_op_parent(op);
	return op != NULL;
}

static IrOp *defining_function(const IrValue *v)
{
	IrBlock *b = v->is_arg ? v->def.block : NULL;
	IrOp *op = b ? b->region ? b->region->op : NULL : v->def.op;
	if (!op)
		return NULL;
	return ir_op_parent(op) ? pick_function_of(op) : op;
}

static bool is_own(const IrValue *v, const IrOp *outer)
{
	const IrBlock *b = v->is_arg ? v->def.block : NULL;
	return is_inside(b ? b->region->op : v->def.op, outer);
}

/* The copy's operands that come from outside of it, when it went to another function, or now and then. */
static void localize(Edit *e, IrOp *op, IrOp *copy)
{
	IrOp *func = pick_function_of(copy);
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *v = op->operands[i].value;
		if (!is_own(v, copy) && (defining_function(v) != func || pick_one_in(e, 8)))
			ir_set_operand(op, i, pick_value(e, copy, v->type));
	}
}

static IrBlock *any_block(Edit *e, const IrRegion *r)
{
	VEC(IrBlock *) blocks = {0};
	IR_FOR_BLOCKS (b, r)
		vec_push(e->arena, &blocks, b);
	return blocks.data[pick_below(e, blocks.len)];
}

/* Arguments as the destination wants them; tokens of cir.eh.dispatch are passed without being written. */
static void retarget(Edit *e, IrOp *op, uint32_t succ, IrBlock *dest)
{
	ir_succ_set_dest(&op->succs[succ], dest);
	if (op->kind == OP_EH_DISPATCH)
		return;
	IrValue **args = arena_array(e->arena, IrValue *, dest->nargs);
	for (uint32_t i = 0; i < dest->nargs; i++)
		args[i] = pick_value(e, op, dest->args[i]->type);
	ir_succ_set_args(e->m, op, succ, args, dest->nargs);
}

IrOp *edit_clone(Edit *e, const IrOp *op, IrOp *at)
{
	uint32_t nmain = ir_op_nmain(op);
	IrValue **operands = arena_array(e->arena, IrValue *, nmain);
	IrType **types = arena_array(e->arena, IrType *, op->nresults);
	IrSuccSpec *succs = arena_array(e->arena, IrSuccSpec, op->nsuccs);
	for (uint32_t i = 0; i < nmain; i++)
		operands[i] = op->operands[i].value;
	for (uint32_t i = 0; i < op->nresults; i++)
		types[i] = op->results[i].type;
	for (uint32_t i = 0; i < op->nsuccs; i++)
		succs[i].dest = op->succs[i].dest;
	IrOp *copy = ir_op_create(e->m, &(IrOpSpec){.kind = op->kind,
	                                            .operands = operands,
	                                            .noperands = nmain,
	                                            .result_types = types,
	                                            .nresults = op->nresults,
	                                            .succs = succs,
	                                            .nsuccs = op->nsuccs,
	                                            .nregions = op->nregions,
	                                            .attrs = op->attrs,
	                                            .nattrs = op->nattrs});
	for (uint32_t i = 0; i < op->nregions; i++)
		ir_region_clone(e->m, &op->regions[i], &copy->regions[i], e->arena);
	ir_op_insert_before(at, copy); /* last: it may be inside of op */
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		bool here = op->succs[i].dest->region == copy->block->region;
		retarget(e, copy, i, here ? op->succs[i].dest : any_block(e, copy->block->region));
	}
	localize(e, copy, copy);
	for (uint32_t r = 0; r < copy->nregions; r++) {
		const IrRegion *root = &copy->regions[r];
		for (IrOp *in = ir_walk_first(root); in; in = ir_walk_next(in, root))
			localize(e, in, copy);
	}
	return copy;
}

bool edit_delete(Edit *e)
{
	IrOp *op = pick_op(e, pick_one_in(e, 10) ? NULL : pick_is_middle);
	if (!op)
		return false;
	edit_erase(e, op);
	return true;
}

bool edit_double(Edit *e)
{
	IrOp *op = pick_op(e, pick_is_middle);
	if (!op)
		return false;
	edit_clone(e, op, op);
	return true;
}

/* Results go with their uses to what is before it. */
bool edit_move(Edit *e)
{
	IrOp *op = pick_op(e, pick_is_middle), *at = pick_op(e, pick_is_inner);
	if (!op || !at || is_inside(at, op))
		return false;
	ir_op_remove(op);
	ir_op_insert_before(at, op);
	localize(e, op, op);
	return true;
}

static bool has_result(const IrOp *op)
{
	return pick_is_middle(op) && op->nresults;
}

/* An op of anywhere, in front of another; its result is used by somebody. */
bool edit_copy(Edit *e)
{
	bool ends = pick_one_in(e, 10);
	IrOp *op = pick_op(e, ends ? pick_is_inner : pick_is_middle), *at = pick_op(e, pick_is_inner);
	if (!op || !at)
		return false;
	IrOp *copy = edit_clone(e, op, at);
	if (op_info[op->kind].flags & OPF_TERM) {
		edit_erase_rest(e, at);
	} else if (has_result(copy)) {
		IrValue *v = &copy->results[pick_below(e, copy->nresults)];
		for (uint32_t i = 0; i < at->noperands; i++)
			if (at->operands[i].value->type == v->type)
				ir_set_operand(at, i, v);
	}
	return true;
}

static bool has_operands(const IrOp *op)
{
	return op->noperands > 0;
}

bool edit_operand(Edit *e)
{
	IrOp *op = pick_op(e, has_operands);
	if (!op)
		return false;
	uint32_t i = pick_below(e, op->noperands);
	IrType *type = pick_one_in(e, 10) ? pick_type(e) : op->operands[i].value->type;
	ir_set_operand(op, i, pick_value(e, op, type));
	return true;
}

static bool has_successors(const IrOp *op)
{
	return op->nsuccs > 0;
}

bool edit_successor(Edit *e)
{
	IrOp *op = pick_op(e, has_successors);
	if (!op)
		return false;
	retarget(e, op, pick_below(e, op->nsuccs), any_block(e, op->block->region));
	return true;
}

static bool is_symbol(const IrOp *op)
{
	return !pick_is_inner(op) && (op_info[op->kind].flags & OPF_SYMBOL) && ir_symbol_name(op);
}

/* A function or global once more, by another name; or without its body. */
bool edit_function(Edit *e)
{
	IrOp *op = pick_op(e, is_symbol);
	if (!op)
		return false;
	if (pick_one_in(e, 3)) {
		ir_func_drop_body(op);
		return true;
	}
	char *text = arena_printf(e->arena, "%s.%u", ir_symbol_name(op)->text, pick_below(e, 100));
	Name *name = ir_name(e->m, str_of(text));
	IrOp *copy = edit_clone(e, op, op);
	ir_op_set_attr(e->m, copy, ir_known_name(e->m, NAME_sym_name), ir_attr_symbol(e->m, name));
	return true;
}
