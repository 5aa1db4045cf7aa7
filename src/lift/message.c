/* What is reported. A message names the function, and the op with its callee: LLVM IR often has no places. */
#include "lift/lifter.h"

#include <stdarg.h>
#include <stdio.h>

void lift_error(Lift *l, const IrOp *op, const char *fmt, ...)
{
	char text[256];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	bool first = !l->failed;
	l->failed = true;
	if (!first)
		return;
	const Name *callee = op_info[op->kind].flags & OPF_CALLS ? ir_call_callee(op) : NULL;
	diag_error(l->d, op->loc, "function '%s': '%s%s%s' %s", ir_symbol_name(l->func)->text,
	           op_info[op->kind].name, callee ? " @" : "", callee ? callee->text : "", text);
}
