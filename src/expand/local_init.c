/* cir.local_init: a variable of a function that lives as long as the program or the thread, and is
 * initialized when the function first gets there ([stmt.dcl] of the C++ standard; cir-reference 5.5). */
#include "expand/internal.h"

static Name *guard_name(const IrOp *global)
{
	const IrAttr *guard = ir_op_attr(global, NAME_static_local_guard);
	return guard->elems[STATIC_LOCAL_GUARD_NAME]->name;
}

bool expand_local_init(Expand *x, IrOp *op)
{
	IrOp *global = ir_symbol(ir_op_symbol(op, NAME_global_name));
	IrBuilder b = ir_before(x->m, op);
	Guard g;
	if (!expand_guard_open(x, &b, global, guard_name(global), GUARD_LOCAL, &g))
		return false;
	if (op->regions[0].first)
		expand_move(&g.body, &op->regions[0]);
	if (op->regions[1].first && !expand_at_exit(x, &g.body, global, &op->regions[1]))
		return false;
	if (!expand_guard_close(x, &g))
		return false;
	ir_op_erase(op);
	return true;
}
