/* Landing pads. Where the pair of exception and selector is only taken apart, it becomes cir.eh.inflight_exception, whose
 * results they are; else circ.landingpad, whose result is the pair. */
#include "raise/raiser.h"

static bool is_pair(const IrType *t)
{
	return t->nmembers == 2 && !t->packed && ir_is_ptr(t->members[0]) && ir_is_int(t->members[1]) &&
	       t->members[1]->width == 32;
}

/* As src/lower does it: right behind the pad, the exception first. Elsewhere it would not come back as it was. */
static bool is_taken_apart(LLVMValueRef v)
{
	LLVMValueRef part = v;
	unsigned uses = 0;
	for (unsigned i = 0; i < 2; i++) {
		part = LLVMGetNextInstruction(part);
		if (!LLVMIsAExtractValueInst(part) || LLVMGetOperand(part, 0) != v ||
		    LLVMGetNumIndices(part) != 1 || LLVMGetIndices(part)[0] != i)
			return false;
	}
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
		uses++;
	return uses == 2;
}

/* A symbol; `unit` for null; NULL: neither. */
static const IrAttr *type_of(Raise *r, LLVMValueRef v)
{
	if (LLVMIsNull(v))
		return ir_attr_unit(r->m);
	if (LLVMIsAGlobalValue(v) && LLVMGetTypeKind(LLVMGlobalGetValueType(v)) != LLVMFunctionTypeKind)
		return ir_attr_symbol(r->m, raise_symbol_name(r, v));
	raise_error(r, "has a clause that is no global variable");
	return NULL;
}

static const IrAttr *filter(Raise *r, LLVMValueRef v)
{
	uint32_t n = (uint32_t)LLVMGetArrayLength2(LLVMTypeOf(v));
	const IrAttr **types = raise_array(&r->body, sizeof *types, n);
	for (uint32_t i = 0; i < n; i++)
		if (!(types[i] = type_of(r, LLVMGetAggregateElement(v, i))))
			return NULL;
	return ir_attr_array(r->m, types, n);
}

static const IrAttr *clause(Raise *r, LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMArrayTypeKind ? filter(r, v) : type_of(r, v);
}

/* What the op can hold, in this order: catches, at most one filter, more catches, a catch-all. */
typedef struct Clauses {
	const IrAttr **all;
	uint32_t n, filter; /* n: there is none */
	bool catch_all;
} Clauses;

static bool fits_inflight(Clauses *c)
{
	c->filter = c->n;
	c->catch_all = c->n && c->all[c->n - 1]->kind == ATTR_UNIT;
	for (uint32_t i = 0; i < c->n; i++) {
		const IrAttr *a = c->all[i];
		if (a->kind == ATTR_UNIT && i + 1 < c->n)
			return false;
		if (a->kind != ATTR_ARRAY)
			continue;
		if (c->filter != c->n)
			return false;
		c->filter = i;
		for (uint32_t k = 0; k < a->n; k++)
			if (a->elems[k]->kind != ATTR_SYMBOL)
				return false;
	}
	return true;
}

static void set_list(Raise *r, IrOp *op, NameId name, const Clauses *c, uint32_t begin, uint32_t end)
{
	if (begin < end)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, name),
		               ir_attr_array(r->m, c->all + begin, end - begin));
}

static void inflight(Raise *r, LLVMValueRef v, const Clauses *c)
{
	IrOpSpec spec = {
	    .kind = OP_EH_INFLIGHT, .result_types = (IrType *[]){r->m->voidp, r->m->u32}, .nresults = 2};
	IrOp *op = ir_build_spec(&r->b, &spec);
	RaisePair *pair = arena_new(&r->body, RaisePair);
	uint32_t end = c->n - c->catch_all;
	raise_flag(r, op, NAME_cleanup, LLVMIsCleanup(v));
	raise_flag(r, op, NAME_catch_all, c->catch_all);
	set_list(r, op, NAME_catch_type_list, c, 0, c->filter < end ? c->filter : end);
	if (c->filter < c->n)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_filter_type_list), c->all[c->filter]);
	set_list(r, op, NAME_outer_type_list, c, c->filter + 1, end);
	for (unsigned i = 0; i < 2; i++)
		pair->parts[i] = &op->results[i];
	ptrmap_put(&r->body, &r->pairs, v, pair);
}

void raise_landingpad(Raise *r, LLVMValueRef v)
{
	IrType *t = raise_type(r, LLVMTypeOf(v));
	Clauses c = {.n = LLVMGetNumClauses(v)};
	c.all = raise_array(&r->body, sizeof *c.all, c.n);
	for (uint32_t i = 0; i < c.n; i++)
		if (!(c.all[i] = clause(r, LLVMGetClause(v, i))))
			return;
	if (!t)
		return;
	if (t->kind != TYPE_RECORD) {
		raise_error(r, "must have a structure type");
		return;
	}
	/* All pads of a function have one type: that of src/lower has no name. */
	if (is_pair(t) && LLVMIsLiteralStruct(LLVMTypeOf(v)) && is_taken_apart(v) && fits_inflight(&c)) {
		inflight(r, v, &c);
		return;
	}
	IrOp *op = raise_op(r, OP_LANDING_PAD, t, NULL, 0);
	raise_flag(r, op, NAME_cleanup, LLVMIsCleanup(v));
	set_list(r, op, NAME_clauses, &c, 0, c.n);
	raise_result(r, &op->results[0]);
}

void raise_resume(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0));
	if (x)
		raise_op(r, OP_RESUME_VALUE, NULL, &x, 1);
}
