/* lower/error.c: what cannot be lowered, at the op that asks for it. */
#include "lower/lowerer.h"

#include <stdarg.h>
#include <stdio.h>

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
		diag_error(e->d, e->op->loc, "'%s' op%s%s", op_info[e->op->kind].name,
		           *text == ':' ? "" : " ", text);
	else
		diag_error(e->d, e->m->attrs_loc, "module%s%s", *text == ':' ? "" : " ", text);
}
