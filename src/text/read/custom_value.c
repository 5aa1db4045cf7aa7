/* Custom spellings of value ops: cir-reference 5.4. */
#include "text/read/parser.h"

static bool operand_type(Parser *p, const Frame *f, uint32_t index)
{
	return (p->operands.data[f->operands + index].type = parse_type(p)) != NULL;
}

static bool result_type(Parser *p)
{
	IrType *t = parse_type(p);
	if (t)
		push_result(p, t);
	return t != NULL;
}

/* Floating point classes: words joined by `|`, or their bits as a number */

static bool class_word(Parser *p, uint64_t *bits)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {
#define FP_CLASS(spelling, bits) {spelling, bits},
#include "text/fp_class.def"
	};
	Token t = peek(p);
	for (unsigned i = 0; t.kind == TOK_WORD && i < ARRAY_LEN(words); i++) {
		if (str_is(token_str(t), words[i].word)) {
			*bits |= words[i].bits;
			advance(p);
			return true;
		}
	}
	return expected(p, "a class of floating point values, such as 'fcNan'");
}

static bool fp_classes(Parser *p, uint64_t *bits)
{
	*bits = 0;
	if (at(p, TOK_INT))
		return parse_uint(p, bits, "integer value");
	do {
		if (!class_word(p, bits))
			return false;
	} while (accept(p, '|'));
	return true;
}

/* %x, fcNan|fcInf : (F) -> !cir.bool */
Parsed parse_custom_is_fp_class(Parser *p, Frame *f)
{
	uint64_t bits;
	if (!parse_push_operand(p) || !expect(p, ',') || !fp_classes(p, &bits) || !expect(p, ':') ||
	    !expect(p, '(') || !operand_type(p, f, 0) || !expect(p, ')') || !expect(p, TOK_ARROW) ||
	    !result_type(p))
		return PARSED_NO;
	push_attr(p, p->known[NAME_flags],
	          ir_attr_i32(p->m, (int32_t)(bits > INT32_MAX ? -1 : (int64_t)bits)));
	return PARSED_ALL;
}

/* "name" %a, %b : (T, U) -> R */
Parsed parse_custom_call_llvm_intrinsic(Parser *p, Frame *f)
{
	Str name;
	const char *name_at = peek(p).at;
	if (!parse_string(p, &name))
		return PARSED_NO;
	Str prefix = STR("llvm."); /* of before August 2024 */
	if (str_begins_with(name, prefix)) {
		parse_older(p, name_at, "'llvm.' in the name of an intrinsic");
		name = (Str){name.data + prefix.len, name.len - prefix.len};
	}
	push_attr(p, p->known[NAME_intrinsic_name], ir_attr_string(p->m, name));
	if (at_operand(p)) {
		do {
			if (!parse_push_operand(p))
				return PARSED_NO;
		} while (accept(p, ','));
	}
	if (!expect(p, ':'))
		return PARSED_NO;
	const char *where = peek(p).at;
	if (!parse_type_list(p, &p->list))
		return PARSED_NO;
	uint32_t n = pushed_operands(p, f);
	if (n != p->list.types.len || p->list.variadic) {
		parse_fail(p, where, "%u operands present, but expected %u", n, p->list.types.len);
		return PARSED_NO;
	}
	for (uint32_t i = 0; i < n; i++)
		p->operands.data[f->operands + i].type = p->list.types.data[i];
	if (!expect(p, TOK_ARROW) || !parse_result_list(p, &p->result_list))
		return PARSED_NO;
	for (uint32_t i = 0; i < p->result_list.types.len; i++)
		push_result(p, p->result_list.types.data[i]);
	return PARSED_ALL;
}
