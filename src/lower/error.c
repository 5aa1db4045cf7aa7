/* lower/error.c: what cannot be lowered, at the op that asks for it. What was LLVM IR seldom has a place: the function or variable is named. */
#include "lower/lowerer.h"

#include <stdarg.h>
#include <stdio.h>

/* NULL: it has none. */
static const IrOp *symbol_around(const IrOp *op)
{
	while (op && op->kind != OP_FUNC && op->kind != OP_GLOBAL)
		op = op->block ? op->block->region->op : NULL;
	return op;
}

static void report(Lower *e, const IrOp *op, const char *text)
{
	const char *blank = *text == ':' ? "" : " ";
	const IrOp *symbol = e->whole ? symbol_around(op) : NULL;
	if (!symbol) {
		diag_error(e->d, op->loc, "'%s' op%s%s", op_info[op->kind].name, blank, text);
		return;
	}
	const char *kind = symbol->kind == OP_FUNC ? "function" : "variable",
	           *name = ir_symbol_name(symbol)->text;
	if (symbol == op)
		diag_error(e->d, op->loc, "%s '%s'%s%s", kind, name, blank, text);
	else
		diag_error(e->d, op->loc, "%s '%s': '%s' op%s%s", kind, name, op_info[op->kind].name, blank,
		           text);
}

void lower_error(Lower *e, const char *fmt, ...)
{
	va_list args, again;
	va_start(args, fmt);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, fmt, args);
	CHECK(n >= 0);
	char *text = arena_array(e->scratch, char, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(args);
	if (e->op)
		report(e, e->op, text);
	else
		diag_error(e->d, e->m->attrs_loc, "module%s%s", *text == ':' ? "" : " ", text);
}
