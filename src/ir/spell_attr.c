#include "ir/module.h"
#include "ir/spell.h"

static void put(Speller *s, Str text)
{
	buf_put(s->arena, s->out, text);
}

static void put_char(Speller *s, char c)
{
	buf_char(s->arena, s->out, c);
}

static void put_string(Speller *s, const Name *n)
{
	spell_string(s->arena, s->out, name_str(n));
}

/* Numbers */

static bool is_signed_int(const IrType *t)
{
	return !t || t->kind != TYPE_INT || t->is_signed;
}

/* Divides by 10^18 in place and returns the remainder. */
static uint64_t divide(uint64_t *words, uint32_t n)
{
	const uint32_t half[] = {UINT32_C(1000000000), UINT32_C(1000000000)};
	uint64_t rest[2];
	for (unsigned k = 0; k < 2; k++) {
		uint64_t r = 0;
		for (uint32_t i = n; i-- > 0;) {
			uint64_t high = r << 32 | words[i] >> 32;
			uint64_t low = (high % half[k]) << 32 | (words[i] & UINT32_MAX);
			words[i] = (high / half[k]) << 32 | low / half[k];
			r = low % half[k];
		}
		rest[k] = r;
	}
	return rest[1] * half[0] + rest[0];
}

static void negate(uint64_t *words, uint32_t n)
{
	uint64_t carry = 1;
	for (uint32_t i = 0; i < n; i++) {
		words[i] = ~words[i] + carry;
		carry = carry && !words[i];
	}
}

/* An integer of more than 64 bits: cut into groups of 18 digits, lowest first. */
static void spell_wide(Speller *s, const IrAttr *a)
{
	uint32_t n = (uint32_t)a->bits;
	uint64_t *words = arena_copy_n(s->arena, a->words, n, sizeof *words);
	if (is_signed_int(a->type) && words[n - 1] >> 63) {
		put_char(s, '-');
		negate(words, n);
	}
	VEC(uint64_t) groups = {0};
	while (n && !words[n - 1])
		n--;
	do {
		vec_push(s->arena, &groups, divide(words, n));
		while (n && !words[n - 1])
			n--;
	} while (n);
	spell_uint(s->arena, s->out, vec_pop(&groups));
	while (groups.len) {
		uint64_t group = vec_pop(&groups);
		for (uint64_t unit = UINT64_C(100000000000000000); unit > 1 && group < unit; unit /= 10)
			put_char(s, '0');
		spell_uint(s->arena, s->out, group);
	}
}

void spell_attr_number(Speller *s, const IrAttr *a)
{
	if (a->words)
		spell_wide(s, a);
	else if (is_signed_int(a->type))
		spell_int(s->arena, s->out, (int64_t)a->bits);
	else
		spell_uint(s->arena, s->out, a->bits);
}

/* Locations: reference 1.8. */

static void spell_loc_body(Speller *s, const LocInfo *loc);

static void put_line_col(Speller *s, uint32_t line, uint32_t col)
{
	if (line)
		spell_uint(s->arena, s->out, line);
	put_char(s, ':');
	spell_uint(s->arena, s->out, col);
}

static void spell_file_loc(Speller *s, const LocInfo *loc)
{
	spell_string(s->arena, s->out, loc->name);
	put_char(s, ':');
	spell_uint(s->arena, s->out, loc->line);
	put_char(s, ':');
	spell_uint(s->arena, s->out, loc->col);
	if (loc->end_line || loc->end_col) {
		put(s, STR(" to "));
		put_line_col(s, loc->end_line == loc->line ? 0 : loc->end_line, loc->end_col);
	}
}

static void spell_inner_locs(Speller *s, const LocInfo *loc, Str between)
{
	for (uint32_t i = 0; i < loc->ninner; i++) {
		if (i)
			put(s, between);
		spell_loc_body(s, loc->inner[i]);
	}
}

static void spell_loc_body(Speller *s, const LocInfo *loc)
{
	if (s->loc_alias && s->loc_alias(s, loc))
		return;
	switch (loc->kind) {
	case LOC_UNKNOWN:
		put(s, STR("unknown"));
		break;
	case LOC_FILE:
		spell_file_loc(s, loc);
		break;
	case LOC_NAME:
		spell_string(s->arena, s->out, loc->name);
		if (loc->ninner) {
			put_char(s, '(');
			spell_loc_body(s, loc->inner[0]);
			put_char(s, ')');
		}
		break;
	case LOC_CALLSITE:
		put(s, STR("callsite("));
		spell_inner_locs(s, loc, STR(" at "));
		put_char(s, ')');
		break;
	case LOC_FUSED:
		put(s, STR("fused["));
		spell_inner_locs(s, loc, STR(", "));
		put_char(s, ']');
		break;
	}
}

/* Without aliases, of a location that others hold several times each: the text would grow with the power of its depth. */
enum { LOC_PARTS_MAX = 1 << 12 };

static bool parts_fit(const LocInfo *loc, uint32_t *left)
{
	bool fits = *left > 0;
	*left -= fits;
	for (uint32_t i = 0; i < loc->ninner && fits; i++)
		fits = parts_fit(loc->inner[i], left);
	return fits;
}

void spell_loc(Speller *s, const LocInfo *loc)
{
	uint32_t left = LOC_PARTS_MAX;
	put(s, STR("loc("));
	if (s->loc_alias || parts_fit(loc, &left))
		spell_loc_body(s, loc);
	else
		put(s, STR("unknown"));
	put_char(s, ')');
}

/* Attributes: reference 1.7 and 3. */

static bool is_i64(const IrAttr *a)
{
	return a->kind == ATTR_INT && a->type && a->type->kind == TYPE_BUILTIN_INT && a->type->width == 64;
}

/* Inside lists a number without a type is an i64. */
static void spell_elements(Speller *s, const IrAttr *a)
{
	for (uint32_t i = 0; i < a->n; i++) {
		if (i)
			put(s, STR(", "));
		if (is_i64(a->elems[i]))
			spell_attr_number(s, a->elems[i]);
		else
			spell_attr(s, a->elems[i]);
	}
}

static void spell_list(Speller *s, Str open, const IrAttr *a, Str close)
{
	put(s, open);
	spell_elements(s, a);
	put(s, close);
}

void spell_dict_body(Speller *s, Name *const *keys, const IrAttr *const *values, uint32_t n)
{
	s->depth++;
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			put(s, STR(", "));
		spell_key(s->arena, s->out, keys[i]);
		if (values[i]->kind != ATTR_UNIT) {
			put(s, STR(" = "));
			spell_attr(s, values[i]);
		}
	}
	s->depth--;
}

static void spell_symbol_path(Speller *s, const IrAttr *a)
{
	spell_symbol(s->arena, s->out, a->name);
	for (uint32_t i = 0; i < a->n; i++) {
		put(s, STR("::"));
		spell_symbol(s->arena, s->out, a->elems[i]->name);
	}
}

static void spell_int_attr(Speller *s, const IrAttr *a)
{
	bool cir = a->type && a->type->kind == TYPE_INT;
	if (cir)
		put(s, STR("#cir.int<"));
	spell_attr_number(s, a);
	if (cir)
		put_char(s, '>');
}

static void spell_float_attr(Speller *s, const IrAttr *a)
{
	bool builtin = a->type && a->type->kind == TYPE_BUILTIN_FLOAT;
	if (!builtin)
		put(s, STR("#cir.fp<"));
	put(s, name_str(a->name));
	if (!builtin)
		put_char(s, '>');
}

static void spell_enum(Speller *s, const IrAttr *a)
{
	const EnumInfo *info = &ir_enum_info[a->enum_class];
	put(s, STR("#cir."));
	put(s, str_of(info->spelling));
	put_char(s, '<');
	put(s, str_of(info->words[a->bits]));
	put_char(s, '>');
}

static void spell_ptr_attr(Speller *s, const IrAttr *a)
{
	put(s, STR("#cir.ptr<"));
	if (a->bits) {
		spell_int(s->arena, s->out, (int64_t)a->bits);
		put(s, STR(" : i64>"));
	} else {
		put(s, STR("null>"));
	}
}

static void spell_const_array(Speller *s, const IrAttr *a)
{
	put(s, STR("#cir.const_array<"));
	if (a->name) {
		put_string(s, a->name);
		if (a->elem_type) {
			put(s, STR(" : "));
			spell_type(s, a->elem_type);
		}
	} else {
		spell_list(s, STR("["), a, STR("]"));
	}
	put(s, a->bits & 1 ? STR(", trailing_zeros>") : STR(">"));
}

static void spell_global_view(Speller *s, const IrAttr *a)
{
	put(s, STR("#cir.global_view<"));
	spell_symbol(s->arena, s->out, a->name);
	if (a->n)
		spell_list(s, STR(", ["), a, STR("]"));
	put(s, a->bits ? STR(", address_point true>") : STR(">"));
}

static void spell_member_offset(Speller *s, const IrAttr *a)
{
	if (!a->bits) {
		put(s, STR("#cir.data_member<null>"));
		return;
	}
	put(s, STR("#cir.data_member_offset<"));
	spell_uint(s->arena, s->out, a->bits - 1);
	put_char(s, '>');
}

static void spell_method(Speller *s, const IrAttr *a)
{
	put(s, STR("#cir.method<"));
	if (a->name) {
		spell_symbol(s->arena, s->out, a->name);
	} else if (a->n) {
		put(s, STR("vtable_offset = "));
		spell_uint(s->arena, s->out, a->bits);
	} else {
		put(s, STR("null"));
	}
	put_char(s, '>');
}

/* A function and labels in it. */
static void spell_block_addr(Speller *s, Str head, const IrAttr *a)
{
	put(s, head);
	spell_symbol(s->arena, s->out, a->name);
	for (uint32_t i = 0; i < a->n; i++) {
		put(s, STR(", "));
		put_string(s, a->elems[i]->name);
	}
	put_char(s, '>');
}

static void spell_param(Speller *s, const AttrParam *param, const IrAttr *value)
{
	if (!(param->flags & PARAM_BARE)) {
		put(s, str_of(param->key));
		put(s, STR(" = "));
	}
	if (param->kind == PARAM_WORD)
		put(s, name_str(value->name));
	else if (param->kind == PARAM_INT)
		spell_attr_number(s, value);
	else
		spell_attr(s, value);
}

void spell_attr_params(Speller *s, const IrAttr *a)
{
	const AttrRowInfo *row = &ir_attr_row_info[a->row];
	put_char(s, '<');
	bool first = true;
	for (uint32_t i = 0; i < row->nparams; i++) {
		if (!a->elems[i])
			continue;
		if (!first)
			put(s, STR(", "));
		first = false;
		spell_param(s, &row->params[i], a->elems[i]);
	}
	put_char(s, '>');
}

/* Kept text: every NUL byte stands for the next part. */
static void spell_opaque(Speller *s, const IrAttr *a)
{
	uint32_t part = 0;
	Str text = name_str(a->name);
	while (text.len) {
		const char *hole = memchr(text.data, '\0', text.len);
		size_t len = hole ? (size_t)(hole - text.data) : text.len;
		put(s, (Str){text.data, len});
		if (hole && part < a->n)
			spell_attr(s, a->elems[part++]);
		len += hole != NULL;
		text = (Str){text.data + len, text.len - len};
	}
}

static void spell_constant(Speller *s, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_BOOL:
		put(s, a->bits ? STR("#cir.bool<true>") : STR("#cir.bool<false>"));
		break;
	case ATTR_PTR:
		spell_ptr_attr(s, a);
		break;
	case ATTR_ZERO:
		put(s, STR("#cir.zero"));
		break;
	case ATTR_UNDEF:
		put(s, STR("#cir.undef"));
		break;
	case ATTR_POISON:
		put(s, STR("#cir.poison"));
		break;
	case ATTR_CONST_ARRAY:
		spell_const_array(s, a);
		break;
	case ATTR_CONST_RECORD:
		spell_list(s, STR("#cir.const_record<{"), a, STR("}>"));
		break;
	case ATTR_CONST_VECTOR:
		spell_list(s, STR("#cir.const_vector<["), a, STR("]>"));
		break;
	case ATTR_CONST_COMPLEX:
		spell_list(s, STR("#cir.const_complex<"), a, STR(">"));
		break;
	case ATTR_GLOBAL_VIEW:
		spell_global_view(s, a);
		break;
	case ATTR_GLOBAL_OFFSET:
		put(s, STR("#cir.global_offset<"));
		spell_symbol(s->arena, s->out, a->name);
		put(s, STR(", "));
		spell_int(s->arena, s->out, (int64_t)a->bits);
		put_char(s, '>');
		break;
	case ATTR_DISTANCE:
		put(s, STR("#cir.distance<"));
		spell_symbol(s->arena, s->out, a->elems[0]->name);
		put(s, STR(", "));
		spell_symbol(s->arena, s->out, a->elems[1]->name);
		if (a->bits) {
			put(s, STR(", "));
			spell_int(s->arena, s->out, (int64_t)a->bits);
		}
		put_char(s, '>');
		break;
	case ATTR_IMAGE_REL:
		put(s, STR("#cir.image_relative<"));
		spell_symbol(s->arena, s->out, a->name);
		put_char(s, '>');
		break;
	case ATTR_VTABLE:
		spell_list(s, STR("#cir.vtable<{"), a, STR("}>"));
		break;
	case ATTR_TYPEINFO:
		spell_list(s, STR("#cir.typeinfo<{"), a, STR("}>"));
		break;
	case ATTR_DATA_MEMBER:
		if (a->n)
			spell_list(s, STR("#cir.data_member<["), a, STR("]>"));
		else
			spell_member_offset(s, a);
		break;
	case ATTR_METHOD:
		spell_method(s, a);
		break;
	case ATTR_BLOCK_ADDR:
		spell_block_addr(s, STR("#cir.block_addr_info<"), a);
		break;
	case ATTR_BLOCK_DIFF:
		spell_block_addr(s, STR("#cir.block_addr_diff<"), a);
		break;
	default:
		CHECK(false && "an attribute kind without a spelling");
	}
}

void spell_attr_untyped(Speller *s, const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_UNIT:
		put(s, STR("unit"));
		break;
	case ATTR_FLAG:
		put(s, a->bits ? STR("true") : STR("false"));
		break;
	case ATTR_INT:
		spell_int_attr(s, a);
		break;
	case ATTR_FLOAT:
		spell_float_attr(s, a);
		break;
	case ATTR_STRING:
		put_string(s, a->name);
		break;
	case ATTR_TYPE:
		spell_type(s, a->type);
		break;
	case ATTR_SYMBOL:
		spell_symbol_path(s, a);
		break;
	case ATTR_ARRAY:
		spell_list(s, STR("["), a, STR("]"));
		break;
	case ATTR_DICT:
		put_char(s, '{');
		spell_dict_body(s, a->keys, a->elems, a->n);
		put_char(s, '}');
		break;
	case ATTR_LOC:
		spell_loc(s, a->loc);
		break;
	case ATTR_ENUM:
		spell_enum(s, a);
		break;
	case ATTR_PARAMS:
		put(s, STR("#cir."));
		put(s, str_of(ir_attr_row_info[a->row].name));
		spell_attr_params(s, a);
		break;
	case ATTR_OPAQUE:
		spell_opaque(s, a);
		break;
	default:
		spell_constant(s, a);
	}
}

void spell_attr(Speller *s, const IrAttr *a)
{
	if ((s->limit && s->out->len > s->limit) || (s->attr_alias && s->attr_alias(s, a)))
		return;
	s->depth++;
	spell_attr_untyped(s, a);
	s->depth--;
	if (a->type && a->kind != ATTR_TYPE) {
		put(s, STR(" : "));
		spell_type(s, a->type);
	}
}
