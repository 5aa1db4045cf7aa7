/* Values that a jump goes around: a goto, or a switch to a case that stands within another op. Neither is an edge of structured CIR,
 * so only the flat form shows whether every path to a use passes the definition. Functions without such a jump cannot be wrong
 * here. */
#include "flatten/internal.h"

#include "ir/dominance.h"

typedef struct Bypass {
	IrModule *m;
	Arena *mem;
	Diags *d;
	uint32_t *place; /* by IrBlock.id */
	uint8_t *seen;   /* by IrValue.id: defined on the way to the place being looked at */
	DomTree tree;
} Bypass;

static const IrBlock *home_of(const IrValue *v)
{
	if (v->is_arg)
		return v->def.block;
	const IrOp *op = v->def.op;
	return ir_op_has_unwind_edge(op) ? op->succs[0].dest : op->block;
}

static bool is_available(const Bypass *b, const IrValue *v, uint32_t at)
{
	uint32_t home = b->place[home_of(v)->id];
	return b->seen[v->id] && home != DOM_UNREACHABLE && dom_dominates(&b->tree, home, at);
}

void flatten_report_bypass(Diags *d, const IrUse *use)
{
	const IrOp *op = use->user;
	const IrValue *v = use->value;
	diag_error(
	    d, op->loc,
	    "'%s' op: operand #%u is not defined on every path to this use: a jump bypasses its definition",
	    op_info[op->kind].name, (unsigned)(use - op->operands));
	diag_note(d, v->is_arg ? v->def.block->loc : v->def.op->loc, "it is defined here");
}

static bool check_operands(Bypass *b, const IrOp *op, uint32_t at)
{
	for (uint32_t i = 0; i < op->noperands; i++) {
		const IrValue *v = op->operands[i].value;
		if (is_available(b, v, at))
			continue;
		flatten_report_bypass(b->d, &op->operands[i]);
		return false;
	}
	return true;
}

/* Blocks in preorder of the dominator tree: what dominates a use has been seen before it. */
static bool check_function(Bypass *b, const IrOp *func)
{
	dom_compute(&func->regions[0], b->mem, b->place, &b->tree);
	for (uint32_t i = 0; i < b->tree.n; i++) {
		const IrBlock *block = b->tree.order[i];
		for (uint32_t k = 0; k < block->nargs; k++)
			b->seen[block->args[k]->id] = 1;
		IR_FOR_OPS (op, block) {
			if (!check_operands(b, op, i))
				return false;
			for (uint32_t k = 0; k < op->nresults; k++)
				b->seen[op->results[k].id] = 1;
		}
	}
	return true;
}

bool flatten_check_bypass(IrModule *m, IrOp *const *funcs, uint32_t n, Arena *mem, Diags *d)
{
	if (!n)
		return true;
	bool ok = true;
	Bypass b = {.m = m, .mem = mem, .d = d};
	b.place = arena_array(mem, uint32_t, m->nblocks);
	b.seen = arena_array(mem, uint8_t, m->nvalues);
	memset(b.place, 0xff, m->nblocks * sizeof *b.place); /* DOM_UNREACHABLE */
	for (uint32_t i = 0; i < n; i++) {
		ArenaMark mark = arena_mark(mem);
		ok = check_function(&b, funcs[i]) && ok;
		arena_release(mem, mark);
	}
	return ok;
}
