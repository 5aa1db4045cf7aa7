/* Registering what destroys an object at the end of the program, or of a thread.
 *
 * Itanium, ELF (C++ ABI 3.3.6):     __cxa_atexit(destructor, &object, &__dso_handle)
 *          of a thread's copies:    __cxa_thread_atexit, with the same arguments
 *          Apple's systems:         _tlv_atexit, the same way
 * MinGW, Microsoft:                 atexit(function of our own that destroys the object)
 * Microsoft, of a thread's copies:  __tlregdtor, the same way
 *
 * MinGW has its own list of functions to run at exit, which __cxa_atexit would not join;
 * clang avoids it there, too.
 */
#include "expand/internal.h"

static const char cxx[] = "function of the C++ runtime", libc[] = "function of the C library";

static const LibFn cxa_atexit = {"__cxa_atexit", "ippp", true, false, libc, true};
static const LibFn cxa_thread_atexit = {"__cxa_thread_atexit", "ippp", true, false, cxx, true};
static const LibFn tlv_atexit = {"_tlv_atexit", "ippp", true, false, libc, true};
static const LibFn libc_atexit = {"atexit", "ip", true, false, libc, true};
static const LibFn tlregdtor = {"__tlregdtor", "ip", true, false, cxx, true};

static bool is_plain_cast(const IrOp *op)
{
	return op->kind == OP_CAST && ir_op_enum(op, NAME_kind, CAST_BITCAST) == CAST_BITCAST;
}

/* The destructor, if all that the region does is to call it with the object. */
static Name *sole_destructor(const IrOp *global, const IrRegion *dtor)
{
	const IrOp *op = dtor->first->first;
	if (!op || op->kind != OP_GET_GLOBAL || ir_op_symbol(op, NAME_symbol) != ir_symbol_name(global))
		return NULL;
	const IrOp *object = op;
	op = op->next;
	if (op && is_plain_cast(op) && ir_operand(op, 0) == &object->results[0]) {
		object = op;
		op = op->next;
	}
	if (!op || op->kind != OP_CALL || op->noperands != 1 || op->nresults ||
	    ir_operand(op, 0) != &object->results[0] || !op->next || op->next->kind != OP_YIELD)
		return NULL;
	Name *callee = ir_call_callee(op);
	const IrOp *func = ir_symbol(callee);
	const IrType *type = func && func->kind == OP_FUNC ? ir_func_type(func) : NULL;
	return type && type->nmembers == 1 && !type->variadic && ir_is_ptr(type->members[0]) ? callee : NULL;
}

/* A function that does what the region says. */
static Name *make_helper(Expand *x, Loc loc, IrRegion *dtor, bool takes_object)
{
	IrType *param = x->m->voidp;
	IrType *type = ir_type_func(x->m, &param, takes_object, ir_type_simple(x->m, TYPE_VOID), false);
	IrOp *func = ir_func_create(x->m, ir_free_name(x->m, STR("__cxx_global_array_dtor")), type, loc);
	ir_set_enum(x->m, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	IrBuilder b = ir_at_end(x->m, ir_func_add_entry(x->m, func), loc);
	expand_move(&b, dtor);
	expand_return(&b);
	return ir_symbol_name(func);
}

static IrValue *address(Expand *x, IrBuilder *b, Name *symbol)
{
	IrValue *v = ir_build_get_global(b, symbol);
	if (v->type->attr)
		v = ir_build_cast(b, CAST_ADDRESS_SPACE, v, ir_type_ptr(x->m, v->type->elem));
	return ir_build_bitcast(b, v, x->m->voidp);
}

/* cir.global external hidden @__dso_handle : !u8i */
static Name *dso_handle(Expand *x, Loc loc)
{
	Name *name = ir_name(x->m, STR("__dso_handle"));
	const IrOp *found = ir_symbol(name);
	if (!found) {
		IrOp *op = ir_global_create(x->m, name, x->m->u8, loc);
		ir_set_enum(x->m, op, NAME_visibility, ENUM_VISIBILITY, VISIBILITY_HIDDEN);
	} else if (found->kind != OP_GLOBAL) {
		diag_error(x->d, found->loc,
		           "'__dso_handle' is the linker's name for this object, but is "
		           "declared here as a function");
		return NULL;
	}
	return name;
}

static bool register_with_object(Expand *x, IrBuilder *b, IrOp *global, IrRegion *dtor, const LibFn *fn)
{
	/* what it calls has no result */
	bool fits = x->target->object != ABI_OBJECT_WASM; /* a call there looks at the type of the function */
	Name *function = fits ? sole_destructor(global, dtor) : NULL, *dso = dso_handle(x, b->loc);
	if (!dso)
		return false;
	if (!function)
		function = make_helper(x, b->loc, dtor, true);
	IrValue *args[] = {address(x, b, function), address(x, b, ir_symbol_name(global)),
	                   address(x, b, dso)};
	return expand_call(x, b, fn, args, 3, NULL);
}

static bool register_alone(Expand *x, IrBuilder *b, IrRegion *dtor, const LibFn *fn)
{
	IrValue *arg = address(x, b, make_helper(x, b->loc, dtor, false));
	return expand_call(x, b, fn, &arg, 1, NULL);
}

static void drop(IrRegion *region)
{
	if (!region->first)
		return;
	ir_block_drop_references(region->first);
	ir_block_erase(region->first);
}

bool expand_at_exit(Expand *x, IrBuilder *b, IrOp *global, IrRegion *dtor)
{
	bool thread = ir_op_has(global, NAME_tls_model), macho = x->target->object == ABI_OBJECT_MACHO, ok;
	if (expand_is_microsoft(x))
		ok = register_alone(x, b, dtor, thread ? &tlregdtor : &libc_atexit);
	else if (thread)
		ok = register_with_object(x, b, global, dtor, macho ? &tlv_atexit : &cxa_thread_atexit);
	else if (x->target->object != ABI_OBJECT_COFF)
		ok = register_with_object(x, b, global, dtor, &cxa_atexit);
	else
		ok = register_alone(x, b, dtor, &libc_atexit);
	drop(dtor); /* the call of a destructor that is registered itself */
	return ok;
}

bool expand_register_exit_dtor(Expand *x, IrOp *op)
{
	IrBuilder b = ir_before(x->m, op);
	IrOp *global = ir_symbol(ir_op_symbol(op, NAME_global_name));
	if (!expand_at_exit(x, &b, global, &op->regions[0]))
		return false;
	ir_op_erase(op);
	return true;
}
