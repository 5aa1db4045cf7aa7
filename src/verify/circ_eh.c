/* What belongs to exceptions of circ's own runtime: docs/exceptions.md, "Languages other than C++". */
#include "ir/nearest_region.h"
#include "ir/raise.h"
#include "verify/verifier.h"

void verify_exception(Verifier *v, const IrOp *op)
{
	verifier_check_circ(v, op, "the record of an exception");
}

void verify_eh_drop(Verifier *v, const IrOp *op)
{
	verifier_check_circ(v, op, "dropping an exception");
}

/* circ.check */

void verify_check(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CHECK_NULL);
	const char *word = ir_enum_info[ENUM_CHECK].words[kind];
	if (!ir_module_raise(v->m, kind) && !verifier_is_circ(v))
		verifier_error(
		    v, op,
		    ": the function has the exceptions of C++, which circ's runtime does not throw; name a "
		    "function that throws, 'circ.raise = {%s = @f}', in the module",
		    word);
}

/* circ.abnormal */

/* Filters are functions of their own. */
static bool tells_exits(void *user, const IrRegion *r)
{
	(void)user;
	return verifier_is_filter(r) || verifier_is_exit_region(r);
}

void verify_abnormal(Verifier *v, const IrOp *op)
{
	const IrRegion *r = ir_nearest(v->arena, &v->nearest[NEAREST_ABNORMAL], op, tells_exits, NULL);
	if (!r || verifier_is_filter(r))
		verifier_error(v, op, "must be in a cleanup region, or in the finally of a 'cir.try'");
}

/* Variables of a function that its filters see */

static bool is_entry(const IrBlock *b)
{
	return b->region && b->region->first == b;
}

/* Of a place in the frame that is fixed when the function is compiled. */
static bool is_variable(const IrValue *value)
{
	const IrOp *def = value->is_arg ? NULL : value->def.op;
	return def && def->kind == OP_ALLOCA && !ir_op_nmain(def) && is_entry(def->block);
}

/* The one op that escapes variables of a function, or NULL. It and a filter's parent are asked for often. */
static const IrOp *escape_of(Verifier *v, const IrOp *func)
{
	if (v->escaping == func)
		return v->escape;
	v->escaping = func;
	v->escape = NULL;
	const IrBlock *entry = func->regions[0].first;
	for (const IrOp *op = entry ? entry->first : NULL; op && !v->escape; op = op->next)
		if (op->kind == OP_LOCALESCAPE)
			v->escape = op;
	return v->escape;
}

void verify_localescape(Verifier *v, const IrOp *op)
{
	if (!is_entry(op->block) || op->block->region->op->kind != OP_FUNC) {
		verifier_error(v, op, "must be in the entry block of a function");
		return;
	}
	const IrOp *first = escape_of(v, v->symbol);
	if (first != op) {
		verifier_error(v, op,
		               ": a function can have one 'circ.localescape'; name all variables there");
		verifier_note(v, first->loc, "the first one is here");
		return;
	}
	for (uint32_t i = 0; i < op->noperands; i++)
		if (!is_variable(ir_operand(op, i))) {
			verifier_error(
			    v, op, ": operand #%u must be a 'cir.alloca' of constant size in the entry block",
			    i);
			return;
		}
}

void verify_eh_recoverfp(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_function);
	if (!verifier_func(name))
		verifier_error(v, op, ": the module has no function '@%s'%s", name->text,
		               verifier_similar_symbol(v, name, OP_FUNC));
}

void verify_localrecover(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_function);
	const IrOp *func = verifier_func(name), *escape = func ? escape_of(v, func) : NULL;
	uint64_t index = ir_op_uint(op, NAME_index, UINT64_MAX);
	if (!func) {
		verifier_error(v, op, ": the module has no function '@%s'%s", name->text,
		               verifier_similar_symbol(v, name, OP_FUNC));
	} else if (!escape) {
		verifier_error(v, op, ": '@%s' has no 'circ.localescape' in its entry block", name->text);
		verifier_note(v, func->loc, "'@%s' is here", name->text);
	} else if (index >= escape->noperands) {
		verifier_error(v, op,
		               ": expected an index below %u, the number of variables that '@%s' escapes",
		               escape->noperands, name->text);
		verifier_note(v, escape->loc, "'circ.localescape' is here");
	}
}
