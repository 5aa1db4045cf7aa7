#include "ir/libcall.h"

#include "ir/spell.h"

static IrType *type_of_letter(IrModule *m, char letter)
{
	switch (letter) {
	case 'p':
		return m->voidp;
	case 'b':
		return ir_type_ptr(m, m->u8);
	case 'i':
		return m->s32;
	case 'l':
		return m->difference;
	case 'z':
		return m->size;
	default:
		CHECK(letter == 'v');
		return ir_type_simple(m, TYPE_VOID);
	}
}

static IrType *function_type(IrModule *m, const LibFn *fn)
{
	IrType *params[LIBFN_PARAMS_MAX];
	uint32_t n = 0;
	for (const char *p = fn->type + 1; *p; p++) {
		CHECK(n < LIBFN_PARAMS_MAX);
		params[n++] = type_of_letter(m, *p);
	}
	return ir_type_func(m, params, n, type_of_letter(m, fn->type[0]), false);
}

/* Could a value of one type be passed where the other is expected, after a cast that generates no code? */
static bool interchangeable(const IrType *a, const IrType *b)
{
	if (ir_is_ptr(a) || ir_is_ptr(b))
		return ir_is_ptr(a) && ir_is_ptr(b);
	return a == b || (ir_is_int(a) && ir_is_int(b) && a->width == b->width);
}

static bool usable_as(const IrOp *found, const IrType *want, bool result_unused)
{
	const IrType *have = found->kind == OP_FUNC ? ir_func_type(found) : NULL;
	if (!have || have->kind != TYPE_FUNC ||
	    (want->elem->kind != TYPE_VOID && !(result_unused && have->elem->kind == TYPE_VOID) &&
	     !interchangeable(have->elem, want->elem)))
		return false;
	if (ir_op_has(found, NAME_no_proto))
		return true;
	if (have->variadic ? have->nmembers > want->nmembers : have->nmembers != want->nmembers)
		return false;
	for (uint32_t i = 0; i < have->nmembers; i++)
		if (!interchangeable(have->members[i], want->members[i]))
			return false;
	return true;
}

/* What an op called before it was not declared by the text: then the place is that of the other op. */
static void report_clash(IrModule *m, const LibFn *fn, const IrOp *found, const IrType *want, Loc user,
                         Diags *d)
{
	bool declared = found->loc.pos || found->loc.info;
	Arena *a = &m->scratch;
	ArenaMark mark = arena_mark(a);
	const IrType *have = ir_symbol_type(found);
	diag_error(d, declared ? found->loc : user,
	           "'%s' must have type '%s', because it is a %s; found %s'%s'", fn->name,
	           ir_type_str(a, want), fn->what,
	           found->kind != OP_FUNC ? "a variable of type "
	           : declared             ? ""
	                                  : "a call with type ",
	           have ? ir_type_str(a, have) : "?");
	arena_release(a, mark);
}

/* Whoever declares it: what it does is known, so that a declaration changes no code of others. */
static IrOp *with_flags(IrModule *m, const LibFn *fn, IrOp *func)
{
	if (fn->nothrow && !ir_op_is_nothrow(func))
		ir_set_flag(m, func, NAME_nothrow);
	if (fn->noreturn && !ir_op_has(func, NAME_noreturn))
		ir_set_flag(m, func, NAME_noreturn);
	return func;
}

IrOp *libfn_require(IrModule *m, const LibFn *fn, Loc user, Diags *d)
{
	IrType *type = function_type(m, fn);
	IrOp *found = ir_symbol(ir_name(m, str_of(fn->name)));
	if (found && usable_as(found, type, fn->result_unused))
		return ir_func_is_declaration(found) ? with_flags(m, fn, found) : found;
	if (found) {
		report_clash(m, fn, found, type, user, d);
		return NULL;
	}
	return with_flags(m, fn, ir_func_declare(m, str_of(fn->name), type));
}

static IrValue *fit_argument(IrBuilder *b, IrValue *v, IrType *to)
{
	if (v->type == to)
		return v;
	return ir_build_cast(b, ir_is_int(to) ? CAST_INTEGRAL : CAST_BITCAST, v, to);
}

IrOp *libfn_build_call(IrBuilder *b, IrOp *func, IrValue *const *args, uint32_t nargs,
                       const IrSuccSpec *edges)
{
	const IrType *type = ir_func_type(func);
	IrValue *fitted[LIBFN_PARAMS_MAX];
	CHECK(nargs <= LIBFN_PARAMS_MAX);
	for (uint32_t i = 0; i < nargs; i++)
		fitted[i] = i < type->nmembers ? fit_argument(b, args[i], type->members[i]) : args[i];
	IrNamedAttr callee = {ir_known_name(b->m, NAME_callee), ir_attr_symbol(b->m, ir_symbol_name(func))};
	IrType *result = type->elem;
	IrOpSpec spec = {.kind = edges ? OP_TRY_CALL : OP_CALL,
	                 .operands = fitted,
	                 .noperands = nargs,
	                 .attrs = &callee,
	                 .nattrs = 1};
	spec.result_types = &result;
	spec.nresults = result->kind != TYPE_VOID;
	spec.succs = edges;
	spec.nsuccs = edges ? 2 : 0;
	return ir_build_spec(b, &spec);
}

IrOp *libfn_call(IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs, Diags *d)
{
	IrOp *func = libfn_require(b->m, fn, b->loc, d);
	CHECK(nargs == strlen(fn->type) - 1);
	return func ? libfn_build_call(b, func, args, nargs, NULL) : NULL;
}
