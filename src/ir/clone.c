#include "ir/clone.h"

#include "base/vec.h"

typedef struct Pending {
	const IrRegion *src;
	IrRegion *dst;
} Pending;

typedef struct Cloner {
	IrModule *m;
	Arena *scratch;
	PtrMap map; /* IrValue and IrBlock of the original to those of the copy */
	VEC(Pending) regions;
	VEC(IrOp *) ops; /* the copies, for the second pass */
} Cloner;

/* Blocks first, so that edges within the region can be made at once. */
static void clone_blocks(Cloner *c, Pending p)
{
	IR_FOR_BLOCKS (b, p.src) {
		IrBlock *copy = ir_block_create(c->m, b->loc);
		ir_block_append(p.dst, copy);
		ptrmap_put(c->scratch, &c->map, b, copy);
		for (uint32_t i = 0; i < b->nargs; i++)
			ptrmap_put(c->scratch, &c->map, b->args[i],
			           ir_block_add_arg(c->m, copy, b->args[i]->type));
	}
}

IrOp *ir_op_clone(IrModule *m, const IrOp *op, const PtrMap *blocks, IrBlock *to)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Arena *tmp = &m->scratch;
	IrValue **operands = arena_array(tmp, IrValue *, op->noperands);
	for (uint32_t i = 0; i < op->noperands; i++)
		operands[i] = op->operands[i].value;
	IrType **types = arena_array(tmp, IrType *, op->nresults);
	for (uint32_t i = 0; i < op->nresults; i++)
		types[i] = op->results[i].type;
	IrSuccSpec *succs = arena_array(tmp, IrSuccSpec, op->nsuccs);
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		IrBlock *dest = blocks ? ptrmap_get(blocks, op->succs[i].dest) : NULL;
		succs[i] = (IrSuccSpec){dest ? dest : op->succs[i].dest, operands + op->succs[i].first,
		                        op->succs[i].nargs};
	}
	IrOp *copy = ir_op_create(m, &(IrOpSpec){.kind = op->kind,
	                                         .loc = op->loc,
	                                         .operands = operands,
	                                         .noperands = ir_op_nmain(op),
	                                         .result_types = types,
	                                         .nresults = op->nresults,
	                                         .succs = succs,
	                                         .nsuccs = op->nsuccs,
	                                         .nregions = op->nregions,
	                                         .attrs = op->attrs,
	                                         .nattrs = op->nattrs});
	arena_release(tmp, mark);
	ir_op_append(to, copy);
	return copy;
}

static IrValue *value_in_clone(const PtrMap *own, const PtrMap *before, IrValue *v)
{
	IrValue *copy = ptrmap_get(own, v);
	if (!copy && before)
		copy = ptrmap_get(before, v);
	return copy ? copy : v;
}

IrBlock *ir_block_clone(IrModule *m, Arena *mem, IrBlock *b, PtrMap *own, const PtrMap *before)
{
	IrBlock *clone = ir_block_create(m, b->loc);
	ir_block_insert_after(b, clone);
	for (uint32_t i = 0; i < b->nargs; i++)
		ptrmap_put(mem, own, b->args[i], ir_block_add_arg(m, clone, b->args[i]->type));
	IR_FOR_OPS (op, b) {
		IrOp *copy = ir_op_clone(m, op, NULL, clone);
		for (uint32_t i = 0; i < op->noperands; i++)
			ir_set_operand(copy, i, value_in_clone(own, before, op->operands[i].value));
		for (uint32_t i = 0; i < op->nresults; i++)
			ptrmap_put(mem, own, &op->results[i], &copy->results[i]);
	}
	return clone;
}

/* Operands are those of the original for now: a value may be defined in a block that comes later. */
static void clone_op(Cloner *c, const IrOp *op, IrBlock *to)
{
	IrOp *copy = ir_op_clone(c->m, op, &c->map, to);
	for (uint32_t i = 0; i < op->nresults; i++)
		ptrmap_put(c->scratch, &c->map, &op->results[i], &copy->results[i]);
	for (uint32_t i = 0; i < op->nregions; i++)
		vec_push(c->scratch, &c->regions, ((Pending){&op->regions[i], &copy->regions[i]}));
	vec_push(c->scratch, &c->ops, copy);
}

uint32_t ir_region_clone(IrModule *m, const IrRegion *src, IrRegion *dst, Arena *scratch)
{
	CHECK(scratch != &m->scratch);
	Cloner c = {.m = m, .scratch = scratch};
	vec_push(scratch, &c.regions, ((Pending){src, dst}));
	while (c.regions.len) {
		Pending p = vec_pop(&c.regions);
		clone_blocks(&c, p);
		IR_FOR_BLOCKS (b, p.src)
			IR_FOR_OPS (op, b)
				clone_op(&c, op, ptrmap_get(&c.map, b));
	}
	for (uint32_t i = 0; i < c.ops.len; i++) {
		IrOp *op = c.ops.data[i];
		for (uint32_t k = 0; k < op->noperands; k++) {
			IrValue *v = ptrmap_get(&c.map, op->operands[k].value);
			if (v)
				ir_set_operand(op, k, v);
		}
	}
	return c.ops.len;
}
