/* lower/split_survey.c: one walk over the module finds the symbols that others name, the functions that must be inlined, and how many ops each has.
 *
 * Attributes are shared, and one may be large: what is in one is found out once in a module, so that
 * the walk passes by those that name nothing.
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

static void note_name(Splitter *s, const IrAttr *a, void *unused)
{
	(void)unused;
	vec_push(s->mem, &s->named, a);
}

void split_each_name_of_symbol(Splitter *s, const IrOp *symbol, SplitNamed *f, void *user)
{
	const SplitSymbol *known = &s->symbols[ir_symbol_name(symbol)->id];
	for (uint32_t i = 0; i < known->n; i++) {
		const IrAttr *a = s->named.data[known->first + i];
		if (s->seen[a->id] == s->walk)
			continue;
		s->seen[a->id] = s->walk;
		f(s, a, user);
	}
}

/* The survey */

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

static void note_inlining(Splitter *s, const IrOp *op)
{
	const Name *callee = op_info[op->kind].flags & OPF_CALLS ? ir_call_callee(op) : NULL;
	if (callee && (ir_op_has(op, NAME_always_inline) || asks_to_inline(s, op)))
		s->inlined[callee->id] = true;
}

static void survey_op(Splitter *s, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		split_each_name(s, op->attrs[i].value, note_name, NULL);
}

static uint32_t survey_body(Splitter *s, const IrOp *func)
{
	uint32_t ops = 0;
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b) {
			ops++;
			survey_op(s, op);
			note_inlining(s, op);
		}
	return ops;
}

void split_survey(Splitter *s)
{
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_symbol(op))
			continue;
		SplitSymbol *symbol = &s->symbols[ir_symbol_name(op)->id];
		*symbol = (SplitSymbol){.first = s->named.len, .ops = 1};
		s->walk++;
		survey_op(s, op);
		if (op->kind == OP_FUNC) {
			s->inlined[ir_symbol_name(op)->id] |= asks_to_inline(s, op);
			symbol->ops += survey_body(s, op);
		}
		symbol->n = s->named.len - symbol->first;
	}
}
