/* Initialisation and destruction at run time (cir-reference 4.3 and 5.5, cir.local_init). */
#include "verify/verifier.h"

static bool registers(const IrOp *op)
{
	return op->kind == OP_LOCAL_INIT || op->kind == OP_REGISTER_EXIT_DTOR;
}

/* What runs at exit becomes a function of its own: the values around it are not there then. Asked before the
 * walk enters the region, so that what has been seen is outside. */
static bool check_closed(Verifier *v, const IrOp *op, const IrRegion *dtor)
{
	const IrOp *wrong = NULL;
	for (const IrOp *at = ir_walk_first(dtor); at && !wrong; at = ir_walk_next(at, dtor)) {
		for (uint32_t i = 0; i < at->noperands; i++)
			if (v->seen[ir_operand(at, i)->id])
				wrong = at;
		if (wrong)
			verifier_error(
			    v, wrong,
			    "uses a value that is defined outside of the dtor region, which runs at exit");
		else if (registers(at))
			verifier_error(v, wrong = at, "cannot be in a dtor region, which runs at exit");
	}
	if (wrong)
		verifier_note(v, op->loc, "the region belongs to this op");
	return !wrong;
}

static bool check_one_block(Verifier *v, const IrOp *op, const IrRegion *r, const char *what)
{
	if (r->first == r->last)
		return true;
	verifier_error(v, op, ": the %s region must have exactly one block", what);
	return false;
}

static bool check_local(Verifier *v, const IrOp *op, const IrOp *global)
{
	bool thread = ir_op_has(op, NAME_thread_local);
	if (thread == ir_op_has(op, NAME_static_local))
		verifier_error(v, op, "needs exactly one of 'static_local' and 'thread_local'");
	else if (thread != ir_op_has(global, NAME_tls_model))
		verifier_error(v, op, ": global '@%s' is %sthread-local", ir_symbol_name(global)->text,
		               thread ? "not " : "");
	else if (!ir_op_has(global, NAME_static_local_guard))
		verifier_error(v, op, ": global '@%s' has no attribute 'static_local_guard'",
		               ir_symbol_name(global)->text);
	else if (!ir_op_has(global, NAME_initial_value))
		verifier_error(v, op,
		               ": global '@%s' needs a static initializer, used until this one has run",
		               ir_symbol_name(global)->text);
	else
		return true;
	return false;
}

void verify_local_init(Verifier *v, const IrOp *op)
{
	const Name *name = ir_op_symbol(op, NAME_global_name);
	const IrRegion *ctor = &op->regions[0], *dtor = &op->regions[1];
	if (!verifier_check_symbol(v, op, name, false) || !check_local(v, op, ir_symbol(name)))
		return;
	if (v->symbol->kind != OP_FUNC)
		verifier_error(v, op, "must be in a 'cir.func'");
	else if (!ctor->first && !dtor->first)
		verifier_error(v, op, "needs a ctor or a dtor region");
	else if (check_one_block(v, op, ctor, "ctor") && check_one_block(v, op, dtor, "dtor"))
		check_closed(v, op, dtor);
}

void verify_register_exit_dtor(Verifier *v, const IrOp *op)
{
	if (!verifier_check_symbol(v, op, ir_op_symbol(op, NAME_global_name), false))
		return;
	if (!op->regions[0].first)
		verifier_error(v, op, ": the dtor region is empty");
	else if (check_one_block(v, op, &op->regions[0], "dtor"))
		check_closed(v, op, &op->regions[0]);
}
