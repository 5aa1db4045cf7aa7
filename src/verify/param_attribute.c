/* Attributes of parameters and results (cir-reference 4.2), as far as LLVM minds them. Others pass. */
#include "verify/verifier.h"

typedef enum ParamType { ON_ANY, ON_POINTER, ON_INT, ON_FLOAT } ParamType;

/* OF_FUNCTION: check_position() asks for more than the place. */
enum {
	PARAM_ONLY = 1,
	NEEDS_ALIGN = 2,
	NEEDS_BYTES = 4,
	NEEDS_TYPE = 8,
	ONCE = 16,
	OF_FUNCTION = 32,
	NEEDS_CLASSES = 64
};

enum { FP_CLASSES_ALL = 0x3ff };

/* Of one family, only attributes of one member stand together: LLVM counts inreg as sret's like. */
typedef enum Family { NO_FAMILY, PASSING, ACCESS, EXTENSION, FAMILY_COUNT } Family;

#define ATTR(name)                                                                                           \
	{                                                                                                    \
		(name), sizeof(name) - 1                                                                     \
	}

static const struct {
	Str name;
	ParamType on;
	unsigned flags;
	Family family;
	unsigned member;
} known[] = {
    {ATTR("llvm.nonnull"), ON_POINTER, 0, NO_FAMILY, 0},
    {ATTR("llvm.noalias"), ON_POINTER, 0, NO_FAMILY, 0},
    {ATTR("llvm.nocapture"), ON_POINTER, PARAM_ONLY, NO_FAMILY, 0},
    {ATTR("llvm.readonly"), ON_POINTER, PARAM_ONLY, ACCESS, 1},
    {ATTR("llvm.readnone"), ON_POINTER, PARAM_ONLY, ACCESS, 2},
    {ATTR("llvm.writeonly"), ON_POINTER, PARAM_ONLY, ACCESS, 3},
    {ATTR("llvm.writable"), ON_POINTER, PARAM_ONLY | OF_FUNCTION, ACCESS, 3},
    {ATTR("llvm.dead_on_return"), ON_POINTER, PARAM_ONLY, NO_FAMILY, 0},
    {ATTR("llvm.dead_on_unwind"), ON_POINTER, PARAM_ONLY, NO_FAMILY, 0},
    {ATTR("llvm.returned"), ON_ANY, PARAM_ONLY | ONCE | OF_FUNCTION, NO_FAMILY, 0},
    {ATTR("llvm.zeroext"), ON_INT, 0, EXTENSION, 1},
    {ATTR("llvm.signext"), ON_INT, 0, EXTENSION, 2},
    {ATTR("llvm.inreg"), ON_ANY, 0, PASSING, 1},
    {ATTR("llvm.sret"), ON_POINTER, PARAM_ONLY | NEEDS_TYPE | ONCE | OF_FUNCTION, PASSING, 1},
    {ATTR("llvm.byval"), ON_POINTER, PARAM_ONLY | NEEDS_TYPE, PASSING, 2},
    {ATTR("llvm.byref"), ON_POINTER, PARAM_ONLY | NEEDS_TYPE, PASSING, 3},
    {ATTR("llvm.nest"), ON_POINTER, PARAM_ONLY | ONCE, PASSING, 4},
    {ATTR("llvm.swifterror"), ON_POINTER, PARAM_ONLY | ONCE | OF_FUNCTION, NO_FAMILY, 0},
    {ATTR("llvm.nofpclass"), ON_FLOAT, NEEDS_CLASSES, NO_FAMILY, 0},
    {ATTR("llvm.align"), ON_POINTER, NEEDS_ALIGN, NO_FAMILY, 0},
    {ATTR("llvm.dereferenceable"), ON_POINTER, NEEDS_BYTES, NO_FAMILY, 0},
    {ATTR("llvm.dereferenceable_or_null"), ON_POINTER, NEEDS_BYTES, NO_FAMILY, 0},
};

/* Where the attributes being checked stand. */
typedef struct Place {
	const IrOp *op;
	const IrType *type;
	const IrType *result; /* of the function */
	uint32_t index;       /* of the parameter */
	bool is_result;
	bool alone;                     /* what was met there depends on nothing else of the function */
	unsigned members[FAMILY_COUNT]; /* met at this place */
	bool met[ARRAY_LEN(known)];     /* ONCE: at some place of this function */
} Place;

void verifier_param_rows(Verifier *v)
{
	v->param_rows = arena_array(v->arena, uint8_t, v->m->names.len);
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		const Name *name = name_find(&v->m->names, known[i].name);
		if (name)
			v->param_rows[name->id] = (uint8_t)(i + 1);
	}
}

const char *verifier_param_attr(unsigned row)
{
	return row < ARRAY_LEN(known) ? known[row].name.data : NULL;
}

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
	case ON_FLOAT:
		return ir_is_float(ir_element(t) ? ir_element(t) : t);
	case ON_ANY:
		return t->kind != TYPE_VOID;
	}
	return false;
}

/* What the flags ask of the value; NULL: it is that. */
static const char *expected_value(Verifier *v, const IrAttr *a, unsigned flags)
{
	uint64_t n = 0;
	bool number = ir_attr_get_u64(a, &n);
	if ((flags & NEEDS_ALIGN) && !(n && (n & (n - 1)) == 0 && n <= UINT64_C(1) << 32))
		return "a power of two from 1 to 4294967296";
	if ((flags & NEEDS_BYTES) && !number) /* may be 0, which clang's CIR front end prints for functions */
		return "a number of bytes";
	if ((flags & NEEDS_CLASSES) && !(n && n <= FP_CLASSES_ALL))
		return "a number from 1 to 1023";
	if ((flags & NEEDS_TYPE) &&
	    !(a->kind == ATTR_TYPE && !ir_is_token(a->type) && verifier_type_fits(v, a->type)))
		return "the type of a value in memory";
	return NULL;
}

static bool check_family(Verifier *v, Place *p, unsigned row)
{
	unsigned *member = &p->members[known[row].family];
	if (known[row].family == NO_FAMILY || *member == 0 || *member == known[row].member) {
		*member = known[row].member;
		return true;
	}
	verifier_error(v, p->op, ": attribute '%s' of %s cannot be combined with another one there",
	               known[row].name.data, place_text(v, p));
	return false;
}

static bool check_once(Verifier *v, Place *p, unsigned row)
{
	if (!(known[row].flags & ONCE))
		return true;
	bool first = !p->met[row];
	p->met[row] = true;
	if (!first)
		verifier_error(v, p->op, ": attribute '%s' can be given only once", known[row].name.data);
	return first;
}

static bool keeps_memory(const IrOp *op)
{
	unsigned effect = ir_op_enum(op, NAME_side_effect, SIDE_EFFECT_ALL);
	return effect == SIDE_EFFECT_PURE || effect == SIDE_EFFECT_CONST;
}

static bool check_position(Verifier *v, const Place *p, Str name)
{
	bool sret = str_equal(name, STR("llvm.sret"));
	if (sret && p->index > 1)
		verifier_error(v, p->op, ": attribute 'llvm.sret' must be on the first or second parameter");
	else if (sret && p->result->kind != TYPE_VOID)
		verifier_error(v, p->op, ": attribute 'llvm.sret' needs a function without a result");
	else if (str_equal(name, STR("llvm.returned")) && p->type != p->result)
		verifier_error(
		    v, p->op,
		    ": attribute 'llvm.returned' must be on a parameter that has the type of the result");
	else if (str_equal(name, STR("llvm.swifterror")) &&
	         (p->op->kind != OP_FUNC || !ir_func_is_declaration(p->op)))
		verifier_error(v, p->op, ": attribute 'llvm.swifterror' is supported on declarations only");
	else if (str_equal(name, STR("llvm.writable")) && keeps_memory(p->op))
		verifier_error(v, p->op,
		               ": attribute 'llvm.writable' contradicts 'side_effect', which says that the "
		               "function does not write through its arguments");
	else
		return true;
	return false;
}

static bool check_attr(Verifier *v, Place *p, const Name *name, const IrAttr *a)
{
	if (!v->param_rows[name->id])
		return true;
	unsigned i = v->param_rows[name->id] - 1u;
	if ((p->is_result && (known[i].flags & PARAM_ONLY)) || !type_takes(known[i].on, p->type)) {
		verifier_error(v, p->op, ": attribute '%s' does not apply to %s of type '%s'",
		               known[i].name.data, place_text(v, p), verifier_type(v, p->type));
		return false;
	}
	const char *expected = expected_value(v, a, known[i].flags);
	if (expected) {
		verifier_error(v, p->op, ": expected attribute '%s' of %s to be %s, found '%s'",
		               known[i].name.data, place_text(v, p), expected, ir_attr_str(v->arena, a));
		return false;
	}
	if (known[i].flags & (ONCE | OF_FUNCTION))
		p->alone = false;
	return check_family(v, p, i) && check_once(v, p, i) &&
	       (!(known[i].flags & OF_FUNCTION) || check_position(v, p, name_str(name)));
}

static bool check_dict(Verifier *v, Place *p, const IrType *type, const IrAttr *dict)
{
	FittingDict *fitting = &v->fitting_dicts[(dict->id * 31 + type->id) % FITTING_DICTS];
	if (fitting->dict == dict && fitting->type == type && fitting->is_result == p->is_result)
		return true;
	p->type = type;
	p->alone = true;
	memset(p->members, 0, sizeof p->members);
	if (dict->kind != ATTR_DICT) {
		verifier_error(v, p->op, ": the attributes of %s must be a dictionary", place_text(v, p));
		return false;
	}
	for (uint32_t i = 0; i < dict->n; i++)
		if (!check_attr(v, p, dict->keys[i], dict->elems[i]))
			return false;
	if (p->alone)
		*fitting = (FittingDict){dict, type, p->is_result};
	return true;
}

static bool is_list(Verifier *v, const IrOp *op, const IrAttr *a, const char *name, uint32_t n)
{
	if (a->kind == ATTR_ARRAY && a->n == n)
		return true;
	verifier_error(v, op, ": attribute '%s' must be an array of %u dictionaries", name, n);
	return false;
}

void verifier_check_param_attrs(Verifier *v, const IrOp *op, IrType *const *params, uint32_t nparams,
                                const IrType *result)
{
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	Place p = {.op = op, .result = result};
	if (args && !is_list(v, op, args, "arg_attrs", nparams))
		return;
	for (uint32_t i = 0; args && i < nparams; i++) {
		p.index = i;
		if (!check_dict(v, &p, params[i], args->elems[i]))
			return;
	}
	p.is_result = true;
	if (res && is_list(v, op, res, "res_attrs", 1))
		check_dict(v, &p, result, res->elems[0]);
}
