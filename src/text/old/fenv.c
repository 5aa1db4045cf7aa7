/* Arithmetic with an environment, as it was written for a while: ops of their own, with the words of LLVM.
 *
 *	%c = cir.constrained_fadd %a, %b rounding(dynamic) except(strict) : T
 */
#include "text/old/old.h"

/* `rounding(WORD)`, `except(WORD)`: NULL when it is none of these. */
static const char *environment_word(Parser *p, Str what, const char *const (*words)[2], size_t n)
{
	if (!expect_word(p, what) || !expect(p, '('))
		return NULL;
	Token t = peek(p);
	for (size_t i = 0; t.kind == TOK_WORD && i < n; i++) {
		if (str_is(token_str(t), words[i][0])) {
			advance(p);
			return expect(p, ')') ? words[i][1] : NULL;
		}
	}
	StrBuf list = {0};
	for (size_t i = 0; i < n; i++)
		buf_printf(p->mem, &list, "%s%s", i ? ", " : "", words[i][0]);
	parse_fail(p, t.at, "expected one of [%.*s]", (int)list.len, list.data);
	return NULL;
}

/* The words of LLVM, and those of #cir.fenv. Of the exceptions `strict` has none: it is a flag. */
static const IrAttr *environment(Parser *p)
{
	static const char *const rounding[][2] = {
	    {"dynamic", "unknown"}, {"tonearest", "tonearest"},   {"downward", "downward"},
	    {"upward", "upward"},   {"towardzero", "upwardzero"}, {"tonearestaway", "tonearestaway"},
	};
	static const char *const except[][2] = {
	    {"ignore", "masked"}, {"maytrap", "unmasked"}, {"strict", ""}};
	const char *mode = environment_word(p, STR("rounding"), rounding, ARRAY_LEN(rounding));
	const char *exceptions = mode ? environment_word(p, STR("except"), except, ARRAY_LEN(except)) : NULL;
	if (!exceptions)
		return NULL;
	bool strict = !exceptions[0];
	const IrAttr *elems[] = {[FENV_ROUNDING] = ir_attr_string(p->m, str_of(mode)),
	                         [FENV_EXCEPT] = strict ? NULL : ir_attr_string(p->m, str_of(exceptions)),
	                         [FENV_STRICT] = strict ? ir_attr_flag(p->m, true) : NULL};
	IrAttr key = {.kind = ATTR_PARAMS, .row = ATTR_ROW_FENV, .elems = elems, .n = ARRAY_LEN(elems)};
	return ir_attr_intern(p->m, &key);
}

/* %a, %b rounding(dynamic) except(strict) : T */
Parsed parse_old_constrained(Parser *p, Frame *f)
{
	(void)f;
	OperandRef left, right;
	const IrAttr *fenv;
	if (!parse_operand(p, &left) || !expect(p, ',') || !parse_operand(p, &right) ||
	    !(fenv = environment(p)) || !expect(p, ':') || !(left.type = parse_type(p)))
		return PARSED_NO;
	right.type = left.type;
	push_operand(p, left);
	push_operand(p, right);
	push_attr(p, p->known[NAME_fenv], fenv);
	return PARSED_ALL;
}
