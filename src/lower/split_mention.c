/* lower/split_mention.c: the symbols that attributes name, and the functions that must be inlined.
 *
 * Attributes are shared, and one may be large: what is in one is found out once in a module, so that
 * walks pass by those that name nothing.
 */
#include "lower/split_group.h"

enum { FACT_KNOWN = 1, FACT_NAMES = 2, FACT_INLINES = 4 };

static bool says_always_inline(const IrAttr *a)
{
	return a->kind == ATTR_ENUM && a->enum_class == ENUM_INLINE && a->bits == INLINE_ALWAYS_INLINE;
}

/* Attributes nest at most TYPE_DEPTH_MAX deep. */
static uint8_t facts_of(Splitter *s, const IrAttr *a)
{
	if (!a || s->facts[a->id])
		return a ? s->facts[a->id] : 0;
	uint8_t facts = FACT_KNOWN;
	if (a->name && ir_symbol(a->name))
		facts |= FACT_NAMES;
	if (says_always_inline(a))
		facts |= FACT_INLINES;
	for (uint32_t i = 0; i < a->n; i++)
		facts |= facts_of(s, a->elems[i]);
	return s->facts[a->id] = facts;
}

void split_each_name(Splitter *s, const IrAttr *a, SplitNamed *f, void *user)
{
	if (!(facts_of(s, a) & FACT_NAMES) || s->seen[a->id] == s->walk)
		return;
	s->seen[a->id] = s->walk;
	if (a->name && ir_symbol(a->name))
		f(s, a, user);
	for (uint32_t i = 0; i < a->n; i++)
		split_each_name(s, a->elems[i], f, user);
}

static void each_name_of_op(Splitter *s, const IrOp *op, SplitNamed *f, void *user)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		split_each_name(s, op->attrs[i].value, f, user);
}

void split_each_name_of_symbol(Splitter *s, const IrOp *symbol, SplitNamed *f, void *user)
{
	each_name_of_op(s, symbol, f, user);
	if (symbol->kind != OP_FUNC)
		return;
	IR_FOR_BLOCKS (b, &symbol->regions[0])
		IR_FOR_OPS (op, b)
			each_name_of_op(s, op, f, user);
}

/* Functions to be inlined always */

static bool asks_to_inline(Splitter *s, const IrOp *op)
{
	unsigned kind;
	if (ir_attr_inline_kind(ir_op_attr(op, NAME_inline_kind), &kind) && kind == INLINE_ALWAYS_INLINE)
		return true;
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (facts_of(s, op->attrs[i].value) & FACT_INLINES)
			return true;
	return false;
}

static void find_inlining_calls(Splitter *s, const IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b) {
			const Name *callee = op_info[op->kind].flags & OPF_CALLS ? ir_call_callee(op) : NULL;
			if (callee && (ir_op_has(op, NAME_always_inline) || asks_to_inline(s, op)))
				s->inlined[callee->id] = true;
		}
}

void split_find_inlined(Splitter *s)
{
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (op->kind != OP_FUNC)
			continue;
		s->inlined[ir_symbol_name(op)->id] |= asks_to_inline(s, op);
		find_inlining_calls(s, op);
	}
}
