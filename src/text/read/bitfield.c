/* `!cir.bitfield<STORAGE, [#cir.bitfield_decl<T, W, unnamed>, …]>`: cir-reference 2.3. */
#include "text/read/parser.h"

typedef struct BitfieldDecls {
	VEC(IrType *) types;
	VEC(uint32_t) widths;
	VEC(uint8_t) unnamed;
} BitfieldDecls;

static bool bitfield_decl(Parser *p, BitfieldDecls *d)
{
	Token t = peek(p);
	if (t.kind != TOK_ATTR || !token_is(t, STR("#cir.bitfield_decl")))
		return expected(p, "'#cir.bitfield_decl'");
	advance(p);
	uint64_t width;
	IrType *type;
	if (!expect(p, '<') || !(type = parse_type(p)) || !expect(p, ',') ||
	    !parse_uint(p, &width, "bit-field width"))
		return false;
	if (!ir_is_int(type) && type->kind != TYPE_BOOL)
		return parse_fail(p, t.at,
		                  "a bit-field is declared with an integer or boolean type, got '%s'",
		                  ir_type_str(p->mem, type));
	bool unnamed = false;
	if (accept(p, ',')) {
		if (!expect_word(p, STR("unnamed")))
			return false;
		unnamed = true;
	}
	if (width == 0 && !unnamed)
		return parse_fail(p, t.at, "zero-width bit-field cannot be named");
	if (width > 1u << 23)
		return parse_fail(p, t.at, "bit-field is too wide");
	vec_push(p->mem, &d->types, type);
	vec_push(p->mem, &d->widths, (uint32_t)width);
	vec_push(p->mem, &d->unnamed, unnamed);
	return expect(p, '>');
}

static bool check_bitfield(Parser *p, const char *where, const IrType *storage, const BitfieldDecls *d)
{
	if (!d->types.len)
		return parse_fail(p, where, "bit-field member must hold at least one bit-field");
	if (!storage) {
		if (d->types.len != 1 || d->widths.data[0] != 0)
			return parse_fail(
			    p, where,
			    "a bit-field member without storage must hold a single zero-width bit-field");
		return true;
	}
	if (storage->kind == TYPE_BITFIELD)
		return parse_fail(p, where,
		                  "bit-field access unit storage cannot itself be a bit-field type");
	if (storage->kind == TYPE_VOID || storage->kind == TYPE_FUNC || ir_is_token(storage))
		return parse_fail(p, where, "bit-field access unit storage must be sized, got '%s'",
		                  ir_type_str(p->mem, storage));
	for (uint32_t i = 0; i < d->widths.len; i++)
		if (d->widths.data[i] == 0)
			return parse_fail(p, where, "a zero-width bit-field cannot occupy an access unit");
	return true;
}

IrType *parse_bitfield_type(Parser *p, Str keyword)
{
	(void)keyword;
	if (!expect(p, '<'))
		return NULL;
	const char *where = peek(p).at;
	IrType *storage = NULL;
	if (!at(p, '[') && (!(storage = parse_type(p)) || !expect(p, ',')))
		return NULL;
	BitfieldDecls d = {0};
	if (!expect(p, '['))
		return NULL;
	while (!at(p, ']')) {
		if (!bitfield_decl(p, &d))
			return NULL;
		if (!accept(p, ','))
			break;
	}
	if (!expect(p, ']') || !expect(p, '>') || !check_bitfield(p, where, storage, &d))
		return NULL;
	return ir_type_bitfield(p->m, storage, d.types.data, d.widths.data, d.unnamed.data, d.types.len);
}
