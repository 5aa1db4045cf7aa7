/* Exceptions before an ABI is chosen (cir-reference 5.10 and 5.11), op by op. That catches and cleanups are
 * ended on every path is verify_scope.c's part. */
#include "ir/catch.h"
#include "ir/verifier.h"

/* Catching */

/* In flat CIR a handler is where a dispatch sends what it catches, and nothing else leads there. */
static bool is_catch_edge(const IrSucc *s)
{
	const IrOp *op = s->op;
	if (op->kind != OP_EH_DISPATCH)
		return false;
	const IrAttr *types = ir_op_attr(op, NAME_catch_types);
	uint32_t i = ir_succ_index(s), ncatch = types && types->kind == ATTR_ARRAY ? types->n : 0;
	return i < ncatch || (i + 1 == op->nsuccs && ir_op_has(op, NAME_default_is_catch_all));
}

static bool check_own_token(Verifier *v, const IrOp *op)
{
	const IrValue *token = ir_operand(op, 0);
	if (token->is_arg && token->def.block == op->block)
		return true;
	verifier_error(v, op, "takes the token that its block, the handler, has as an argument");
	return false;
}

void verify_begin_catch(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
	if (!check_own_token(v, op))
		return;
	if (op->prev && op->prev->kind != OP_CONSTRUCT_CATCH_PARAM) {
		verifier_error(
		    v, op, "must be the first operation of its block, but for 'cir.construct_catch_param'");
		return;
	}
	if (v->stage == STAGE_STRUCTURED && verifier_check_handler(v, op))
		verifier_check_catch(v, op);
	if (v->stage != STAGE_FLAT)
		return;
	IR_FOR_PREDS(s, op->block)
	{
		if (is_catch_edge(s))
			continue;
		verifier_error(v, op, "must be reached as a handler of 'cir.eh.dispatch' only");
		verifier_note(v, s->op->loc, "its block is also reached from here");
		return;
	}
}

void verify_end_catch(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
}

static bool check_pointer_slot(Verifier *v, const IrOp *op, const IrType *slot)
{
	if (ir_is_ptr(slot))
		return true;
	verifier_error(v, op,
	               "a parameter caught by pointer or reference needs a slot for a pointer, but got '%s'",
	               verifier_type(v, slot));
	return false;
}

static bool has_pointer_slot(unsigned kind)
{
	return kind == CATCH_INIT_POINTER || kind == CATCH_INIT_REFERENCE ||
	       kind == CATCH_INIT_REFERENCE_TO_POINTER || kind == CATCH_INIT_REFERENCE_TO_RECORD_POINTER;
}

void verify_init_catch_param(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR);
	const IrType *slot = ir_operand(op, 1)->type->elem;
	vec_push(v->arena, &v->scopes, op);
	if (v->stage == STAGE_STRUCTURED && !verifier_in_catch(v, op))
		verifier_error(v, op, "must stand in a catch, after 'cir.begin_catch'");
	else if (kind == CATCH_INIT_OBJC)
		verifier_error(v, op, "kind 'objc' is not supported");
	else if (kind == CATCH_INIT_REFERENCE_TO_POINTER &&
	         !ir_catch_has_reference(ir_operand(op, 0), ir_operand(op, 1)))
		verifier_error(v, op,
		               "kind 'reference_to_pointer' needs a 'cir.construct_catch_param' of that kind "
		               "for the slot right before the 'cir.begin_catch'");
	else if (has_pointer_slot(kind))
		check_pointer_slot(v, op, slot);
	else
		verifier_check_storage(v, op, slot, "pointee type");
}

static bool check_thunk_type(Verifier *v, const IrOp *op, const IrOp *thunk)
{
	const IrType *t = ir_func_type(thunk), *slot = ir_operand(op, 1)->type;
	if (!t || t->nmembers != 2 || t->variadic || !ir_is_ptr(t->members[0]) || !ir_is_ptr(t->members[1]) ||
	    t->elem->kind != TYPE_VOID)
		verifier_error(v, op, "catch-init copy_fn must take two pointer arguments and return void");
	else if (t->members[0] != slot)
		verifier_error(v, op,
		               "first argument of catch-init copy_fn must match the type of 'param_addr'");
	else if (t->members[1]->elem != slot->elem)
		verifier_error(v, op,
		               "second argument of catch-init copy_fn must be a pointer to the catch type");
	else
		return true;
	return false;
}

static void check_thunk(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_copy_fn);
	const IrOp *thunk = verifier_func(name);
	if (!name)
		verifier_error(v, op, "requires attribute 'copy_fn'");
	else if (!thunk)
		verifier_error(v, op, "'%s' does not reference a valid cir.func", name->text);
	else if (!ir_op_has(thunk, NAME_catch_copy_thunk))
		verifier_error(
		    v, op, "catch-init copy_fn must be tagged with the cir.eh.catch_copy_thunk attribute");
	else
		check_thunk_type(v, op, thunk);
}

void verify_construct_catch_param(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR);
	OpKind next = op->next ? op->next->kind : OP_COUNT;
	if (next != OP_BEGIN_CATCH && next != OP_CONSTRUCT_CATCH_PARAM)
		verifier_error(v, op, "must stand right before 'cir.begin_catch'");
	else if (!check_own_token(v, op))
		return;
	else if (kind == CATCH_INIT_NON_TRIVIAL_COPY)
		check_thunk(v, op);
	else if (kind != CATCH_INIT_REFERENCE_TO_POINTER)
		verifier_error(v, op, "kind must be 'non_trivial_copy' or 'reference_to_pointer'");
	else
		check_pointer_slot(v, op, ir_operand(op, 1)->type->elem);
}

/* Throwing */

static bool is_unreachable(const IrOp *op)
{
	return op && op->kind == OP_UNREACHABLE;
}

void verify_throw(Verifier *v, const IrOp *op)
{
	bool object = ir_op_nmain(op) > 0;
	if (object && !ir_op_has(op, NAME_type_info))
		verifier_error(v, op, "'type_info' symbol attribute missing");
	else if (!object && (ir_op_has(op, NAME_type_info) || ir_op_has(op, NAME_dtor)))
		verifier_error(
		    v, op, "throws the current exception again, so it has neither type_info nor destructor");
	else if (op->kind == OP_THROW && !is_unreachable(op->next))
		verifier_error(v, op, "must be followed by 'cir.unreachable'");
	else if (op->kind == OP_TRY_THROW && !is_unreachable(op->succs[0].dest->first))
		verifier_error(v, op, "normal destination must hold 'cir.unreachable'");
}

void verify_alloc_exception(Verifier *v, const IrOp *op)
{
	uint64_t size;
	if (!ir_attr_get_u64(ir_op_attr(op, NAME_size), &size))
		verifier_error(v, op, "size must not be negative");
}

/* Unwinding */

/* A bare cir.resume of flat CIR means the exception of the cleanup or of the unwinding that its block has
 * seen begin, or else that its block is given. */
static bool has_token(const IrOp *op)
{
	const IrBlock *b = op->block;
	for (op = op->prev; op; op = op->prev) {
		bool ends_cleanup = op->kind == OP_END_CLEANUP && !ir_operand(op, 0)->is_arg;
		if (op->kind == OP_BEGIN_CLEANUP || op->kind == OP_EH_INITIATE || ends_cleanup)
			return true;
	}
	for (uint32_t i = 0; i < b->nargs; i++)
		if (b->args[i]->type->kind == TYPE_EH_TOKEN)
			return true;
	return false;
}

void verify_resume(Verifier *v, const IrOp *op)
{
	if (v->stage == STAGE_FLAT && op->noperands == 0 && !has_token(op))
		verifier_error(v, op, "without an operand needs a block that has an exception token");
}

void verify_eh_initiate(Verifier *v, const IrOp *op)
{
	verifier_check_landing(v, op);
}

/* Microsoft's tables know cleanups as blocks that unwinding enters, so one begins with its block. */
void verify_begin_cleanup(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
	if (op->prev && op->prev->kind != OP_EH_INITIATE)
		verifier_error(v, op, "must be the first operation of its block, but for 'cir.eh.initiate'");
}

void verify_end_cleanup(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
}

/* Dispatching */

/* An array of symbols, spelled as such or as views of their address. */
static bool check_type_list(Verifier *v, const IrOp *op, const IrAttr *types, const char *name)
{
	bool array = types->kind == ATTR_ARRAY;
	for (uint32_t i = 0; array && i < types->n; i++) {
		const IrAttr *t = types->elems[i];
		if (t->kind == ATTR_SYMBOL || (t->kind == ATTR_GLOBAL_VIEW && t->n == 0))
			continue;
		verifier_error(v, op, "expected the address of a type-info global, but got '%s'",
		               ir_attr_str(v->arena, t));
		return false;
	}
	if (!array)
		verifier_error(
		    v, op, "attribute '%s' failed to satisfy constraint: array of type-info globals", name);
	return array;
}

static bool begins_handler(const IrBlock *b)
{
	const IrOp *op = b->first;
	if (op && op->kind == OP_EH_TERMINATE)
		return true;
	while (op && op->kind == OP_CONSTRUCT_CATCH_PARAM)
		op = op->next;
	return op && op->kind == OP_BEGIN_CATCH;
}

static void check_handlers(Verifier *v, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *s = &op->succs[i];
		if (!is_catch_edge(s) || begins_handler(s->dest))
			continue;
		verifier_error(v, op,
		               "catch handler must start with 'cir.begin_catch' or be 'cir.eh.terminate'");
		verifier_note(v, s->dest->loc, "the handler is here");
		return;
	}
}

void verify_eh_dispatch(Verifier *v, const IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types), *filter = ir_op_attr(op, NAME_filter_types);
	if ((types && !check_type_list(v, op, types, "catch_types")) ||
	    (filter && !check_type_list(v, op, filter, "filter_types")))
		return;
	uint32_t ncatch = types ? types->n : 0;
	bool catch_all = ir_op_has(op, NAME_default_is_catch_all);
	if (op->nsuccs == ncatch + (filter != NULL))
		verifier_error(v, op, "must have either 'catch_all' or 'unwind' handler");
	else if (op->nsuccs != ncatch + (filter != NULL) + 1)
		verifier_error(v, op, "needs one successor for each handler and the default, but has %u",
		               op->nsuccs);
	else if (filter && (ncatch || catch_all))
		verifier_error(v, op, "'filter' stands with 'unwind' alone");
	else
		check_handlers(v, op);
}
