/* Integer literals of any width: two's complement words, checked against their type. */
#include "text/read/parser.h"

static unsigned digit_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* A number that grows: the words above `used` are zero. */
typedef struct Magnitude {
	uint64_t *words;
	uint32_t used, n;
} Magnitude;

/* m = m * factor + digits; false when it no longer fits. */
static bool shift_in(Magnitude *m, uint32_t factor, uint32_t digits)
{
	uint64_t carry = digits;
	for (uint32_t i = 0; i < m->used; i++) {
		uint64_t low = (m->words[i] & UINT32_MAX) * factor + carry;
		uint64_t high = (m->words[i] >> 32) * factor + (low >> 32);
		m->words[i] = high << 32 | (low & UINT32_MAX);
		carry = high >> 32;
	}
	if (!carry)
		return true;
	if (m->used == m->n)
		return false;
	m->words[m->used++] = carry;
	return true;
}

/* Digits are taken in groups that fit 32 bits. */
static bool read_digits(Magnitude *m, const char *at, uint32_t len, bool hex)
{
	const uint32_t group = hex ? 7 : 9, base = hex ? 16 : 10;
	for (uint32_t i = 0; i < len;) {
		uint32_t factor = 1, digits = 0;
		for (uint32_t k = 0; k < group && i < len; k++, i++) {
			digits = digits * base + digit_value(at[i]);
			factor *= base;
		}
		if (!shift_in(m, factor, digits))
			return false;
	}
	return true;
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

enum { DIGITS_MAX = 1 << 16 }; /* reading takes time that grows with their square */

const IrAttr *parse_int_value(Parser *p, Token t, IrType *type)
{
	uint32_t width = type->kind == TYPE_INDEX ? 64 : type->width;
	bool negative = *t.at == '-';
	uint32_t sign = negative || *t.at == '+';
	bool hex = t.len > sign + 2 && t.at[sign + 1] == 'x';
	uint32_t skip = sign + (hex ? 2 : 0), full = (width + 63) / 64;
	if (t.len - skip > DIGITS_MAX) {
		parse_fail(p, t.at, "integer literal with more than %d digits", (int)DIGITS_MAX);
		return NULL;
	}
	uint32_t n = (t.len - skip) / 16 + 1; /* words that the digits fill at most */
	if (n > full)
		n = full;
	ArenaMark mark = arena_mark(p->mem);
	uint64_t small[2] = {0};
	/* One word more shows the sign, and what does not fit the type. */
	Magnitude m = {.words = n < 2 ? small : arena_array(p->mem, uint64_t, n + 1), .n = n + 1};
	if (!read_digits(&m, t.at + skip, t.len - skip, hex) ||
	    !fits(m.words, n + 1, negative, type, width)) {
		parse_fail(p, t.at, "integer value too large for the given type");
		return NULL; /* the message stays */
	}
	if (negative)
		negate(m.words, n + 1);
	const IrAttr *a = width > 64 ? ir_attr_wide_int(p->m, type, m.words, n < full ? n + 1 : n)
	                             : ir_attr_int(p->m, type, m.words[0]);
	if (n >= 2)
		arena_release(p->mem, mark);
	return a;
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
