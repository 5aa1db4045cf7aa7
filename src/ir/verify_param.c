/* Attributes of parameters and results (cir-reference 4.2), as far as LLVM minds them. Others pass. */
#include "ir/verifier.h"

#include "ir/layout.h"

typedef enum ParamType { ON_ANY, ON_POINTER, ON_INT } ParamType;

enum {
	PARAM_ONLY = 1,
	NEEDS_ALIGN = 2,
	NEEDS_BYTES = 4,
	NEEDS_TYPE = 8,
	PASSING = 16,
	ACCESS = 32,
	EXTENDS = 64
};

/* PASSING, ACCESS, EXTENDS: at most one of each group at one place. */
static const struct {
	const char *name;
	ParamType on;
	unsigned flags;
} known[] = {
    {"llvm.nonnull", ON_POINTER, 0},
    {"llvm.noalias", ON_POINTER, 0},
    {"llvm.nocapture", ON_POINTER, PARAM_ONLY},
    {"llvm.readonly", ON_POINTER, PARAM_ONLY | ACCESS},
    {"llvm.readnone", ON_POINTER, PARAM_ONLY | ACCESS},
    {"llvm.writeonly", ON_POINTER, PARAM_ONLY | ACCESS},
    {"llvm.returned", ON_ANY, PARAM_ONLY},
    {"llvm.zeroext", ON_INT, EXTENDS},
    {"llvm.signext", ON_INT, EXTENDS},
    {"llvm.inreg", ON_ANY, 0},
    {"llvm.nest", ON_POINTER, PARAM_ONLY | PASSING},
    {"llvm.align", ON_POINTER, NEEDS_ALIGN},
    {"llvm.dereferenceable", ON_POINTER, NEEDS_BYTES},
    {"llvm.dereferenceable_or_null", ON_POINTER, NEEDS_BYTES},
    {"llvm.sret", ON_POINTER, PARAM_ONLY | NEEDS_TYPE | PASSING},
    {"llvm.byval", ON_POINTER, PARAM_ONLY | NEEDS_TYPE | PASSING},
    {"llvm.byref", ON_POINTER, PARAM_ONLY | NEEDS_TYPE | PASSING},
    {"llvm.swifterror", ON_POINTER, PARAM_ONLY | PASSING},
};

typedef struct Place {
	const IrOp *op;
	const IrType *type;
	const IrType *result; /* of the function */
	uint32_t index;       /* of the parameter; UINT32_MAX: the result */
	bool is_result;
	unsigned groups; /* of the flags met so far */
	uint32_t *nsret, *nreturned;
} Place;

static const char *place_text(Verifier *v, const Place *p)
{
	return p->is_result ? "the result" : arena_printf(v->arena, "parameter #%u", p->index);
}

static bool type_takes(ParamType on, const IrType *t)
{
	switch (on) {
	case ON_POINTER:
		return ir_is_ptr(t) || t->kind == TYPE_VPTR;
	case ON_INT:
		return ir_is_int(t) || t->kind == TYPE_BOOL;
	case ON_ANY:
		return true;
	}
	return false;
}

static bool value_fits(Verifier *v, const IrAttr *a, unsigned flags)
{
	uint64_t n;
	if (flags & NEEDS_ALIGN)
		return ir_attr_get_u64(a, &n) && n && (n & (n - 1)) == 0 && n <= UINT64_C(1) << 32;
	if (flags & NEEDS_BYTES)
		return ir_attr_get_u64(a, &n) && n;
	if (flags & NEEDS_TYPE)
		return a->kind == ATTR_TYPE && !ir_is_token(a->type) && verifier_type_fits(v, a->type);
	return true;
}

static bool check_groups(Verifier *v, Place *p, const char *name, unsigned flags)
{
	unsigned group = flags & (PASSING | ACCESS | EXTENDS);
	if (p->groups & group) {
		verifier_error(v, p->op, "attribute '%s' of %s excludes another one there", name,
		               place_text(v, p));
		return false;
	}
	p->groups |= group;
	return true;
}

/* sret stands once, on one of the first two; so does returned, on a parameter of the result's type. */
static bool check_position(Verifier *v, Place *p, Str name)
{
	if (str_equal(name, STR("llvm.sret")) && (p->index > 1 || ++*p->nsret > 1)) {
		verifier_error(v, p->op,
		               "attribute 'llvm.sret' must stand once, on the first or second parameter");
		return false;
	}
	if (str_equal(name, STR("llvm.returned")) && (p->type != p->result || ++*p->nreturned > 1)) {
		verifier_error(
		    v, p->op,
		    "attribute 'llvm.returned' must stand once, on a parameter of the result's type");
		return false;
	}
	return true;
}

static bool check_attr(Verifier *v, Place *p, const Name *name, const IrAttr *a)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		if (!str_equal(name_str(name), str_of(known[i].name)))
			continue;
		if ((p->is_result && (known[i].flags & PARAM_ONLY)) || !type_takes(known[i].on, p->type)) {
			verifier_error(v, p->op, "attribute '%s' does not apply to %s of type '%s'",
			               known[i].name, place_text(v, p), verifier_type(v, p->type));
			return false;
		}
		if (!value_fits(v, a, known[i].flags)) {
			verifier_error(v, p->op, "attribute '%s' of %s has a value that does not fit, '%s'",
			               known[i].name, place_text(v, p), ir_attr_str(v->arena, a));
			return false;
		}
		return check_groups(v, p, known[i].name, known[i].flags) &&
		       check_position(v, p, name_str(name));
	}
	return true;
}

static bool check_dict(Verifier *v, Place *p, const IrAttr *dict)
{
	if (dict->kind != ATTR_DICT) {
		verifier_error(v, p->op, "attributes of %s must be a dictionary", place_text(v, p));
		return false;
	}
	for (uint32_t i = 0; i < dict->n; i++)
		if (!check_attr(v, p, dict->keys[i], dict->elems[i]))
			return false;
	return true;
}

static bool is_list(Verifier *v, const IrOp *op, const IrAttr *a, const char *name, uint32_t n)
{
	if (a->kind == ATTR_ARRAY && a->n == n)
		return true;
	verifier_error(v, op, "attribute '%s' must have %u dictionaries", name, n);
	return false;
}

void verifier_check_param_attrs(Verifier *v, const IrOp *op, IrType *const *params, uint32_t nparams,
                                const IrType *result)
{
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	uint32_t nsret = 0, nreturned = 0;
	Place p = {.op = op, .result = result, .nsret = &nsret, .nreturned = &nreturned};
	if (args && !is_list(v, op, args, "arg_attrs", nparams))
		return;
	for (uint32_t i = 0; args && i < nparams; i++) {
		p.index = i;
		p.type = params[i];
		p.groups = 0;
		if (!check_dict(v, &p, args->elems[i]))
			return;
	}
	if (!res || !is_list(v, op, res, "res_attrs", 1))
		return;
	p.is_result = true;
	p.type = result;
	p.groups = 0;
	check_dict(v, &p, res->elems[0]);
}
