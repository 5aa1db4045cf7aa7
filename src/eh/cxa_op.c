#include "eh/cxa_op.h"

#include "eh/catch_init.h"
#include "eh/destructor.h"
#include "ir/spell.h"

/* Throwing */

static IrValue *dtor_argument(Cxa *c, IrBuilder *b, const IrOp *op)
{
	Name *dtor = ir_op_symbol(op, NAME_dtor);
	if (!dtor)
		return ir_build_const(b, ir_attr_null(c->rt.m, c->rt.m->voidp));
	if (ir_symbol(dtor))
		return runtime_address(b, destructor_for_runtime(c, dtor, op->loc));
	diag_error(c->rt.d, op->loc, "destructor '%s' is not in the module", dtor->text);
	c->rt.ok = false;
	return NULL;
}

static bool throw_arguments(Cxa *c, IrBuilder *b, IrOp *op, IrValue *args[3])
{
	Name *type_info = cxa_clause(c, ir_op_symbol(op, NAME_type_info), op->loc);
	if (!type_info)
		return false;
	args[0] = ir_build_bitcast(b, ir_operand(op, 0), c->rt.m->voidp);
	args[1] = runtime_address(b, type_info);
	args[2] = dtor_argument(c, b, op);
	return args[2] != NULL;
}

/* Is there code behind a throw of circ's runtime, which a filter may send the program on to? */
static bool goes_on(const Cxa *c, const IrOp *op)
{
	const IrOp *next = op->nsuccs ? op->succs[0].dest->first : op->next;
	return c->runtime == EH_RUNTIME_CIRC && next->kind != OP_UNREACHABLE;
}

void cxa_lower_throw(Cxa *c, IrOp *op, const IrSuccSpec *edges)
{
	IrBuilder b = ir_before(c->rt.m, op);
	bool rethrow = ir_op_nmain(op) == 0;
	IrValue *args[3];
	if (!rethrow && !throw_arguments(c, &b, op, args))
		return;
	CxaFn fn = rethrow ? CXA_RETHROW : goes_on(c, op) ? CXA_THROW_CONTINUABLE : CXA_THROW;
	if (edges)
		cxa_try_call(c, &b, fn, args, rethrow ? 0 : 3, edges);
	else
		cxa_call(c, &b, fn, args, rethrow ? 0 : 3);
}

void cxa_lower_alloc_exception(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->rt.m, op);
	IrValue *size = ir_build_const_int(&b, c->rt.m->size, ir_op_uint(op, NAME_size, 0));
	IrOp *call = cxa_call(c, &b, CXA_ALLOCATE_EXCEPTION, &size, 1);
	if (call)
		runtime_replace_ptr(&b, &op->results[0], &call->results[0]);
}

void cxa_lower_free_exception(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->rt.m, op);
	IrValue *object = ir_build_bitcast(&b, ir_operand(op, 0), c->rt.m->voidp);
	cxa_call(c, &b, CXA_FREE_EXCEPTION, &object, 1);
}

/* Catching */

/* circ's own runtime can hold any number of any language. */
static bool is_finally(const Cxa *c, const IrOp *begin)
{
	return c->runtime == EH_RUNTIME_CXX && !c->sjlj && begin->kind == OP_BEGIN_CATCH &&
	       ir_op_has(begin, NAME_finally);
}

void cxa_lower_begin_catch(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->rt.m, op);
	CxaFn fn = is_finally(c, op) ? CXA_BEGIN_FINALLY : CXA_BEGIN_CATCH;
	IrOp *call = cxa_call(c, &b, fn, &exn, 1);
	if (call)
		runtime_replace_ptr(&b, &op->results[1], &call->results[0]);
}

void cxa_lower_end_catch(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->rt.m, op);
	const IrValue *token = ir_operand(op, 0);
	IrOp *begin = token->is_arg ? NULL : token->def.op;
	if (!begin || !is_finally(c, begin)) {
		cxa_call(c, &b, CXA_END_CATCH, NULL, 0);
		return;
	}
	IrValue *outer = ir_build_bitcast(&b, &begin->results[1], c->rt.m->voidp);
	cxa_call(c, &b, CXA_END_FINALLY, &outer, 1);
}

void cxa_lower_exception(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->rt.m, op);
	IrOp *call = cxa_call(c, &b, CXA_RECORD, &exn, 1);
	if (call)
		runtime_replace_ptr(&b, &op->results[0], &call->results[0]);
}

void cxa_lower_drop(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->rt.m, op);
	cxa_call(c, &b, CXA_DROP, &exn, 1);
}

/* Ending a block */

void cxa_end_in_terminate(Cxa *c, IrBuilder *b, IrValue *exn)
{
	IrOp *call = cxa_call(c, b, CXA_CALL_TERMINATE, &exn, 1);
	if (call)
		ir_set_flag(c->rt.m, call, NAME_nothrow);
	ir_build(b, OP_UNREACHABLE, NULL, NULL, 0);
}

void cxa_end_in_unexpected(Cxa *c, IrBuilder *b, IrValue *exn)
{
	cxa_call(c, b, CXA_CALL_UNEXPECTED, &exn, 1);
	ir_build(b, OP_UNREACHABLE, NULL, NULL, 0);
}

/* Catch parameters */

/* A reference to a caught pointer refers to the pointer in the exception object, right behind the unwinder's
 * header; __cxa_begin_catch gives only the pointer's value. */
void cxa_lower_reference_param(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->rt.m, op);
	if (c->sjlj) {
		diag_error(
		    c->rt.d, op->loc,
		    "a reference to a caught pointer is not supported without tables ('circ.eh.model = "
		    "\"sjlj\"'); catch the pointer by value");
		c->rt.ok = false;
		return;
	}
	IrType *bytes = ir_type_ptr(c->rt.m, c->rt.m->u8);
	IrValue *header = ir_build_const_int(&b, c->rt.m->s64, c->rt.target->unwind_header);
	IrValue *step[] = {ir_build_bitcast(&b, exn, bytes), header};
	IrOp *object = ir_build(&b, OP_PTR_STRIDE, bytes, step, 2);
	catch_init_store(&c->rt, &b, op, &object->results[0], ir_operand(op, 1));
}
