/* Calls (cir-reference 5.9). */
#include "ir/nearest_region.h"
#include "ir/try.h"
#include "verify/verifier.h"

static const char *conv_text(unsigned conv)
{
	return ir_enum_info[ENUM_CALLING_CONV].words[conv];
}

enum { INLINE_NUMBER_MAX = 3 }; /* cir-reference 5.9: an integer is kept, too */

/* The attributes, which the call's own spelling does not let the row say. */
static bool check_attrs(Verifier *v, const IrOp *op)
{
	const IrAttr *inlined = ir_op_attr(op, NAME_inline_kind);
	bool number = inlined && inlined->kind == ATTR_INT && inlined->bits <= INLINE_NUMBER_MAX;
	if (!verifier_check_traits(v, op) ||
	    !verifier_check_enum(v, op, NAME_calling_conv, ENUM_CALLING_CONV) ||
	    !verifier_check_enum(v, op, NAME_side_effect, ENUM_SIDE_EFFECT) ||
	    (!number && !verifier_check_enum(v, op, NAME_inline_kind, ENUM_INLINE)))
		return false;
	const IrAttr *callee = ir_op_attr(op, NAME_callee);
	if (callee && (callee->kind != ATTR_SYMBOL || callee->n)) {
		verifier_error(v, op, ": expected attribute 'callee' to be a symbol, '@name'");
		return false;
	}
	return true;
}

/* The function's type, from the symbol or from the pointer; NULL: reported. */
static const IrType *callee_type(Verifier *v, const IrOp *op)
{
	const Name *name = ir_call_callee(op);
	if (name) {
		const IrOp *func = verifier_func(name);
		const IrType *t = func ? ir_func_type(func) : NULL;
		if (!t || t->kind != TYPE_FUNC) {
			verifier_error(v, op, ": the module has no function '@%s'%s", name->text,
			               verifier_similar_symbol(v, name, OP_FUNC));
			return NULL;
		}
		return t;
	}
	const IrType *p = ir_op_nmain(op) ? ir_operand(op, 0)->type : NULL;
	if (p && ir_is_ptr(p) && p->elem->kind == TYPE_FUNC)
		return p->elem;
	verifier_error(v, op, "needs a callee: a symbol, or a pointer to a function as operand #0");
	return NULL;
}

/* K&R: nothing is known of the parameters. */
static bool is_unchecked(const IrOp *op)
{
	const IrOp *func = verifier_func(ir_call_callee(op));
	return func && ir_op_has(func, NAME_no_proto);
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* A call by its name: "'@f'"; or "the callee". */
static const char *callee_text(Verifier *v, const IrOp *op)
{
	const Name *name = ir_call_callee(op);
	return name ? arena_printf(v->arena, "'@%s'", name->text) : "the callee";
}

static void note_callee(Verifier *v, const IrOp *op)
{
	const IrOp *func = verifier_func(ir_call_callee(op));
	if (func)
		verifier_note(v, func->loc, "'@%s' is %s here", ir_symbol_name(func)->text,
		              ir_func_is_declaration(func) ? "declared" : "defined");
}

static void report_count(Verifier *v, const IrOp *op, const IrType *t, uint32_t given)
{
	verifier_error(v, op, ": %s takes %s%u argument%s, but %u %s given", callee_text(v, op),
	               t->variadic ? "at least " : "", t->nmembers, plural(t->nmembers), given,
	               given == 1 ? "is" : "are");
	note_callee(v, op);
}

static bool check_arguments(Verifier *v, const IrOp *op, const IrType *t)
{
	uint32_t n = ir_call_nargs(op);
	if (is_unchecked(op))
		return true;
	if (t->variadic ? n < t->nmembers : n != t->nmembers) {
		report_count(v, op, t, n);
		return false;
	}
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const IrType *got = ir_call_arg(op, i)->type;
		if (got == t->members[i])
			continue;
		verifier_error(v, op, ": argument #%u of %s must be '%s', found '%s'", i, callee_text(v, op),
		               verifier_type(v, t->members[i]), verifier_type(v, got));
		note_callee(v, op);
		return false;
	}
	return true;
}

static bool check_result(Verifier *v, const IrOp *op, const IrType *t)
{
	if (t->elem->kind == TYPE_VOID) {
		if (op->nresults == 0)
			return true;
		verifier_error(v, op, ": %s returns void, but the call has %u result%s", callee_text(v, op),
		               op->nresults, plural(op->nresults));
		note_callee(v, op);
		return false;
	}
	if (op->nresults != 1) {
		verifier_error(v, op, ": %s returns one value, but the call has %u result%s",
		               callee_text(v, op), op->nresults, plural(op->nresults));
		note_callee(v, op);
		return false;
	}
	if (op->results[0].type == t->elem)
		return true;
	verifier_error(v, op, ": %s returns '%s', but the result of the call is '%s'", callee_text(v, op),
	               verifier_type(v, t->elem), verifier_type(v, op->results[0].type));
	note_callee(v, op);
	return false;
}

static bool check_conv(Verifier *v, const IrOp *op)
{
	const IrOp *func = verifier_func(ir_call_callee(op));
	if (verifier_is_kernel(op) || (func && verifier_is_kernel(func))) {
		verifier_error(v, op, "cannot call a kernel");
		return false;
	}
	const IrAttr *conv = func ? ir_op_attr(func, NAME_calling_conv) : NULL;
	if (!func || (conv && conv->enum_class != ENUM_CALLING_CONV)) /* which is told at the function */
		return true;
	unsigned want = ir_op_enum(func, NAME_calling_conv, CALLING_CONV_C);
	unsigned got = ir_op_enum(op, NAME_calling_conv, CALLING_CONV_C);
	if (want == got)
		return true;
	verifier_error(v, op, ": %s has calling convention '%s', but the call has '%s'", callee_text(v, op),
	               conv_text(want), conv_text(got));
	note_callee(v, op);
	return false;
}

static const IrAttr *entry(const IrAttr *dict, const char *key)
{
	for (uint32_t i = 0; dict && dict->kind == ATTR_DICT && i < dict->n; i++)
		if (strcmp(dict->keys[i]->text, key) == 0)
			return dict->elems[i];
	return NULL;
}

/* Those that say where a parameter goes, and the extension of a result; what others promise may differ. */
static bool same_passing(const IrAttr *a, const IrAttr *b)
{
	static const char *const keys[] = {
	    "llvm.sret",         "llvm.byval",     "llvm.byref",      "llvm.inalloca",   "llvm.inreg",
	    "llvm.preallocated", "llvm.swiftself", "llvm.swifterror", "llvm.swiftasync", "llvm.alignstack",
	    "llvm.nest",         "llvm.zeroext",   "llvm.signext"};
	if (a == b)
		return true;
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		if (entry(a, keys[i]) != entry(b, keys[i]))
			return false;
	bool in_memory = entry(a, "llvm.byval") || entry(a, "llvm.byref");
	return !in_memory || entry(a, "llvm.align") == entry(b, "llvm.align");
}

static bool all_same_passing(const IrOp *op, const IrOp *caller, NameId list)
{
	const IrAttr *a = ir_op_attr(op, list), *b = ir_op_attr(caller, list);
	uint32_t na = a && a->kind == ATTR_ARRAY ? a->n : 0, nb = b && b->kind == ATTR_ARRAY ? b->n : 0;
	for (uint32_t i = 0; i < (na > nb ? na : nb); i++)
		if (!same_passing(i < na ? a->elems[i] : NULL, i < nb ? b->elems[i] : NULL))
			return false;
	return true;
}

/* Pointers are one type to LLVM: `this` is one to void in a call through a pointer to a member. */
static bool same_to_llvm(const IrType *a, const IrType *b)
{
	return a == b || (a && b && ir_is_ptr(a) && ir_is_ptr(b) && a->attr == b->attr);
}

static bool same_signature(const IrType *a, const IrType *b)
{
	if (a == b)
		return true;
	if (a->nmembers != b->nmembers || a->variadic != b->variadic || !same_to_llvm(a->elem, b->elem))
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++)
		if (!same_to_llvm(a->members[i], b->members[i]))
			return false;
	return true;
}

static bool runs_cleanup(const IrRegion *r, NameId kind, uint32_t cleanup, unsigned unlike)
{
	const IrOp *op = r->op;
	return cleanup < op->nregions && r != &op->regions[cleanup] && op->regions[cleanup].first &&
	       ir_op_enum(op, kind, CLEANUP_ALL) != unlike;
}

/* Of a cir.try. */
static bool runs_finally(const IrRegion *r)
{
	const IrRegion *finally = ir_try_finally(r->op);
	return finally && r != finally;
}

/* Does leaving region r by a return, or by unwinding, have something to do in its function? */
static bool holds_frame(const IrRegion *r, bool unwinding)
{
	unsigned unlike = unwinding ? CLEANUP_NORMAL : CLEANUP_EH;
	switch (r->op ? r->op->kind : OP_FUNC) {
	case OP_CLEANUP_SCOPE:
		return runs_cleanup(r, NAME_kind, 1, unlike);
	case OP_WHILE:
		return runs_cleanup(r, NAME_cleanup_kind, 2, unlike);
	case OP_FOR:
		return runs_cleanup(r, NAME_cleanup_kind, 3, unlike);
	case OP_TRY:
		return runs_finally(r) ||
		       (unwinding && r == &r->op->regions[0] && ir_try_nhandlers(r->op) > 0);
	default:
		return false;
	}
}

static bool works_on_return(void *user, const IrRegion *r)
{
	(void)user;
	return holds_frame(r, false);
}

static bool works_on_leaving(void *user, const IrRegion *r)
{
	(void)user;
	return holds_frame(r, false) || holds_frame(r, true);
}

/* Structured: the scopes around a guaranteed tail call are left before it, not behind it. */
static bool check_tail_scopes(Verifier *v, const IrOp *op)
{
	bool unwinds = ir_op_may_throw(op);
	if (verifier_in_catch(v, op)) {
		verifier_error(
		    v, op,
		    "cannot be musttail: the catch that contains it ends after the callee has returned");
		return false;
	}
	Nearest which = unwinds ? NEAREST_UNWINDING : NEAREST_RETURNING;
	const IrRegion *r =
	    ir_nearest(v->arena, &v->nearest[which], op, unwinds ? works_on_leaving : works_on_return, NULL);
	if (!r)
		return true;
	verifier_error(v, op, "cannot be musttail: a scope must still be left after the callee %s",
	               holds_frame(r, false) ? "returns" : "unwinds");
	verifier_note(v, r->op->loc, "this scope must be left");
	return false;
}

/* A guaranteed tail call reuses the caller's frame: LLVM wants equal signatures, and the return right behind. */
static bool check_musttail(Verifier *v, const IrOp *op, const IrType *t)
{
	if (!ir_op_has(op, NAME_musttail))
		return true;
	const IrType *caller = v->symbol->kind == OP_FUNC ? ir_func_type(v->symbol) : NULL;
	const IrOp *ret = op->next;
	bool returns = ret && ret->kind == OP_RETURN && ir_op_nmain(ret) == op->nresults &&
	               (op->nresults == 0 || ir_operand(ret, 0) == &op->results[0]);
	bool same_attrs = all_same_passing(op, v->symbol, NAME_arg_attrs) &&
	                  all_same_passing(op, v->symbol, NAME_res_attrs);
	if (op->kind == OP_TRY_CALL)
		verifier_error(
		    v, op,
		    "cannot be musttail: the caller's unwind destination runs after the callee unwinds");
	else if (!caller || !same_signature(caller, t) || !same_attrs || is_unchecked(op))
		verifier_error(v, op,
		               ": musttail needs a callee with the signature and the parameter attributes of "
		               "the caller");
	else if (!returns)
		verifier_error(v, op, ": musttail must be followed by a 'cir.return' of the result");
	else
		return v->stage != STAGE_STRUCTURED || check_tail_scopes(v, op);
	return false;
}

static void check_call_attrs(Verifier *v, const IrOp *op, const IrType *t)
{
	uint32_t n = ir_call_nargs(op);
	IrType **types = arena_array(v->arena, IrType *, n);
	for (uint32_t i = 0; i < n; i++)
		types[i] = ir_call_arg(op, i)->type;
	verifier_check_param_attrs(v, op, types, n, t->elem);
}

void verify_call(Verifier *v, const IrOp *op)
{
	if (!check_attrs(v, op))
		return;
	const IrType *t = callee_type(v, op);
	if (!t || !check_arguments(v, op, t) || !check_result(v, op, t) || !check_conv(v, op) ||
	    !check_musttail(v, op, t) || !verifier_check_conflicts(v, op))
		return;
	if (ir_op_has(op, NAME_arg_attrs) || ir_op_has(op, NAME_res_attrs))
		check_call_attrs(v, op, t);
}
