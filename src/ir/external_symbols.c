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

static void note_uses(const IrModule *m, Arena *mem, PtrMap *first_use)
{
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		for (uint32_t i = 0; i < op->nattrs; i++) {
			const IrAttr *value = op->attrs[i].value;
			if (value && value->kind == ATTR_SYMBOL && op->block != ir_module_block(m) &&
			    !ptrmap_get(first_use, value->name))
				ptrmap_put(mem, first_use, value->name, op);
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
	PtrMap first_use = {0};
	Lines lines = {.source = &m->source, .mem = mem};
	note_uses(m, mem, &first_use);
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (!is_declaration(op))
			continue;
		Name *symbol = ir_symbol_name(op);
		const IrOp *use = ptrmap_get(&first_use, symbol);
		vec_push(mem, &out, describe(&lines, symbol, use ? use->loc : op->loc));
	}
	return out;
}
