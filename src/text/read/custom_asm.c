/* The spelling of `cir.asm`: cir-reference 5.18.
 *
 *	cir.asm(x86_att,
 *	  out = [%o : T (maybe_memory), …],
 *	  in = […],
 *	  in_out = […],
 *	  {"text" "constraints"}) side_effects -> R
 */
#include "text/read/parser.h"

static bool asm_operand(Parser *p)
{
	OperandRef r;
	bool memory = false;
	if (!parse_operand(p, &r) || !expect(p, ':') || !(r.type = parse_type(p)))
		return false;
	if (accept(p, '(')) {
		memory = true;
		if (!expect_word(p, STR("maybe_memory")) || !expect(p, ')'))
			return false;
	}
	push_operand(p, r);
	vec_push(p->mem, &p->elems, ir_attr_flag(p->m, memory));
	return true;
}

/* `out = […],`; *n: how many there are */
static bool asm_group(Parser *p, Str word, uint32_t *n)
{
	uint32_t before = p->operands.len;
	if (!expect_word(p, word) || !expect(p, '=') || !expect(p, '['))
		return false;
	while (!at(p, ']')) {
		if (!asm_operand(p))
			return false;
		if (!accept(p, ','))
			break;
	}
	*n = p->operands.len - before;
	return expect(p, ']') && expect(p, ',');
}

static bool asm_operands(Parser *p)
{
	static const Str words[] = {WORD("out"), WORD("in"), WORD("in_out")};
	uint32_t base = p->elems.len;
	const IrAttr *segments[3];
	bool memory = false;
	for (unsigned i = 0; i < ARRAY_LEN(words); i++) {
		uint32_t n;
		if (!asm_group(p, words[i], &n)) {
			p->elems.len = base;
			return false;
		}
		segments[i] = ir_attr_i32(p->m, (int32_t)n);
	}
	push_attr(p, p->known[NAME_operands_segments], ir_attr_array(p->m, segments, 3));
	for (uint32_t i = base; i < p->elems.len; i++)
		memory |= p->elems.data[i]->bits != 0;
	if (memory)
		push_attr(p, p->known[NAME_maybe_memory],
		          ir_attr_array(p->m, p->elems.data + base, p->elems.len - base));
	p->elems.len = base;
	return true;
}

static bool asm_text(Parser *p)
{
	Str text, constraints;
	if (!expect(p, '{') || !parse_string(p, &text) || !parse_string(p, &constraints) || !expect(p, '}'))
		return false;
	push_attr(p, p->known[NAME_asm_string], ir_attr_string(p->m, text));
	push_attr(p, p->known[NAME_constraints], ir_attr_string(p->m, constraints));
	return true;
}

Parsed parse_custom_asm(Parser *p, Frame *f)
{
	int flavor;
	if (!expect(p, '(') || (flavor = parse_enum_word(p, ENUM_ASM_FLAVOR)) < 0 || !expect(p, ',') ||
	    !asm_operands(p) || !asm_text(p) || !expect(p, ')'))
		return PARSED_NO;
	push_enum(p, NAME_asm_flavor, ENUM_ASM_FLAVOR, (unsigned)flavor);
	if (accept_word(p, STR("side_effects")))
		push_flag(p, NAME_side_effects);
	if (at(p, '{') && !parse_dict_onto_attrs(p, f->attrs)) /* where upstream prints it */
		return PARSED_NO;
	if (accept(p, TOK_ARROW)) {
		IrType *t = parse_type(p);
		if (!t)
			return PARSED_NO;
		push_result(p, t);
	}
	return PARSED_ALL;
}
