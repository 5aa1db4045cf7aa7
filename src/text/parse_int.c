/* Integer literals of any width: two's complement words, checked against their type. */
#include "text/parser.h"

static unsigned digit_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* words = words * base + digit; false when the top word overflows. */
static bool shift_in(uint64_t *words, uint32_t n, unsigned base, unsigned digit)
{
	uint64_t carry = digit;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t low = (words[i] & UINT32_MAX) * base + carry;
		uint64_t high = (words[i] >> 32) * base + (low >> 32);
		words[i] = high << 32 | (low & UINT32_MAX);
		carry = high >> 32;
	}
	return carry == 0;
}

static void negate(uint64_t *words, uint32_t n)
{
	uint64_t carry = 1;
	for (uint32_t i = 0; i < n; i++) {
		words[i] = ~words[i] + carry;
		carry = carry && !words[i];
	}
}

static bool any_bit_from(const uint64_t *words, uint32_t n, uint32_t bit)
{
	for (uint32_t i = bit / 64; i < n; i++) {
		uint64_t w = words[i];
		if (i == bit / 64)
			w &= UINT64_MAX << bit % 64;
		if (w)
			return true;
	}
	return false;
}

static bool is_power_of_two_at(const uint64_t *words, uint32_t n, uint32_t bit)
{
	for (uint32_t i = 0; i < n; i++)
		if (words[i] != (i == bit / 64 ? UINT64_C(1) << bit % 64 : 0))
			return false;
	return true;
}

/* Does the magnitude fit? Builtin integers have no signedness: both readings of the bits are fine. */
static bool fits(const uint64_t *words, uint32_t n, bool negative, const IrType *type, uint32_t width)
{
	bool is_unsigned = type->kind == TYPE_INT && !type->is_signed;
	if (negative && is_unsigned)
		return !any_bit_from(words, n, 0);
	if (negative)
		return !any_bit_from(words, n, width - 1) || is_power_of_two_at(words, n, width - 1);
	return !any_bit_from(words, n, is_unsigned || type->kind != TYPE_INT ? width : width - 1);
}

/* Digits of a literal of `n` bits at most; more cannot fit. */
static bool too_many_digits(uint32_t len, uint32_t width)
{
	return len / 20 > width / 60 + 1; /* a decimal digit is more than three bits */
}

static const IrAttr *wide_value(Parser *p, IrType *type, uint64_t *words, uint32_t width, bool negative)
{
	uint32_t n = (width + 63) / 64;
	if (negative)
		negate(words, n);
	if (width % 64) { /* the canonical form extends the top word by the signedness */
		uint64_t mask = (UINT64_C(1) << width % 64) - 1;
		bool is_signed = type->kind != TYPE_INT || type->is_signed;
		words[n - 1] &= mask;
		if (is_signed && words[n - 1] >> (width % 64 - 1) & 1)
			words[n - 1] |= ~mask;
	}
	return ir_attr_intern(p->m, &(IrAttr){.kind = ATTR_INT, .type = type, .words = words});
}

const IrAttr *parse_int_value(Parser *p, Token t, IrType *type)
{
	uint32_t width = type->kind == TYPE_INDEX ? 64 : type->width;
	bool negative = *t.at == '-';
	uint32_t i = negative || *t.at == '+';
	bool hex = t.len > i + 2 && t.at[i + 1] == 'x';
	uint32_t n = (width + 63) / 64;
	uint64_t small[2] = {0}, *words = n < 2 ? small : arena_array(p->mem, uint64_t, n + 1);
	bool ok = !too_many_digits(t.len, width);
	/* One word more than the type has shows what does not fit. */
	for (i += hex ? 2 : 0; ok && i < t.len; i++)
		ok =
		    shift_in(words, n + 1, hex ? 16 : 10, digit_value(t.at[i])) && words[n] < UINT64_MAX / 16;
	if (!ok || !fits(words, n + 1, negative, type, width)) {
		parse_fail(p, t.at, "integer value too large for the given type");
		return NULL;
	}
	if (width > 64)
		return wide_value(p, type, words, width, negative);
	return ir_attr_int(p->m, type, negative ? 0 - words[0] : words[0]);
}

/* Alignments and indices: `4 : i64`. The small ones are remembered. */
const IrAttr *parse_i64(Parser *p, Token t)
{
	if (t.len > 2 || *t.at == '-' || *t.at == '+')
		return parse_int_value(p, t, ir_type_builtin_int(p->m, 64));
	unsigned n = digit_value(t.at[0]);
	if (t.len == 2)
		n = n * 10 + digit_value(t.at[1]);
	if (!p->small[n])
		p->small[n] = ir_attr_i64(p->m, n);
	return p->small[n];
}
