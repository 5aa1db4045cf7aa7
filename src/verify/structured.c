/* Structured control flow: scopes, loops, switches, cleanups (cir-reference 5.7). */
#include "ir/lifetime.h"
#include "ir/nearest_region.h"
#include "ir/try.h"
#include "verify/verifier.h"

#include <stdlib.h>

/* Regions and their ends */

static uint32_t region_of(const IrOp *op) /* index of the region of its parent that holds it */
{
	return (uint32_t)(op->block->region - op->block->region->op->regions);
}

static bool check_filled(Verifier *v, const IrOp *op, uint32_t region, const char *name)
{
	if (op->regions[region].first)
		return true;
	verifier_error(v, op, ": the %s region is empty", name);
	return false;
}

/* Which region of a loop holds its condition. */
static uint32_t condition_region(const IrOp *loop)
{
	return loop->kind == OP_DO ? 1 : 0;
}

static bool is_loop(const IrOp *op)
{
	return op && (op_info[op->kind].flags & OPF_LOOP);
}

/* The filter of a `when` yields 1 to handle the exception, 0 to search on, or -1 to go on where it was thrown. */
static void check_decision(Verifier *v, const IrOp *op)
{
	if (op->noperands != 1 || ir_operand(op, 0)->type != v->m->s32)
		verifier_error(v, op, "must yield the decision of a filter, one value of type '%s'",
		               verifier_type(v, v->m->s32));
}

/* What a region's yield gives: nothing, or the op's result. */
void verify_yield(Verifier *v, const IrOp *op)
{
	const IrOp *parent = ir_op_parent(op);
	if (!parent || !(op_info[parent->kind].flags & OPF_YIELDS || parent->kind == OP_GLOBAL ||
	                 parent->kind == OP_TRY)) {
		verifier_error(v, op, "must end a region of an op that takes yielded values");
		return;
	}
	if (is_loop(parent) && region_of(op) == condition_region(parent)) {
		verifier_error(v, op, ": the condition region of a loop must end in 'cir.condition'");
		return;
	}
	if (verifier_goes_on_unwinding(op->block->region)) {
		verifier_error(v, op, "cannot end a region that resumes unwinding; write 'cir.resume'");
		return;
	}
	if (verifier_is_filter(op->block->region)) {
		check_decision(v, op);
		return;
	}
	uint32_t want = parent->nresults;
	if (op->noperands != want) {
		verifier_error(v, op, "yields %u value%s, but '%s' has %u result%s", op->noperands,
		               op->noperands == 1 ? "" : "s", op_info[parent->kind].name, want,
		               want == 1 ? "" : "s");
		verifier_note(v, parent->loc, "the region belongs to this op");
	} else if (want && ir_operand(op, 0)->type != parent->results[0].type) {
		verifier_error(v, op, "yields '%s', but the result of '%s' has type '%s'",
		               verifier_type(v, ir_operand(op, 0)->type), op_info[parent->kind].name,
		               verifier_type(v, parent->results[0].type));
	}
}

static bool is_switch(const IrRegion *r)
{
	return r->op && r->op->kind == OP_SWITCH;
}

static bool ends_break(void *user, const IrRegion *r)
{
	(void)user;
	return verifier_is_closed(r) || is_switch(r) || is_loop(r->op);
}

static bool ends_continue(void *user, const IrRegion *r)
{
	(void)user;
	return verifier_is_closed(r) || is_loop(r->op);
}

static bool ends_case(void *user, const IrRegion *r)
{
	(void)user;
	return verifier_is_closed(r) || is_switch(r);
}

/* The region of the loop or switch that `op` is about; NULL: reported. */
static const IrRegion *find_target(Verifier *v, const IrOp *op, Nearest which, const char *nothing)
{
	static NearestTest *const is[] = {
	    [NEAREST_BREAK] = ends_break, [NEAREST_CONTINUE] = ends_continue, [NEAREST_CASE] = ends_case};
	const IrRegion *r = ir_nearest(v->arena, &v->nearest[which], op, is[which], NULL);
	if (r && !verifier_is_closed(r))
		return r;
	if (r)
		verifier_report_leaving(v, op, r);
	else
		verifier_error(v, op, "%s", nothing);
	return NULL;
}

void verify_break(Verifier *v, const IrOp *op)
{
	find_target(v, op, NEAREST_BREAK, "must be within a loop or switch");
}

void verify_continue(Verifier *v, const IrOp *op)
{
	find_target(v, op, NEAREST_CONTINUE, "must be within a loop");
}

void verify_condition(Verifier *v, const IrOp *op)
{
	const IrOp *parent = ir_op_parent(op);
	if (!is_loop(parent) || region_of(op) != condition_region(parent))
		verifier_error(v, op, "must be in the condition region of a loop");
}

void verify_scope(Verifier *v, const IrOp *op)
{
	check_filled(v, op, 0, "scope");
}

void verify_if(Verifier *v, const IrOp *op)
{
	check_filled(v, op, 0, "then");
}

void verify_ternary(Verifier *v, const IrOp *op)
{
	if (check_filled(v, op, 0, "true"))
		check_filled(v, op, 1, "false");
}

void verify_loop(Verifier *v, const IrOp *op)
{
	uint32_t nbody = op->kind == OP_FOR ? 3 : 2;
	for (uint32_t i = 0; i < nbody; i++)
		if (!check_filled(v, op, i,
		                  i == condition_region(op) ? "condition"
		                  : i == 2                  ? "step"
		                                            : "body"))
			return;
	if (op->kind == OP_DO)
		return;
	bool cleanup = op->regions[nbody].first != NULL;
	if (cleanup != ir_op_has(op, NAME_cleanup_kind))
		verifier_error(v, op, "must have both a cleanup kind and a cleanup region, or neither");
	else if (cleanup && ir_op_enum(op, NAME_cleanup_kind, CLEANUP_ALL) == CLEANUP_EH)
		verifier_error(v, op, ": the cleanup of a loop must be 'normal' or 'all'");
}

/* Switches */

typedef struct CaseValues {
	uint64_t first, last; /* ordered as unsigned numbers */
	const IrOp *op;
} CaseValues;

static int compare_cases(const void *a, const void *b)
{
	uint64_t x = ((const CaseValues *)a)->first, y = ((const CaseValues *)b)->first;
	return x < y ? -1 : x > y;
}

/* Signed values, too, in ascending order. */
static uint64_t case_key(const IrType *type, const IrAttr *value)
{
	return type->is_signed ? value->bits ^ (uint64_t)1 << 63 : value->bits;
}

static bool check_case_values(Verifier *v, const IrOp *op, const IrType *type)
{
	const IrAttr *word = ir_op_attr(op, NAME_kind);
	if (!word || word->enum_class != ENUM_CASE) /* which is told at the case: the switch comes first */
		return false;
	const IrAttr *values = ir_op_attr(op, NAME_value);
	unsigned kind = ir_op_enum(op, NAME_kind, CASE_EQUAL);
	uint32_t n = values && values->kind == ATTR_ARRAY ? values->n : UINT32_MAX;
	static const struct {
		uint32_t least, most;
		const char *text;
	} counts[] = {
	    [CASE_DEFAULT] = {0, 0, "no values"},
	    [CASE_EQUAL] = {1, 1, "one value"},
	    [CASE_ANYOF] = {1, UINT32_MAX - 1, "at least one value"},
	    [CASE_RANGE] = {2, 2, "two values, the first and the last"},
	};
	if (n < counts[kind].least || n > counts[kind].most) {
		verifier_error(v, op, ": a case of this kind must have %s", counts[kind].text);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (values->elems[i]->kind == ATTR_INT && values->elems[i]->type == type)
			continue;
		verifier_error(v, op, ": a case value must have the type of the condition, '%s'",
		               verifier_type(v, type));
		return false;
	}
	if (kind == CASE_RANGE && type->width > 64) {
		verifier_error(v, op, "does not support a range of values wider than 64 bits");
		return false;
	}
	return true;
}

static void note_default(Verifier *v, const IrOp *op, const IrOp **fallback)
{
	if (*fallback) {
		verifier_error(v, op, "is the second default case of its switch");
		verifier_note(v, (*fallback)->loc, "the first one is here");
	}
	*fallback = op;
}

static void check_case_overlap(Verifier *v, CaseValues *values, uint32_t n)
{
	if (n)
		qsort(values, n, sizeof *values, compare_cases);
	for (uint32_t i = 1; i < n; i++) {
		if (values[i].first > values[i - 1].last)
			continue;
		verifier_error(v, values[i].op, "has the same value as another case");
		verifier_note(v, values[i - 1].op->loc, "the other case is here");
		return;
	}
}

void verify_switch(Verifier *v, const IrOp *op)
{
	const IrType *type = ir_operand(op, 0)->type;
	const IrOp *fallback = NULL;
	VEC(CaseValues) values = {0};
	if (!check_filled(v, op, 0, "switch"))
		return;
	const IrRegion *body = &op->regions[0];
	for (const IrOp *c = ir_walk_first(body); c;
	     c = c->kind == OP_SWITCH ? ir_walk_skip(c, body) : ir_walk_next(c, body)) {
		if (c->kind != OP_CASE || !check_case_values(v, c, type))
			continue;
		unsigned kind = ir_op_enum(c, NAME_kind, CASE_EQUAL);
		const IrAttr *list = ir_op_attr(c, NAME_value);
		if (kind == CASE_DEFAULT)
			note_default(v, c, &fallback);
		for (uint32_t i = 0; type->width <= 64 && i < list->n; i++) {
			uint64_t first = case_key(type, list->elems[i]), last = first;
			if (kind == CASE_RANGE)
				last = case_key(type, list->elems[++i]);
			if (first <= last) /* an empty range is no case */
				vec_push(v->arena, &values, ((CaseValues){first, last, c}));
		}
	}
	check_case_overlap(v, values.data, values.len);
}

/* Of a cir.try, but its body. */
static bool is_handler(const IrRegion *r)
{
	return r->op && r->op->kind == OP_TRY && r != &r->op->regions[0];
}

/* Asks once for each that is, which may end many lifetimes. */
static bool is_enterable(Verifier *v, const IrOp *scope)
{
	if (ptrmap_get(&v->enterable, scope))
		return true;
	if (!ir_only_ends_lifetimes(scope))
		return false;
	ptrmap_put(v->arena, &v->enterable, scope, v);
	return true;
}

static bool is_obstacle(void *user, const IrRegion *r)
{
	return is_switch(r) || is_handler(r) ||
	       (r->op && r->op->kind == OP_CLEANUP_SCOPE && !is_enterable(user, r->op));
}

/* A switch jumps to its cases, as a goto does to its label: past the start of a cleanup scope no cleanup is
 * due, and past that of a handler nothing has been caught. A variable whose lifetime is jumped past has none. */
static void check_case_entry(Verifier *v, const IrOp *op, const IrRegion *to)
{
	const IrRegion *r = ir_nearest(v->arena, &v->nearest[NEAREST_OBSTACLE], op, is_obstacle, v);
	if (r == to)
		return;
	verifier_error(v, op, ": its switch would jump into a %s",
	               !is_handler(r)               ? "cleanup scope"
	               : r == ir_try_finally(r->op) ? "finally region"
	                                            : "handler");
	verifier_note(v, r->op->loc, "this op is inside the switch");
}

void verify_case(Verifier *v, const IrOp *op)
{
	if (!check_filled(v, op, 0, "case"))
		return;
	const IrRegion *to = find_target(v, op, NEAREST_CASE, "must be within a 'cir.switch'");
	if (to)
		check_case_entry(v, op, to);
}

/* Cleanups */

void verify_cleanup_scope(Verifier *v, const IrOp *op)
{
	if (!check_filled(v, op, 0, "body") || !check_filled(v, op, 1, "cleanup"))
		return;
	const IrRegion *body = &op->regions[0];
	/* An inner scope answers for its own body. Where a cir.indirect_goto leads, the flattening knows. */
	for (const IrOp *o = ir_walk_first(body); o;
	     o = o->kind == OP_CLEANUP_SCOPE ? ir_walk_skip(o, body) : ir_walk_next(o, body))
		if (o->kind == OP_INDIRECT_BR)
			verifier_error(v, o, "cannot be in the body of a cleanup scope");
}
