/* The text of inline assembly as LLVM's template: what it says of operands, not of instructions. LLVM ends the
 * process over a template that is none (AsmPrinterInlineAsm.cpp), and reads it only when it makes code.
 *
 *   $0  ${0}  ${0:q}   an operand, as the constraints number them; a modifier of one character
 *   ${:uid}            or comment, private: a word of LLVM's
 *   $( $| $)           variants, which do not nest
 *   $$                 a dollar
 */
#include "verify/verifier.h"

typedef struct Template {
	const char *at; /* ends with a zero byte */
	uint32_t noperands;
	bool in_variant;
} Template;

static uint32_t count_constraints(const char *c)
{
	uint32_t n = *c != '\0';
	for (bool braces = false; *c; c++) {
		braces = *c == '{' || (braces && *c != '}');
		n += *c == ',' && !braces;
	}
	return n;
}

/* What is wrong with ${:word}; NULL: nothing. */
static const char *read_word(Template *t)
{
	static const char *const words[] = {"private", "comment", "uid"};
	size_t len = strcspn(t->at, "}");
	if (!t->at[len])
		return "'${:' without its '}'";
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (len == strlen(words[i]) && memcmp(t->at, words[i], len) == 0) {
			t->at += len + 1;
			return NULL;
		}
	return "an unknown word after '${:'; expected 'uid', 'comment' or 'private'";
}

static const char *read_number(Template *t)
{
	uint64_t n = 0;
	if (*t->at < '0' || *t->at > '9')
		return "'$' without the number of an operand; write '$$' for a dollar";
	for (; *t->at >= '0' && *t->at <= '9'; t->at++)
		n = n > UINT32_MAX ? n : n * 10 + (uint64_t)(*t->at - '0');
	return n < t->noperands ? NULL : "the number of an operand that has no constraint";
}

static const char *read_braces(Template *t)
{
	if (*t->at == ':') {
		t->at++;
		return read_word(t);
	}
	const char *wrong = read_number(t);
	if (wrong)
		return wrong;
	if (t->at[0] == ':' && t->at[1])
		t->at += 2;
	return *t->at++ == '}' ? NULL : "more than a number and a modifier of one character in '${…}'";
}

/* Behind a dollar. */
static const char *read_dollar(Template *t)
{
	switch (*t->at) {
	case '(':
		if (t->in_variant)
			return "one variant inside another";
		t->in_variant = true;
		break;
	case ')':
		t->in_variant = false;
		break;
	case '$':
	case '|':
		break;
	case '{':
		t->at++;
		return read_braces(t);
	default:
		return read_number(t);
	}
	t->at++;
	return NULL;
}

bool verifier_check_template(Verifier *v, const IrOp *op)
{
	Template t = {.at = ir_op_attr(op, NAME_asm_string)->name->text,
	              .noperands = count_constraints(ir_op_attr(op, NAME_constraints)->name->text)};
	while ((t.at = strchr(t.at, '$'))) {
		t.at++;
		const char *wrong = read_dollar(&t);
		if (!wrong)
			continue;
		verifier_error(v, op, ": the assembly text has %s", wrong);
		return false;
	}
	return true;
}
