#include "explain/module_pad.h"

/* Of a CircClause (include/circ/runtime.h). */
enum { KIND_WHEN = 3, KIND_ALL = 4, KIND_WHEN_NESTED = 5 };

const IrOp *module_pad(const IrBlock *b)
{
	const IrOp *op = b->first;
	return op && (op->kind == OP_EH_INFLIGHT || op->kind == OP_LANDING_PAD) ? op : NULL;
}

static CircStep *add_step(ModulePads *p, CircStepKind kind)
{
	vec_push(p->mem, p->steps, p->begin);
	CircStep *step = &p->steps->data[p->steps->len - 1];
	step->kind = kind;
	return step;
}

static void set_types(ModulePads *p, CircStep *step, const IrAttr *const *symbols, uint32_t n)
{
	const CircExplainedType **types = arena_array(&p->e->arena, const CircExplainedType *, (size_t)n + 1);
	for (uint32_t i = 0; i < n; i++)
		types[i] = explanation_type(p->e, name_str(symbols[i]->name));
	step->types = types;
	step->ntypes = n;
}

/* The CircClause that a symbol names, as {kind, language, what}; NULL: it is of another module. */
static const IrAttr *clause_of(const IrAttr *symbol)
{
	enum { FIELDS = 3 };
	const IrOp *global = ir_symbol(symbol->name);
	const IrAttr *value =
	    global && global->kind == OP_GLOBAL ? ir_op_attr(global, NAME_initial_value) : NULL;
	bool fits = value && value->kind == ATTR_CONST_RECORD && value->n == FIELDS;
	return fits && value->elems[0]->kind == ATTR_INT ? value : NULL;
}

static void add_own_catch(ModulePads *p, const IrAttr *symbol)
{
	const IrAttr *clause = clause_of(symbol);
	uint64_t kind = clause ? clause->elems[0]->bits : 0;
	bool named = clause && clause->elems[2]->kind == ATTR_GLOBAL_VIEW;
	if (kind == KIND_ALL)
		add_step(p, CIRC_STEP_CATCH_ALL);
	else if ((kind == KIND_WHEN || kind == KIND_WHEN_NESTED) && named)
		add_step(p, CIRC_STEP_WHEN)->function =
		    explanation_string(p->e, name_str(clause->elems[2]->name));
	else
		set_types(p, add_step(p, CIRC_STEP_CATCH), named ? &clause->elems[2] : &symbol, 1);
}

/* A symbol catches its type, an array is a filter, `unit` catches everything. */
static void add_clause(ModulePads *p, const IrAttr *clause)
{
	if (clause->kind == ATTR_ARRAY)
		set_types(p, add_step(p, CIRC_STEP_SPECIFICATION), clause->elems, clause->n);
	else if (clause->kind != ATTR_SYMBOL)
		add_step(p, CIRC_STEP_CATCH_ALL);
	else if (p->circ)
		add_own_catch(p, clause);
	else
		set_types(p, add_step(p, CIRC_STEP_CATCH), &clause, 1);
}

static void add_clauses(ModulePads *p, const IrAttr *list)
{
	for (uint32_t i = 0; list && i < list->n; i++)
		add_clause(p, list->elems[i]);
}

static void add_filter(ModulePads *p, const IrAttr *filter)
{
	if (filter)
		add_clause(p, filter);
}

/* A handler of everything that calls what ends the program. */
static bool terminates(const IrBlock *b)
{
	static const char *const ends[] = {"__clang_call_terminate", "_ZSt9terminatev", "circ_terminate",
	                                   "__circ_terminate"};
	IR_FOR_OPS (op, b) {
		const Name *callee = op->kind == OP_CALL ? ir_call_callee(op) : NULL;
		for (size_t i = 0; callee && i < ARRAY_LEN(ends); i++)
			if (str_is(name_str(callee), ends[i]))
				return true;
	}
	return false;
}

static bool takes_everything(const CircStep *step)
{
	return step->kind == CIRC_STEP_CATCH_ALL ||
	       (step->kind == CIRC_STEP_SPECIFICATION && step->ntypes == 0);
}

CircEnd module_pad_steps(ModulePads *p, const IrOp *pad)
{
	uint32_t first = p->steps->len;
	add_clauses(p, ir_op_attr(pad, NAME_clauses));
	add_clauses(p, ir_op_attr(pad, NAME_catch_type_list));
	add_filter(p, ir_op_attr(pad, NAME_filter_type_list));
	add_clauses(p, ir_op_attr(pad, NAME_outer_type_list));
	bool cleanup = ir_op_has(pad, NAME_cleanup);
	bool bare = pad->kind == OP_EH_INFLIGHT && !cleanup && p->steps->len == first;
	if (bare || ir_op_has(pad, NAME_catch_all))
		add_step(p, CIRC_STEP_CATCH_ALL);
	CircStep *last = p->steps->len > first ? &p->steps->data[p->steps->len - 1] : NULL;
	bool all = last && takes_everything(last);
	if (last && p->steps->len == first + 1 && last->kind == CIRC_STEP_CATCH_ALL &&
	    terminates(pad->block)) {
		last->kind = CIRC_STEP_TERMINATE;
		return CIRC_END_TERMINATES;
	}
	if (cleanup && !all)
		add_step(p, CIRC_STEP_CLEANUP);
	return all ? CIRC_END_CAUGHT : CIRC_END_LEAVES;
}
