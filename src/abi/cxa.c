#include "abi/cxa.h"

#include "ir/spell.h"

enum { MAX_PARAMS = 3 };

/* Types by letter: v void, p !cir.ptr<!void>, b !cir.ptr<!u8i>, z !u64i. */
typedef struct CxaRow {
	const char *name; /* NULL: the target's std::terminate */
	char result;
	const char *params;
	bool nothrow, noreturn;
} CxaRow;

static const CxaRow rows[CXA_FN_COUNT] = {
    [CXA_BEGIN_CATCH] = {"__cxa_begin_catch", 'b', "p", true, false},
    [CXA_END_CATCH] = {"__cxa_end_catch", 'v', "", false,
                       false}, /* runs the destructor of the exception object */
    [CXA_GET_EXCEPTION_PTR] = {"__cxa_get_exception_ptr", 'b', "p", true, false},
    [CXA_ALLOCATE_EXCEPTION] = {"__cxa_allocate_exception", 'p', "z", true, false},
    [CXA_FREE_EXCEPTION] = {"__cxa_free_exception", 'v', "p", true, false},
    [CXA_THROW] = {"__cxa_throw", 'v', "ppp", false, true},
    [CXA_RETHROW] = {"__cxa_rethrow", 'v', "", false, true},
    [CXA_CALL_UNEXPECTED] = {"__cxa_call_unexpected", 'v', "p", false, true},
    [CXA_TERMINATE] = {NULL, 'v', "", true, true},
    [CXA_CALL_TERMINATE] = {"__clang_call_terminate", 'v', "p", true, true},
};

void cxa_init(Cxa *c, IrModule *m, const AbiTarget *target, Diags *d)
{
	*c = (Cxa){.m = m, .target = target, .d = d, .ok = true};
}

static IrType *type_of_letter(Cxa *c, char letter)
{
	switch (letter) {
	case 'p':
		return c->m->voidp;
	case 'b':
		return ir_type_ptr(c->m, c->m->u8);
	case 'z':
		return c->m->u64;
	default:
		return ir_type_simple(c->m, TYPE_VOID);
	}
}

static IrType *function_type(Cxa *c, CxaFn fn)
{
	IrType *params[MAX_PARAMS];
	uint32_t n = 0;
	for (const char *p = rows[fn].params; *p; p++)
		params[n++] = type_of_letter(c, *p);
	return ir_type_func(c->m, params, n, type_of_letter(c, rows[fn].result), false);
}

/* Declarations */

/* Could a value of one type be passed where the other is expected, after a cast that generates no code? */
static bool interchangeable(const IrType *a, const IrType *b)
{
	if (ir_is_ptr(a) || ir_is_ptr(b))
		return ir_is_ptr(a) && ir_is_ptr(b);
	return a == b || (ir_is_int(a) && ir_is_int(b) && a->width == b->width);
}

static bool usable_as(const IrOp *found, const IrType *want)
{
	const IrType *have = found->kind == OP_FUNC ? ir_func_type(found) : NULL;
	if (!have || have->kind != TYPE_FUNC ||
	    (want->elem->kind != TYPE_VOID && !interchangeable(have->elem, want->elem)))
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

static void report_clash(Cxa *c, const IrOp *found, const Name *name, const IrType *want)
{
	Arena *a = &c->m->scratch;
	ArenaMark mark = arena_mark(a);
	const IrType *have = ir_symbol_type(found);
	diag_error(c->d, found->loc,
	           "'%s' is a function of the C++ runtime of type '%s', but is declared here %s '%s'",
	           name->text, ir_type_str(a, want),
	           found->kind == OP_FUNC ? "with type" : "as a variable of type",
	           have ? ir_type_str(a, have) : "?");
	arena_release(a, mark);
}

static IrOp *declare(Cxa *c, Str text, IrType *type)
{
	Name *name = ir_name(c->m, text);
	IrOp *found = ir_symbol(name);
	if (!found)
		return ir_func_declare(c->m, text, type);
	if (usable_as(found, type))
		return found;
	report_clash(c, found, name, type);
	return NULL;
}

static void set_enum(Cxa *c, IrOp *op, NameId name, EnumClass class, unsigned word)
{
	ir_op_set_attr(c->m, op, ir_known_name(c->m, name), ir_attr_enum(c->m, class, word));
}

static void set_nothrow(Cxa *c, IrOp *call)
{
	if (call)
		ir_set_flag(c->m, call, NAME_nothrow);
}

/* cir.func no_inline comdat linkonce_odr hidden @__clang_call_terminate(%e) {
 *   cir.call @__cxa_begin_catch(%e) nothrow
 *   cir.call @_ZSt9terminatev() nothrow
 *   cir.unreachable
 * } */
static void define_call_terminate(Cxa *c, IrOp *func)
{
	set_enum(c, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_LINKONCE_ODR);
	set_enum(c, func, NAME_visibility, ENUM_VISIBILITY, VISIBILITY_HIDDEN);
	set_enum(c, func, NAME_inline_kind, ENUM_INLINE, INLINE_NO_INLINE);
	ir_set_flag(c->m, func, NAME_comdat);
	ir_op_set_attr(c->m, func, ir_known_name(c->m, NAME_sym_visibility), NULL);
	IrBlock *entry = ir_func_add_entry(c->m, func);
	IrBuilder b = ir_at_end(c->m, entry, func->loc);
	set_nothrow(c, cxa_call(c, &b, CXA_BEGIN_CATCH, entry->args, entry->nargs));
	set_nothrow(c, cxa_call(c, &b, CXA_TERMINATE, NULL, 0));
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
}

static IrOp *require(Cxa *c, CxaFn fn)
{
	if (c->functions[fn] || c->refused[fn])
		return c->functions[fn];
	Str name = str_of(rows[fn].name ? rows[fn].name : c->target->terminate);
	bool is_new = !ir_symbol(ir_name(c->m, name));
	IrOp *func = declare(c, name, function_type(c, fn));
	if (!func) {
		c->refused[fn] = true;
		c->ok = false;
		return NULL;
	}
	c->functions[fn] = func;
	if (is_new && rows[fn].nothrow)
		ir_set_flag(c->m, func, NAME_nothrow);
	if (is_new && rows[fn].noreturn)
		ir_set_flag(c->m, func, NAME_noreturn);
	/* No library has this one, so a mere declaration in the input gets its body too. */
	if (fn == CXA_CALL_TERMINATE && ir_func_is_declaration(func))
		define_call_terminate(c, func);
	return func;
}

/* Calls */

IrValue *cxa_cast_ptr(IrBuilder *b, IrValue *v, IrType *to)
{
	return v->type == to ? v : ir_build_cast(b, CAST_BITCAST, v, to);
}

static IrValue *fit_argument(IrBuilder *b, IrValue *v, IrType *to)
{
	if (ir_is_int(to) && v->type != to)
		return ir_build_cast(b, CAST_INTEGRAL, v, to);
	return cxa_cast_ptr(b, v, to);
}

static IrOp *build_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                        const IrSuccSpec *edges)
{
	IrOp *func = require(c, fn);
	if (!func)
		return NULL;
	const IrType *type = ir_func_type(func);
	IrValue *fitted[MAX_PARAMS];
	CHECK(nargs <= MAX_PARAMS && nargs == strlen(rows[fn].params));
	for (uint32_t i = 0; i < nargs; i++)
		fitted[i] = i < type->nmembers ? fit_argument(b, args[i], type->members[i]) : args[i];
	IrNamedAttr callee = {ir_known_name(c->m, NAME_callee), ir_attr_symbol(c->m, ir_symbol_name(func))};
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

IrOp *cxa_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs)
{
	return build_call(c, b, fn, args, nargs, NULL);
}

IrOp *cxa_try_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                   const IrSuccSpec edges[2])
{
	return build_call(c, b, fn, args, nargs, edges);
}

/* Only its address is taken, so the type of a declaration that is there does not matter. */
Name *cxa_personality(Cxa *c)
{
	if (c->personality)
		return c->personality;
	Str text = str_of(c->target->personality);
	const IrOp *func = ir_func_declare(c->m, text, ir_type_func(c->m, NULL, 0, c->m->s32, true));
	if (func->kind != OP_FUNC) {
		diag_error(c->d, func->loc, "'%s' is the personality routine of %s, but is a variable here",
		           c->target->personality, c->target->name);
		c->ok = false;
	}
	return c->personality = ir_name(c->m, text);
}

/* Type infos */

/* cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i> */
static void declare_type_info(Cxa *c, Name *symbol, Loc loc)
{
	IrModule *m = c->m;
	IrNamedAttr attrs[] = {
	    {ir_known_name(m, NAME_sym_name), ir_attr_symbol(m, symbol)},
	    {ir_known_name(m, NAME_sym_type), ir_attr_type(m, ir_type_ptr(m, m->u8))},
	    {ir_known_name(m, NAME_sym_visibility),
	     ir_attr_enum(m, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE)},
	    {ir_known_name(m, NAME_linkage), ir_attr_enum(m, ENUM_LINKAGE, LINKAGE_EXTERNAL)},
	    {ir_known_name(m, NAME_constant), ir_attr_unit(m)},
	};
	IrOp *op = ir_op_create(
	    m, &(IrOpSpec){
	           .kind = OP_GLOBAL, .loc = loc, .nregions = 2, .attrs = attrs, .nattrs = ARRAY_LEN(attrs)});
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
}

bool cxa_type_info(Cxa *c, Name *symbol, Loc loc)
{
	const IrOp *found = ir_symbol(symbol);
	if (found && found->kind == OP_GLOBAL)
		return true;
	if (!found && symbol->len > 4 && memcmp(symbol->text, "_ZTI", 4) == 0) {
		declare_type_info(c, symbol, loc);
		return true;
	}
	if (found)
		diag_error(c->d, loc, "type_info symbol '%s' is a function; expected a global", symbol->text);
	else
		diag_error(c->d, loc, "type_info symbol not found in module: '%s'", symbol->text);
	if (found)
		diag_note(c->d, found->loc, "'%s' is defined here", symbol->text);
	return c->ok = false;
}

IrValue *cxa_address(Cxa *c, IrBuilder *b, Name *symbol)
{
	IrNamedAttr attr = {ir_known_name(c->m, NAME_symbol), ir_attr_symbol(c->m, symbol)};
	IrType *type = ir_type_ptr(c->m, ir_symbol_type(ir_symbol(symbol)));
	IrOp *op = ir_build_spec(
	    b, &(IrOpSpec){
	           .kind = OP_GET_GLOBAL, .result_types = &type, .nresults = 1, .attrs = &attr, .nattrs = 1});
	return cxa_cast_ptr(b, &op->results[0], c->m->voidp);
}
