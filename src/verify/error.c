/* What every rule of the verifier reports with, and the lookups that every room of it asks for. */
#include "base/suggest.h"
#include "verify/verifier.h"

#include <stdarg.h>
#include <stdio.h>

static const char *format_text(Arena *arena, const char *fmt, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	CHECK(n >= 0);
	char *text = arena_array(arena, char, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, args);
	return text;
}

/* What was built may have no place: then the function or global around it is named. */
static void note_symbol(Verifier *v, const IrOp *op)
{
	bool placed = op->loc.pos || op->loc.info;
	const Name *name = v->symbol && !placed ? ir_symbol_name(v->symbol) : NULL;
	if (name)
		verifier_note(v, op->loc, "in '%s'", name->text);
}

void verifier_error(Verifier *v, const IrOp *op, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = format_text(v->arena, fmt, args);
	va_end(args);
	diag_error(v->d, op->loc, "'%s' op%s%s", op_info[op->kind].name, *text == ':' ? "" : " ", text);
	note_symbol(v, op);
}

void verifier_note(Verifier *v, Loc loc, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = format_text(v->arena, fmt, args);
	va_end(args);
	diag_note(v->d, loc, "%s", text);
}

void verifier_warning(Verifier *v, Loc loc, const char *fmt, ...)
{
	va_list args;
	if (v->m->warned)
		return;
	va_start(args, fmt);
	const char *text = format_text(v->arena, fmt, args);
	va_end(args);
	diag_warning(v->d, loc, "%s", text);
}

const char *verifier_type(const Verifier *v, const IrType *t)
{
	return ir_type_str(v->arena, t);
}

const IrOp *verifier_func(const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	return symbol && symbol->kind == OP_FUNC ? symbol : NULL;
}

const char *verifier_similar_symbol(Verifier *v, const Name *name, OpKind kind)
{
	if (!name || diag_full(v->d)) /* errors that are only counted cost no search */
		return "";
	Suggestion s = suggest_begin((Str){name->text, name->len});
	for (const IrOp *op = ir_module_block(v->m)->first; op; op = op->next)
		if (ir_symbol_name(op) && (op->kind == kind || kind == OP_COUNT))
			suggest_try(&s, name_str(ir_symbol_name(op)));
	return s.best.len ? arena_printf(v->arena, "; did you mean '@%.*s'?", (int)s.best.len, s.best.data)
	                  : "";
}

bool verifier_check_symbol(Verifier *v, const IrOp *op, const Name *name, bool functions_too)
{
	const IrOp *symbol = ir_symbol(name);
	if (symbol && (functions_too || symbol->kind == OP_GLOBAL))
		return true;
	verifier_error(v, op, ": the module has no global%s '@%s'%s", functions_too ? " or function" : "",
	               name ? name->text : "",
	               verifier_similar_symbol(v, name, functions_too ? OP_COUNT : OP_GLOBAL));
	return false;
}
