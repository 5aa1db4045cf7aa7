/* Reductions as ops of their own, with the start value, if any, in front of the vector.
 *
 *	%s = cir.vec.reduce.fadd(%start, %v) : (T, !cir.vector<n x T>) -> T
 */
#include "text/old/old.h"

/* The mnemonics of text/old/ops.def that come here end in the words of the newest spelling. */
static int kind_of(const Frame *f)
{
	Str word = {f->at + strlen("cir.vec.reduce."), 0};
	while (word.data[word.len] >= 'a' && word.data[word.len] <= 'z')
		word.len++;
	return ir_enum_find(ENUM_REDUCTION, word);
}

Parsed parse_old_reduce(Parser *p, Frame *f)
{
	OperandRef r[2];
	IrType *result;
	unsigned n = 0;
	if (!expect(p, '('))
		return PARSED_NO;
	do {
		if (!parse_operand(p, &r[n++]))
			return PARSED_NO;
	} while (n < ARRAY_LEN(r) && accept(p, ','));
	if (!expect(p, ')') || !expect(p, ':') || !expect(p, '('))
		return PARSED_NO;
	for (unsigned i = 0; i < n; i++)
		if ((i && !expect(p, ',')) || !(r[i].type = parse_type(p)))
			return PARSED_NO;
	if (!expect(p, ')') || !expect(p, TOK_ARROW) || !(result = parse_type(p)))
		return PARSED_NO;
	while (n--)
		push_operand(p, r[n]);
	push_enum(p, NAME_kind, ENUM_REDUCTION, (unsigned)kind_of(f));
	push_result(p, result);
	return PARSED_ALL;
}
