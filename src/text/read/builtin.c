/* Builtin types, like i32, and what the earliest eras mean by them and by constants of them. */
#include "text/read/parser.h"

static bool builtin_int(Str w, uint32_t *width)
{
	if (w.len < 2 || w.len > 8 || w.data[0] != 'i')
		return false;
	*width = 0;
	for (size_t i = 1; i < w.len; i++) {
		if (w.data[i] < '0' || w.data[i] > '9')
			return false;
		*width = *width * 10 + (uint32_t)(w.data[i] - '0');
	}
	return *width > 0 && *width <= 1u << 23;
}

static const struct {
	const char *word;
	TypeKind era_a; /* what the earliest files mean by it */
} builtin_floats[] = {
    {"f32", TYPE_FLOAT}, {"f64", TYPE_DOUBLE}, {"f16", TYPE_HALF},
    {"bf16", TYPE_BF16}, {"f80", TYPE_F80},    {"f128", TYPE_F128},
};

static const char *const shaped[] = {"vector", "tensor", "memref", "tuple", "complex"};

static const char *const other_floats[] = {
    "f4E2M1FN",   "f6E2M3FN",   "f6E3M2FN",      "f8E5M2", "f8E4M3",    "f8E4M3FN",
    "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "tf32",
};

/* Others of MLIR, which no op has: `si32`, `ui8`, `tf32` */
static bool other_builtin(Str w)
{
	uint32_t width;
	if (w.len > 2 && (w.data[0] == 's' || w.data[0] == 'u'))
		return builtin_int((Str){w.data + 1, w.len - 1}, &width);
	for (unsigned i = 0; i < ARRAY_LEN(other_floats); i++)
		if (str_is(w, other_floats[i]))
			return true;
	return false;
}

/* The type of CIR for the builtin one, which is spelled `was`. */
static IrType *tell_type(Parser *p, const char *at, Str was, IrType *now)
{
	parse_renamed(p, at, was, p->newest ? ir_type_str(p->mem, now) : "");
	return now;
}

IrType *parse_builtin_type(Parser *p)
{
	Token t = peek(p);
	Str w = token_str(t);
	uint32_t width;
	if (builtin_int(w, &width)) {
		advance(p);
		if (!p->era_a)
			return ir_type_builtin_int(p->m, width);
		return tell_type(p, t.at, w,
		                 width == 1 ? ir_type_simple(p->m, TYPE_BOOL)
		                            : ir_type_int(p->m, width, true, false));
	}
	for (unsigned i = 0; i < ARRAY_LEN(builtin_floats); i++) {
		if (!str_is(w, builtin_floats[i].word))
			continue;
		advance(p);
		return p->era_a ? tell_type(p, t.at, w, ir_type_simple(p->m, builtin_floats[i].era_a))
		                : ir_type_builtin_float(p->m, builtin_floats[i].word);
	}
	if (accept_word(p, STR("index")))
		return ir_type_simple(p->m, TYPE_INDEX);
	if (accept_word(p, STR("none")))
		return ir_type_simple(p->m, TYPE_NONE);
	if (accept_word(p, STR("token")))
		return ir_type_simple(p->m, TYPE_TOKEN);
	for (unsigned i = 0; i < ARRAY_LEN(shaped); i++)
		if (str_is(w, shaped[i]))
			return parse_opaque_type(p, t.at);
	if (other_builtin(w))
		return parse_opaque_type(p, t.at);
	expected(p, "non-function type");
	return NULL;
}

bool parse_is_builtin_type(Str w)
{
	uint32_t width;
	if (builtin_int(w, &width) || other_builtin(w) || str_equal(w, STR("index")) ||
	    str_equal(w, STR("none")) || str_equal(w, STR("token")))
		return true;
	for (unsigned i = 0; i < ARRAY_LEN(builtin_floats); i++)
		if (str_is(w, builtin_floats[i].word))
			return true;
	for (unsigned i = 0; i < ARRAY_LEN(shaped); i++)
		if (str_is(w, shaped[i]))
			return true;
	return false;
}

bool parse_is_cir_type(const IrType *t)
{
	return t->kind < TYPE_BUILTIN_INT;
}

IrType *parse_cir_type_of(Parser *p, IrType *t)
{
	if (t->kind == TYPE_BUILTIN_INT)
		return t->width == 1 ? ir_type_simple(p->m, TYPE_BOOL)
		                     : ir_type_int(p->m, t->width, true, false);
	for (unsigned i = 0; t->kind == TYPE_BUILTIN_FLOAT && i < ARRAY_LEN(builtin_floats); i++)
		if (strcmp(t->name->text, builtin_floats[i].word) == 0)
			return ir_type_simple(p->m, builtin_floats[i].era_a);
	return t;
}

/* Pointers to i8 are of every era: upstream makes them, too. */
IrType *parse_pointers_to_cir_type(Parser *p, const char *at, IrType *t)
{
	IrType *leaf = t;
	unsigned depth = 0;
	for (; ir_is_ptr(leaf) && !leaf->attr; leaf = leaf->elem)
		depth++;
	IrType *now = parse_cir_type_of(p, leaf);
	if (now == leaf || (depth && leaf->width == 8))
		return t;
	while (depth--)
		now = ir_type_ptr(p->m, now);
	return tell_type(p, at, str_of(p->newest ? ir_type_str(p->mem, t) : ""), now);
}

IrType *parse_signature_type(Parser *p, const char *at, IrType *t)
{
	IrType *now = parse_pointers_to_cir_type(p, at, t);
	if (now != t)
		parse_in_era_a(p);
	return now;
}

const IrAttr *parse_cir_constant(Parser *p, const char *at, const IrAttr *a)
{
	bool plain = a->kind == ATTR_FLAG || a->kind == ATTR_INT || a->kind == ATTR_FLOAT;
	if (!plain)
		return a;
	if (a->kind == ATTR_FLAG || !parse_is_cir_type(a->type))
		parse_older(p, at, "a builtin constant instead of one of CIR");
	if (a->kind == ATTR_FLAG)
		return ir_attr_bool(p->m, a->bits);
	if (parse_is_cir_type(a->type))
		return a;
	IrAttr now = *a;
	now.type = parse_cir_type_of(p, a->type);
	if (now.type->kind == TYPE_BOOL)
		return ir_attr_bool(p->m, a->bits & 1);
	return ir_attr_intern(p->m, &now);
}
