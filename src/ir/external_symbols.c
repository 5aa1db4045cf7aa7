#include "ir/external_symbols.h"

#include "base/lines.h"
#include "base/ptrmap.h"

static bool is_declaration(const IrOp *op)
{
	if (op->kind != OP_FUNC && op->kind != OP_GLOBAL)
		return false;
	/* Only for the optimiser to look at. */
	if (ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_AVAILABLE_EXTERNALLY)
		return true;
	if (op->kind == OP_FUNC)
		return ir_func_is_declaration(op) && !ir_op_has(op, NAME_aliasee);
	return !ir_op_has(op, NAME_initial_value) && !ir_op_has(op, NAME_aliasee);
}

typedef struct FirstUses {
	const IrModule *m;
	Arena *mem;
	PtrMap ops; /* Name of a declaration → the first op that has it as an attribute, or the declaration */
	uint32_t left; /* declarations without */
} FirstUses;

static void expect_declarations(FirstUses *f)
{
	IR_FOR_OPS (op, ir_module_block(f->m)) {
		if (!is_declaration(op))
			continue;
		ptrmap_put(f->mem, &f->ops, ir_symbol_name(op), op);
		f->left++;
	}
}

static void note_use(FirstUses *f, IrOp *op, const Name *name)
{
	const IrOp *known = ptrmap_get(&f->ops, name);
	if (!known || known != ir_symbol(name))
		return;
	ptrmap_put(f->mem, &f->ops, name, op);
	f->left--;
}

static void note_uses(FirstUses *f)
{
	const IrRegion *body = &f->m->body;
	for (IrOp *op = ir_walk_first(body); op && f->left; op = ir_walk_next(op, body))
		for (uint32_t i = 0; i < op->nattrs; i++) {
			const IrAttr *value = op->attrs[i].value;
			if (value && value->kind == ATTR_SYMBOL && ir_symbol(value->name) != op)
				note_use(f, op, value->name);
		}
}

static Str copy(Arena *mem, Str s)
{
	return s.len ? (Str){arena_copy(mem, s.data, s.len), s.len} : (Str){0};
}

static SymbolUse describe(Lines *lines, const Name *symbol, Loc loc)
{
	SymbolUse use = {.name = copy(lines->mem, name_str(symbol))};
	lines_place(lines, loc, &use.place);
	use.place.name = copy(lines->mem, use.place.name);
	return use;
}

IrReferences ir_references(const IrModule *m, Arena *mem)
{
	IrReferences out = {0};
	FirstUses first = {.m = m, .mem = mem};
	Lines lines = {.source = &m->source, .mem = mem};
	expect_declarations(&first);
	note_uses(&first);
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (!is_declaration(op))
			continue;
		Name *symbol = ir_symbol_name(op);
		const IrOp *use = ptrmap_get(&first.ops, symbol);
		vec_push(mem, &out, describe(&lines, symbol, use->loc));
	}
	return out;
}
