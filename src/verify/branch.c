/* Returns, labels and branches of many ways (cir-reference 5.7 and 5.8). */
#include "base/suggest.h"
#include "verify/verifier.h"

#include <stdlib.h>

void verify_return(Verifier *v, const IrOp *op)
{
	const IrOp *func = v->symbol;
	if (func->kind != OP_FUNC) {
		verifier_error(v, op, "must be in a 'cir.func'");
		return;
	}
	const IrOp *parent = ir_op_parent(op);
	if (parent->kind == OP_TERNARY) {
		verifier_error(v, op, "cannot be in a region of 'cir.ternary', which is an expression");
		return;
	}
	const IrType *want = ir_func_type(func)->elem;
	const IrType *got = op->noperands ? ir_operand(op, 0)->type : NULL;
	bool same = got ? got == want : want->kind == TYPE_VOID;
	if (!same)
		verifier_error(v, op, "returns '%s', but the function returns '%s'",
		               got ? verifier_type(v, got) : "!cir.void", verifier_type(v, want));
}

/* Labels */

void verify_label(Verifier *v, const IrOp *op)
{
	if (v->symbol->kind != OP_FUNC)
		verifier_error(v, op, "must be in a function");
	else if (op->prev)
		verifier_error(v, op, "must be the first operation of its block");
	vec_push(v->arena, &v->labels, op);
}

void verify_goto(Verifier *v, const IrOp *op)
{
	if (v->symbol->kind != OP_FUNC)
		verifier_error(v, op, "must be in a function");
	vec_push(v->arena, &v->gotos, op);
}

static const Name *label_name(const IrOp *op)
{
	return ir_op_attr(op, NAME_label)->name;
}

static int compare_labels(const void *a, const void *b)
{
	uint32_t x = label_name(*(const IrOp *const *)a)->id, y = label_name(*(const IrOp *const *)b)->id;
	return x < y ? -1 : x > y;
}

static void check_unique_labels(Verifier *v)
{
	for (uint32_t i = 1; i < v->labels.len; i++) {
		const IrOp *first = v->labels.data[i - 1], *second = v->labels.data[i];
		if (label_name(first) != label_name(second))
			continue;
		verifier_error(v, second, ": redefinition of label '%s'", label_name(second)->text);
		verifier_note(v, first->loc, "the first one is here");
	}
}

/* "; did you mean 'x'?", of the function's labels, or "". */
static const char *similar_label(const Verifier *v, const Name *name)
{
	Suggestion s = suggest_begin(name_str(name));
	for (uint32_t i = 0; i < v->labels.len && !diag_full(v->d); i++)
		suggest_try(&s, name_str(label_name(v->labels.data[i])));
	return s.best.len ? arena_printf(v->arena, "; did you mean '%.*s'?", (int)s.best.len, s.best.data)
	                  : "";
}

/* A goto has nothing to pass. */
static void check_label_of(Verifier *v, const IrOp *op)
{
	const IrOp *const *label = NULL;
	if (v->labels.len)
		label = bsearch(&op, v->labels.data, v->labels.len, sizeof *v->labels.data, compare_labels);
	if (!label) {
		verifier_error(v, op, ": the function has no label '%s'%s", label_name(op)->text,
		               similar_label(v, label_name(op)));
	} else if ((*label)->block->nargs) {
		verifier_error(v, op, "jumps to a block that takes arguments");
		verifier_note(v, (*label)->loc, "the label is here");
	}
}

void verifier_check_labels(Verifier *v)
{
	if (v->labels.len)
		qsort(v->labels.data, v->labels.len, sizeof *v->labels.data, compare_labels);
	check_unique_labels(v);
	for (uint32_t i = 0; i < v->gotos.len; i++)
		check_label_of(v, v->gotos.data[i]);
}

/* Branches of many ways */

static bool check_case_list(Verifier *v, const IrOp *op, const IrAttr *values)
{
	uint32_t n = values && values->kind == ATTR_ARRAY ? values->n : 0;
	if (op->nsuccs == 0 || n != op->nsuccs - 1 || (values && values->kind != ATTR_ARRAY)) {
		verifier_error(v, op,
		               "needs a default successor, and one case value for each other successor");
		return false;
	}
	return true;
}

static bool check_case_type(Verifier *v, const IrOp *op, const IrAttr *value, const IrType *t)
{
	if (value->kind == ATTR_INT && value->type == t)
		return verifier_check_constant(v, op, value);
	verifier_error(v, op, ": expected an integer of type '%s' as case value, found '%s'",
	               verifier_type(v, t), ir_attr_str(v->arena, value));
	return false;
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t x = (*(const IrAttr *const *)a)->id, y = (*(const IrAttr *const *)b)->id;
	return x < y ? -1 : x > y;
}

/* Attributes are interned: equal values are the same attribute. */
static void check_distinct(Verifier *v, const IrOp *op, const IrAttr *values)
{
	const IrAttr **sorted = arena_array(v->arena, const IrAttr *, values->n);
	memcpy(sorted, values->elems, values->n * sizeof *sorted);
	qsort(sorted, values->n, sizeof *sorted, compare_ids);
	for (uint32_t i = 1; i < values->n; i++) {
		if (sorted[i] != sorted[i - 1])
			continue;
		verifier_error(v, op, ": duplicate case value '%s'", ir_attr_str(v->arena, sorted[i]));
		return;
	}
}

void verify_switch_flat(Verifier *v, const IrOp *op)
{
	const IrAttr *values = ir_op_attr(op, NAME_case_values);
	const IrType *t = ir_operand(op, 0)->type;
	if (!check_case_list(v, op, values) || !values || values->n == 0)
		return;
	for (uint32_t i = 0; i < values->n; i++)
		if (!check_case_type(v, op, values->elems[i], t))
			return;
	ArenaMark mark = arena_mark(v->arena);
	check_distinct(v, op, values);
	arena_release(v->arena, mark);
}

void verify_block_address(Verifier *v, const IrOp *op)
{
	const IrAttr *a = ir_op_attr(op, NAME_block_addr_info);
	if (!a || a->kind != ATTR_BLOCK_ADDR)
		verifier_error(v, op, ": expected attribute 'block_addr_info' to be #cir.block_addr_info<…>");
	else
		verifier_check_constant(v, op, a);
}

static bool same_args(const IrSucc *a, const IrSucc *b)
{
	for (uint32_t i = 0; i < a->nargs; i++)
		if (ir_succ_arg(a, i) != ir_succ_arg(b, i))
			return false;
	return true;
}

/* The address of a label is that of its block, so no block can be put on an edge to tell two edges apart. */
void verify_indirect_br(Verifier *v, const IrOp *op)
{
	if (op->nsuccs == 0)
		verifier_error(v, op, "needs at least one successor");
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *s = &op->succs[i];
		uint32_t *first = &v->mark[s->dest->id];
		if (*first && !same_args(&op->succs[*first - 1], s)) {
			verifier_error(
			    v, op,
			    "passes different arguments to successors #%u and #%u, which are the same block",
			    *first - 1, i);
			break;
		}
		*first = i + 1;
	}
	for (uint32_t i = 0; i < op->nsuccs; i++)
		v->mark[op->succs[i].dest->id] = 0;
}
