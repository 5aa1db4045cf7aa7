#include "eh/plan.h"
#include "ir/spell.h"

typedef struct Dump {
	Arena *mem;
	StrBuf *out;
} Dump;

static void dump_types(Dump *d, const IrAttr *types)
{
	buf_put(d->mem, d->out, STR("filter ["));
	for (uint32_t i = 0; types && i < types->n; i++) {
		if (i)
			buf_put(d->mem, d->out, STR(", "));
		spell_symbol(d->mem, d->out, types->elems[i]->name);
	}
	buf_char(d->mem, d->out, ']');
}

static void dump_clause(Dump *d, const AbiClause *c)
{
	switch (c->kind) {
	case CLAUSE_CATCH:
		buf_put(d->mem, d->out, STR("catch "));
		spell_symbol(d->mem, d->out, c->type);
		break;
	case CLAUSE_FILTER:
		dump_types(d, c->types);
		break;
	case CLAUSE_CATCH_ALL:
		buf_put(d->mem, d->out, STR("catch_all"));
		break;
	}
}

static void dump_pad(Dump *d, const AbiPad *pad, uint32_t block)
{
	buf_printf(d->mem, d->out, "  ^bb%u: %s", block, pad->cleanup ? "cleanup" : "");
	for (uint32_t i = 0; i < pad->clauses->len; i++) {
		if (i || pad->cleanup)
			buf_put(d->mem, d->out, STR(", "));
		dump_clause(d, pad->clauses->data[i]);
	}
	buf_char(d->mem, d->out, '\n');
}

void abi_plan_dump(const IrOp *func, const AbiPlan *plan, Arena *mem, StrBuf *out)
{
	Dump d = {mem, out};
	spell_symbol(mem, out, ir_symbol_name(func));
	buf_char(mem, out, '\n');
	uint32_t block = 0, pad = 0; /* both are in block order; blocks are named as the printer does */
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		for (; pad < plan->npads && plan->pads[pad].initiate->block == b; pad++)
			dump_pad(&d, &plan->pads[pad], block);
		block++;
	}
}

bool abi_plan_dump_module(IrModule *m, Diags *d, Arena *mem, StrBuf *out)
{
	AbiTables tables;
	abi_tables_init(&tables, m, mem);
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		AbiPlan plan;
		if (!abi_plan(&tables, op, mem, d, &plan))
			return false;
		abi_plan_dump(op, &plan, mem, out);
	}
	return true;
}
