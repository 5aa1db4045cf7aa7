/* Exceptions before an ABI is chosen (cir-reference 5.10 and 5.11), op by op. That catches and cleanups are
 * ended on every path is verify/cleanup_path.c's part. */
#include "ir/catch_region.h"
#include "ir/try.h"
#include "verify/verifier.h"

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
	verifier_error(v, op, "must take the token that is the argument of its block, the handler");
	return false;
}

/* Its ends find it by the token, and the object's place holds what they need (eh/cxa_op.c). */
static bool check_finally(Verifier *v, const IrOp *op)
{
	if (!ir_op_has(op, NAME_finally))
		return true;
	bool ends = true;
	IR_FOR_USES (u, &op->results[0])
		ends = ends && u->user->kind == OP_END_CATCH;
	if (op->results[1].uses)
		verifier_error(v, op, ": nothing may use the object of a catch that is marked 'finally'");
	else if (!ends)
		verifier_error(
		    v, op,
		    ": the token of a catch that is marked 'finally' is for 'cir.end_catch' alone, not "
		    "for the arguments of blocks");
	return ends && !op->results[1].uses;
}

void verify_begin_catch(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
	if (!check_own_token(v, op) || !check_finally(v, op))
		return;
	if (op->prev && op->prev->kind != OP_CONSTRUCT_CATCH_PARAM) {
		verifier_error(
		    v, op,
		    "must be the first operation of its block, except for 'cir.construct_catch_param'");
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
		verifier_error(v, op,
		               "must be in a block that is a handler of 'cir.eh.dispatch' and nothing else");
		verifier_note(v, s->op->loc, "the block is also a successor of this op");
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
	verifier_error(
	    v, op,
	    ": expected a slot for a pointer, for a parameter caught by pointer or reference, found '%s'",
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
		verifier_error(v, op, "must be in a catch, after 'cir.begin_catch'");
	else if (kind == CATCH_INIT_OBJC)
		verifier_error(v, op, "does not support kind 'objc'");
	else if (kind == CATCH_INIT_REFERENCE_TO_POINTER &&
	         !ir_catch_has_reference(ir_operand(op, 0), ir_operand(op, 1)))
		verifier_error(v, op,
		               "of kind 'reference_to_pointer' needs a 'cir.construct_catch_param' of that "
		               "kind and slot immediately before the 'cir.begin_catch'");
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
		verifier_error(v, op, ": 'copy_fn' must take two pointers and return void");
	else if (t->members[0] != slot)
		verifier_error(v, op,
		               ": the first parameter of 'copy_fn' must have the type of 'param_addr'");
	else if (t->members[1]->elem != slot->elem)
		verifier_error(v, op,
		               ": the second parameter of 'copy_fn' must be a pointer to the catch type");
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
		verifier_error(v, op, ": the module has no function '@%s'%s", name->text,
		               verifier_similar_symbol(v, name, OP_FUNC));
	else if (!ir_op_has(thunk, NAME_catch_copy_thunk))
		verifier_error(v, op, ": 'copy_fn' must have the attribute 'cir.eh.catch_copy_thunk'");
	else
		check_thunk_type(v, op, thunk);
}

void verify_construct_catch_param(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR);
	OpKind next = op->next ? op->next->kind : OP_COUNT;
	if (next != OP_BEGIN_CATCH && next != OP_CONSTRUCT_CATCH_PARAM)
		verifier_error(v, op, "must be immediately before 'cir.begin_catch'");
	else if (!check_own_token(v, op))
		return;
	else if (kind == CATCH_INIT_NON_TRIVIAL_COPY)
		check_thunk(v, op);
	else if (kind != CATCH_INIT_REFERENCE_TO_POINTER)
		verifier_error(v, op, ": the kind must be 'non_trivial_copy' or 'reference_to_pointer'");
	else
		check_pointer_slot(v, op, ir_operand(op, 1)->type->elem);
}

/* Throwing */

static bool is_unreachable(const IrOp *op)
{
	return op && op->kind == OP_UNREACHABLE;
}

static void check_circ_throw(Verifier *v, const IrOp *op)
{
	if (verifier_check_type_info(v, op, ir_op_symbol(op, NAME_type_info)))
		verifier_check_thrown(v, op);
}

void verify_throw(Verifier *v, const IrOp *op)
{
	bool object = ir_op_nmain(op) > 0;
	if (object && !ir_op_has(op, NAME_type_info))
		verifier_error(v, op, "needs a type info, '@name', for the exception that it throws");
	else if (!object && (ir_op_has(op, NAME_type_info) || ir_op_has(op, NAME_dtor)))
		verifier_error(
		    v, op, "throws the current exception again, and cannot have a type info or a destructor");
	else if (object && verifier_is_circ(v)) /* goes on behind it where a filter says so */
		check_circ_throw(v, op);
	else if (op->kind == OP_THROW && !is_unreachable(op->next))
		verifier_error(v, op, "must be followed by 'cir.unreachable'");
	else if (op->kind == OP_TRY_THROW && !is_unreachable(op->succs[0].dest->first))
		verifier_error(v, op, ": the normal destination must begin with 'cir.unreachable'");
	else if (object)
		verifier_check_type_info(v, op, ir_op_symbol(op, NAME_type_info));
}

void verify_alloc_exception(Verifier *v, const IrOp *op)
{
	uint64_t size;
	if (!ir_attr_get_u64(ir_op_attr(op, NAME_size), &size))
		verifier_error(v, op, ": the size must not be negative");
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
		verifier_error(v, op, "without an operand must be in a block that has an exception token");
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
		verifier_error(v, op,
		               "must be the first operation of its block, except for 'cir.eh.initiate'");
}

void verify_end_cleanup(Verifier *v, const IrOp *op)
{
	vec_push(v->arena, &v->scopes, op);
}

/* Dispatching */

/* `when(@f)`: int (record, frame) */
static bool check_when(Verifier *v, const IrOp *op, const Name *filter)
{
	const IrOp *func = verifier_func(filter);
	const IrType *t = func ? ir_func_type(func) : NULL;
	if (!verifier_check_circ(v, op, "handler 'when'"))
		return false;
	if (!func)
		verifier_error(v, op, ": the module has no function '@%s'%s", filter->text,
		               verifier_similar_symbol(v, filter, OP_FUNC));
	else if (t->nmembers != 2 || t->variadic || !ir_is_ptr(t->members[0]) || !ir_is_ptr(t->members[1]) ||
	         t->elem != v->m->s32)
		verifier_error(v, op, ": filter '@%s' must take two pointers and return '%s', found '%s'",
		               filter->text, verifier_type(v, v->m->s32), verifier_type(v, t));
	else
		return true;
	return false;
}

/* An array of symbols, spelled as such or as views of their address; in catch_types, filters are among them. */
static bool check_type_list(Verifier *v, const IrOp *op, NameId list)
{
	const IrAttr *types = ir_op_attr(op, list);
	bool array = !types || types->kind == ATTR_ARRAY;
	for (uint32_t i = 0; types && array && i < types->n; i++) {
		const IrAttr *t = types->elems[i];
		const Name *filter = list == NAME_catch_types ? ir_catch_filter(t) : NULL;
		if (filter) {
			if (!check_when(v, op, filter))
				return false;
			continue;
		}
		if (t->kind == ATTR_SYMBOL || (t->kind == ATTR_GLOBAL_VIEW && t->n == 0)) {
			if (!verifier_check_type_info(v, op, t->name))
				return false;
			continue;
		}
		verifier_error(v, op, ": expected the address of a type info, found '%s'",
		               ir_attr_str(v->arena, t));
		return false;
	}
	if (!array)
		verifier_error(v, op, ": expected attribute '%s' to be an array of addresses of type infos",
		               ir_known_name(v->m, list)->text);
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
		verifier_error(
		    v, op, ": a catch handler must begin with 'cir.begin_catch' or be 'cir.eh.terminate'");
		verifier_note(v, s->dest->loc, "the handler is here");
		return;
	}
}

void verify_eh_dispatch(Verifier *v, const IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types), *filter = ir_op_attr(op, NAME_filter_types);
	if (!check_type_list(v, op, NAME_catch_types) || !check_type_list(v, op, NAME_filter_types))
		return;
	uint32_t ncatch = types ? types->n : 0;
	bool catch_all = ir_op_has(op, NAME_default_is_catch_all);
	if (op->nsuccs == ncatch + (filter != NULL))
		verifier_error(v, op, "needs a handler 'catch_all' or 'unwind'");
	else if (op->nsuccs != ncatch + (filter != NULL) + 1)
		verifier_error(v, op,
		               ": expected one successor for each handler and one for the default, found %u",
		               op->nsuccs);
	else if (filter && (ncatch || catch_all))
		verifier_error(v, op, ": 'filter' allows no handler but 'unwind'");
	else if (filter && verifier_is_circ(v))
		verifier_error(v, op, ": 'filter' works only with exceptions of C++; use 'when'");
	else if (!types || verifier_check_order(v, op, types))
		check_handlers(v, op);
}
