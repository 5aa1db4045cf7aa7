/* The number of elements in front of what new[] makes, which clang stepped over by pointers (ir_is_cookie_of_pointers):
 * the elements lay 64 bytes behind the begin of memory that has 8 for the number, and delete[] did not find it. The
 * memory is bytes. */
#include "expand/internal.h"

#include "ir/array_cookie.h"

void expand_array_cookies(IrModule *m)
{
	CookieWalk w = {0};
	IrType *bytes = ir_type_ptr(m, m->u8);
	if (!ir_module_has_cookies_of_pointers(m))
		return;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body)) {
		if (!ir_is_cookie_of_pointers(&w, m, op))
			continue;
		op->results[0].type = bytes;
		IR_FOR_USES (u, &op->results[0])
			if (u->user->kind == OP_PTR_STRIDE)
				u->user->results[0].type = bytes;
	}
}
