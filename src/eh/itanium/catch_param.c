/* eh/itanium/catch_param.c: catch parameters that are made before the catch begins (cir-reference 5.10).
 *
 * A parameter caught by value is copied by a thunk of the input, from the exception object that
 * __cxa_get_exception_ptr finds, while the exception still counts as uncaught; a throw out of the copy
 * terminates. A thunk of one block is inlined, any other is called.
 */
#include "eh/catch_init.h"
#include "eh/cxa_op.h"
#include "eh/itanium/cleanup_guard.h"
#include "eh/itanium/landingpad.h"
#include "ir/function_entry.h"

bool catch_param_is_thunk(const IrOp *func)
{
	return ir_op_has(func, NAME_catch_copy_thunk);
}

static bool is_kind(const IrOp *op, unsigned kind)
{
	return ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR) == kind;
}

/* Inlining */

typedef struct Inlining {
	LandingPads *l;
	IrBuilder *b;
	PtrMap values; /* of the thunk to those of the copy */
} Inlining;

static IrOp *build_copy(Inlining *in, const IrOp *op, const IrOpSpec *spec)
{
	LandingPads *l = in->l;
	if (ir_op_may_throw(op))
		return guard_build_call(l, in->b, *spec);
	if (op->kind != OP_ALLOCA || op->noperands)
		return ir_build_spec(in->b, spec);
	/* A slot of the thunk is a slot of the function: allocated once, in its entry block. */
	IrBuilder entry = ir_before(l->m, abi_entry_front(l->func));
	entry.loc = in->b->loc;
	return ir_build_spec(&entry, spec);
}

static void inline_op(Inlining *in, const IrOp *op)
{
	Arena *mem = in->l->mem;
	IrValue **operands = arena_array(mem, IrValue *, op->noperands);
	for (uint32_t i = 0; i < op->noperands; i++) {
		operands[i] = ptrmap_get(&in->values, op->operands[i].value);
		CHECK(operands[i]);
	}
	IrOpSpec spec = ir_op_spec(op, mem);
	spec.operands = operands;
	IrOp *copy = build_copy(in, op, &spec);
	for (uint32_t i = 0; i < op->nresults; i++)
		ptrmap_put(mem, &in->values, &op->results[i], &copy->results[i]);
}

static bool is_one_block(const IrOp *thunk)
{
	const IrBlock *b = thunk->regions[0].first;
	return b && !b->next && b->last->kind == OP_RETURN;
}

static void inline_thunk(LandingPads *l, IrBuilder *b, IrOp *thunk, IrValue *const args[2])
{
	Inlining in = {.l = l, .b = b};
	const IrBlock *body = thunk->regions[0].first;
	for (uint32_t i = 0; i < 2; i++)
		ptrmap_put(l->mem, &in.values, body->args[i], args[i]);
	for (const IrOp *op = body->first; op != body->last; op = op->next)
		inline_op(&in, op);
	ptrmap_put(l->module_mem, &l->inlined_thunks, thunk, thunk);
}

static void call_thunk(LandingPads *l, IrBuilder *b, const IrOp *thunk, IrValue *const args[2])
{
	IrNamedAttr callee = {ir_known_name(l->m, NAME_callee), ir_attr_symbol(l->m, ir_symbol_name(thunk))};
	IrOpSpec spec = {.kind = OP_CALL, .operands = args, .noperands = 2, .attrs = &callee, .nattrs = 1};
	IrOp *call = ir_build_spec(b, &spec);
	if (ir_op_may_throw(call)) {
		ir_op_erase(call);
		guard_build_call(l, b, spec);
	}
}

/* The thunk of op, checked: (slot, pointer to the caught object) -> (). */
static IrOp *find_thunk(LandingPads *l, const IrOp *op)
{
	IrOp *thunk = ir_symbol(ir_op_symbol(op, NAME_copy_fn));
	const IrType *type = thunk && thunk->kind == OP_FUNC ? ir_func_type(thunk) : NULL;
	if (type && type->nmembers == 2 && !type->variadic && type->elem->kind == TYPE_VOID &&
	    ir_is_ptr(type->members[0]) && ir_is_ptr(type->members[1]))
		return thunk;
	if (type)
		diag_error(l->d, op->loc, "copy thunk must take two pointers and return nothing");
	else
		diag_error(l->d, op->loc, "copy thunk is not a function of this module");
	l->ok = false;
	return NULL;
}

static void construct_copy(LandingPads *l, IrOp *op)
{
	IrOp *thunk = find_thunk(l, op);
	if (!thunk)
		return;
	IrType *const *params = ir_func_type(thunk)->members;
	IrBuilder b = ir_before(l->m, op->next);
	b.loc = op->loc;
	IrValue *exn = landingpad_pair(l, ir_operand(op, 0)).exn;
	IrOp *object = cxa_call(l->cxa, &b, CXA_GET_EXCEPTION_PTR, &exn, 1);
	if (!object)
		return;
	IrValue *args[] = {ir_build_bitcast(&b, ir_operand(op, 1), params[0]),
	                   ir_build_bitcast(&b, &object->results[0], params[1])};
	if (is_one_block(thunk))
		inline_thunk(l, &b, thunk, args);
	else
		call_thunk(l, &b, thunk, args);
}

void catch_param_construct(LandingPads *l, IrOp *op)
{
	if (is_kind(op, CATCH_INIT_REFERENCE_TO_POINTER)) {
		cxa_lower_reference_param(l->cxa, op, landingpad_pair(l, ir_operand(op, 0)).exn);
	} else if (is_kind(op, CATCH_INIT_NON_TRIVIAL_COPY)) {
		construct_copy(l, op);
	} else {
		diag_error(l->d, op->loc,
		           "'cir.construct_catch_param' must be of kind 'non_trivial_copy' or "
		           "'reference_to_pointer'");
		l->ok = false;
	}
}

/* Erasing */

/* Attributes nest at most TYPE_DEPTH_MAX deep. */
static void keep_named(PtrMap *kept, const PtrMap *thunks, const IrAttr *a, Arena *mem)
{
	if (!a)
		return;
	const IrOp *symbol = a->name && a->kind != ATTR_STRING ? ir_symbol(a->name) : NULL;
	if (symbol && ptrmap_get(thunks, symbol))
		ptrmap_put(mem, kept, symbol, (void *)1);
	for (uint32_t i = 0; i < a->n && a->elems; i++)
		keep_named(kept, thunks, a->elems[i], mem);
}

static void keep_used(PtrMap *kept, const PtrMap *thunks, const IrOp *op, Arena *mem)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (op->attrs[i].name->id != NAME_sym_name)
			keep_named(kept, thunks, op->attrs[i].value, mem);
}

void catch_param_erase_thunks(LandingPads *l)
{
	if (l->inlined_thunks.len == 0)
		return;
	PtrMap kept = {0};
	const IrRegion *all = &l->m->body;
	for (const IrOp *op = ir_walk_first(all); op; op = ir_walk_next(op, all))
		keep_used(&kept, &l->inlined_thunks, op, l->module_mem);
	IR_FOR_OPS_SAFE (op, ir_module_block(l->m)) {
		if (ptrmap_get(&l->inlined_thunks, op) && !ptrmap_get(&kept, op))
			ir_op_erase(op);
	}
}
