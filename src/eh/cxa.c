#include "eh/cxa.h"

#include "eh/clause_data.h"

static const char what[] = "function of the C++ runtime";
static const char circ[] = "function of circ's runtime";

static const LibFn cxx_rows[CXA_FN_COUNT] = {
    [CXA_BEGIN_CATCH] = {"__cxa_begin_catch", "bp", true, false, what},
    [CXA_END_CATCH] = {"__cxa_end_catch", "v", false, false,
                       what}, /* runs the destructor of the exception object */
    [CXA_GET_EXCEPTION_PTR] = {"__cxa_get_exception_ptr", "bp", true, false, what},
    [CXA_ALLOCATE_EXCEPTION] = {"__cxa_allocate_exception", "pz", true, false, what},
    [CXA_FREE_EXCEPTION] = {"__cxa_free_exception", "vp", true, false, what},
    [CXA_THROW] = {"__cxa_throw", "vppp", false, true, what},
    [CXA_RETHROW] = {"__cxa_rethrow", "v", false, true, what},
    [CXA_CALL_UNEXPECTED] = {"__cxa_call_unexpected", "vp", false, true, what},
    [CXA_TERMINATE] = {NULL, "v", true, true, what}, /* the target's name for it */
    [CXA_CALL_TERMINATE] = {"__clang_call_terminate", "vp", true, true, what},
    [CXA_GET_GLOBALS] = {"__cxa_get_globals", "p", true, false, what},
    [CXA_BEGIN_FINALLY] = {"__circ_begin_finally", "pp", true, false, what},
    [CXA_END_FINALLY] = {"__circ_end_finally", "vp", false, false, what},
};

/* include/circ/runtime.h. What it has no row for, the verifier refuses in its functions. */
static const LibFn circ_rows[CXA_FN_COUNT] = {
    [CXA_BEGIN_CATCH] = {"circ_begin_catch", "pp", true, false, circ},
    [CXA_END_CATCH] = {"circ_end_catch", "v", true, false, circ},
    [CXA_ALLOCATE_EXCEPTION] = {"circ_allocate_exception", "pz", true, false, circ},
    [CXA_FREE_EXCEPTION] = {"circ_free_exception", "vp", true, false, circ},
    [CXA_THROW] = {"circ_throw_noncontinuable", "vppp", false, true, circ},
    [CXA_THROW_CONTINUABLE] = {"circ_throw", "vppp", false, false, circ},
    [CXA_RETHROW] = {"circ_rethrow", "v", false, true, circ},
    [CXA_CALL_TERMINATE] = {"circ_terminate", "vp", true, true, circ},
    [CXA_DROP] = {"circ_drop", "vp", true, false, circ},
    [CXA_RECORD] = {"circ_record", "pp", true, false, circ},
    [CXA_SEH_MATCH] = {"circ_seh_match", "ipppp", false, false, circ},
    [CXA_SEH_LANDED] = {"circ_seh_landed", "pp", false, false,
                        circ}, /* it does not throw: eh/microsoft/seh.c */
    [CXA_SEH_CLEANUP_ENDS] = {"circ_seh_cleanup_ends", "vp", true, false, circ},
    [CXA_SEH_BEHIND_CLEANUP] = {"circ_seh_behind_cleanup", "vp", true, false, circ},
};

/* C++ without tables (eh/sjlj): its terms, libcircrt's functions. A finally is a catch like others. */
static const LibFn sjlj_rows[CXA_FN_COUNT] = {
    [CXA_BEGIN_CATCH] = {"circ_begin_catch", "pp", true, false, circ},
    [CXA_END_CATCH] = {"circ_end_catch", "v", false, false, circ},
    [CXA_GET_EXCEPTION_PTR] = {"circ_sjlj_object", "pp", true, false, circ},
    [CXA_ALLOCATE_EXCEPTION] = {"circ_allocate_exception", "pz", true, false, circ},
    [CXA_FREE_EXCEPTION] = {"circ_free_exception", "vp", true, false, circ},
    [CXA_THROW] = {"circ_throw_noncontinuable", "vppp", false, true, circ},
    [CXA_RETHROW] = {"circ_rethrow", "v", false, true, circ},
    [CXA_CALL_TERMINATE] = {"circ_terminate", "vp", true, true, circ},
    [CXA_BEGIN_FINALLY] = {"circ_begin_catch", "pp", true, false, circ},
};

void cxa_init(Cxa *c, EhRuntime runtime, IrModule *m, const AbiTarget *target, Diags *d)
{
	*c = (Cxa){.rt = {.m = m, .target = target, .d = d, .ok = true}, .runtime = runtime};
	c->sjlj = ir_module_is_sjlj(m);
	c->rows = runtime == EH_RUNTIME_CIRC ? circ_rows : c->sjlj ? sjlj_rows : cxx_rows;
	c->rt.personality_routine =
	    runtime == EH_RUNTIME_CIRC ? target->circ_personality : target->personality;
}

static void set_nothrow(Cxa *c, IrOp *call)
{
	if (call)
		ir_set_flag(c->rt.m, call, NAME_nothrow);
}

/* Functions that no library has. */

/* cir.func no_inline comdat linkonce_odr hidden @…(…) */
static IrBuilder define(Cxa *c, IrOp *func)
{
	ir_set_enum(c->rt.m, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_LINKONCE_ODR);
	ir_set_enum(c->rt.m, func, NAME_visibility, ENUM_VISIBILITY, VISIBILITY_HIDDEN);
	ir_set_enum(c->rt.m, func, NAME_inline_kind, ENUM_INLINE, INLINE_NO_INLINE);
	ir_set_flag(c->rt.m, func, NAME_comdat);
	ir_op_set_attr(c->rt.m, func, ir_known_name(c->rt.m, NAME_sym_visibility), NULL);
	return ir_at_end(c->rt.m, ir_func_add_entry(c->rt.m, func), func->loc);
}

/* {
 *   cir.call @__cxa_begin_catch(%e) nothrow
 *   cir.call @_ZSt9terminatev() nothrow
 *   cir.unreachable
 * } */
static void define_call_terminate(Cxa *c, IrOp *func)
{
	IrBuilder b = define(c, func);
	set_nothrow(c, cxa_call(c, &b, CXA_BEGIN_CATCH, b.block->args, b.block->nargs));
	set_nothrow(c, cxa_call(c, &b, CXA_TERMINATE, NULL, 0));
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
}

static IrBlock *append_block(IrBuilder *b, const IrOp *func, IrType *arg)
{
	IrBlock *block = ir_block_create(b->m, func->loc);
	ir_block_append(&func->regions[0], block);
	if (arg)
		ir_block_add_arg(b->m, block, arg);
	return block;
}

/* Where the C++ runtime has the newest of the exceptions that it holds (Itanium C++ ABI: Exception Handling, 2.2.2). NULL: reported. */
static IrValue *build_held(Cxa *c, IrBuilder *b)
{
	IrOp *globals = cxa_call(c, b, CXA_GET_GLOBALS, NULL, 0);
	return globals ? ir_build_bitcast(b, &globals->results[0], ir_type_ptr(b->m, b->m->voidp)) : NULL;
}

/* Of C++, whichever library threw it: the last four bytes of the class are "C++", and 0 or 1 (2.2.1, with the class as one number). */
static IrValue *build_is_cxx(IrBuilder *b, IrValue *exn)
{
	IrValue *kind = ir_build_load(b, ir_build_bitcast(b, exn, ir_type_ptr(b->m, b->m->u32)));
	IrValue *masked[] = {kind, ir_build_const_int(b, b->m->u32, 0xfffffffe)};
	IrOp *language = ir_build(b, OP_AND, b->m->u32, masked, 2);
	return ir_build_cmp(b, CMP_EQ, &language->results[0], ir_build_const_int(b, b->m->u32, 0x432b2b00));
}

/* The library ends the program where it is told to hold an exception of another language beside any other (2.5.3), and that one is
 * only passing through: the others are out of its sight until the finally ends.
 * {
 *   cir.brcond %is_cxx ^begin(null), ^other
 * ^other:
 *   %all = __cxa_get_globals()
 *   %outer = cir.load %all
 *   cir.store null, %all
 *   cir.br ^begin(%outer)
 * ^begin(%o):
 *   cir.call @__cxa_begin_catch(%e) nothrow
 *   cir.return %o
 * } */
static void define_begin_finally(Cxa *c, IrOp *func)
{
	IrBuilder b = define(c, func);
	IrValue *exn = b.block->args[0], *null = ir_build_const(&b, ir_attr_null(b.m, b.m->voidp));
	IrBlock *other = append_block(&b, func, NULL), *begin = append_block(&b, func, b.m->voidp);
	ir_build_brcond(&b, build_is_cxx(&b, exn), (IrSuccSpec){begin, &null, 1},
	                (IrSuccSpec){other, NULL, 0});

	b = ir_at_end(b.m, other, func->loc);
	IrValue *held = build_held(c, &b);
	if (!held)
		return;
	IrValue *outer = ir_build_load(&b, held);
	ir_build_store(&b, ir_build_const(&b, ir_attr_null(b.m, b.m->voidp)), held);
	ir_build_br(&b, begin, &outer, 1);

	b = ir_at_end(b.m, begin, func->loc);
	set_nothrow(c, cxa_call(c, &b, CXA_BEGIN_CATCH, &exn, 1));
	ir_build(&b, OP_RETURN, NULL, begin->args, 1);
}

/* {
 *   cir.call @__cxa_end_catch()
 *   cir.brcond %outer == null ^end, ^restore
 * ^restore:
 *   cir.store %outer, __cxa_get_globals()
 *   cir.br ^end
 * ^end:
 *   cir.return
 * } */
static void define_end_finally(Cxa *c, IrOp *func)
{
	IrBuilder b = define(c, func);
	IrValue *outer = b.block->args[0];
	IrBlock *restore = append_block(&b, func, NULL), *end = append_block(&b, func, NULL);
	cxa_call(c, &b, CXA_END_CATCH, NULL, 0);
	IrValue *none = ir_build_cmp(&b, CMP_EQ, outer, ir_build_const(&b, ir_attr_null(b.m, b.m->voidp)));
	ir_build_brcond(&b, none, (IrSuccSpec){end, NULL, 0}, (IrSuccSpec){restore, NULL, 0});

	b = ir_at_end(b.m, restore, func->loc);
	IrValue *held = build_held(c, &b);
	if (!held)
		return;
	ir_build_store(&b, outer, held);
	ir_build_br(&b, end, NULL, 0);

	b = ir_at_end(b.m, end, func->loc);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
}

typedef void Define(Cxa *c, IrOp *func);

static Define *const definitions[CXA_FN_COUNT] = {
    [CXA_CALL_TERMINATE] = define_call_terminate,
    [CXA_BEGIN_FINALLY] = define_begin_finally,
    [CXA_END_FINALLY] = define_end_finally,
};

static IrOp *call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                  const IrSuccSpec *edges)
{
	bool cxx = c->runtime == EH_RUNTIME_CXX && !c->sjlj;
	LibFn row = c->rows[fn];
	if (fn == CXA_TERMINATE && cxx)
		row.name = c->rt.target->terminate;
	if (!row.name) { /* of C++'s functions one of exception specifications */
		diag_error(c->rt.d, b->loc,
		           "exception specifications are not supported without tables ('circ.eh.model = "
		           "\"sjlj\"'); use a handler");
		c->rt.ok = false;
		return NULL;
	}
	IrOp *func = runtime_require(&c->rt, &row, &c->uses[fn], b->loc);
	/* A mere declaration in the input gets its body too. */
	if (cxx && definitions[fn] && func && ir_func_is_declaration(func))
		definitions[fn](c, func);
	return runtime_call(&c->rt, b, &row, &c->uses[fn], args, nargs, edges);
}

IrOp *cxa_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs)
{
	return call(c, b, fn, args, nargs, NULL);
}

IrOp *cxa_try_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                   const IrSuccSpec edges[2])
{
	return call(c, b, fn, args, nargs, edges);
}

/* Type infos */

/* cir.global "private" constant external @_ZTIi : !cir.ptr<!u8i> */
static void declare_type_info(Cxa *c, Name *symbol, Loc loc)
{
	IrModule *m = c->rt.m;
	IrOp *op = ir_global_create(m, symbol, ir_type_ptr(m, m->u8), loc);
	ir_set_enum(m, op, NAME_sym_visibility, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE);
	ir_set_flag(m, op, NAME_constant);
}

Name *cxa_clause(Cxa *c, Name *symbol, Loc loc)
{
	const IrOp *found = ir_symbol(symbol);
	if (found && c->runtime == EH_RUNTIME_CIRC)
		return clause_data(c->rt.m, symbol, loc);
	if (!found && symbol->len > 4 && memcmp(symbol->text, "_ZTI", 4) == 0) {
		declare_type_info(c, symbol, loc);
		found = ir_symbol(symbol);
	}
	if (found && found->kind == OP_GLOBAL)
		return c->sjlj ? clause_data_cxx(c->rt.m, symbol, loc) : symbol;
	if (found)
		diag_error(c->rt.d, loc, "type info '%s' is a function; expected a global", symbol->text);
	else
		diag_error(c->rt.d, loc, "type info '%s' is not in the module", symbol->text);
	if (found)
		diag_note(c->rt.d, found->loc, "'%s' is defined here", symbol->text);
	c->rt.ok = false;
	return NULL;
}

Name *cxa_clause_all(Cxa *c, Loc loc)
{
	return c->runtime == EH_RUNTIME_CIRC ? clause_data_all(c->rt.m, loc) : NULL;
}
