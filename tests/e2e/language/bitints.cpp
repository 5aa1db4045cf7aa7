#include "language.h"

extern "C" {
#define ARITHMETIC(X) X(add) X(sub) X(mul) X(and) X(or) X(xor) X(max) X(min)
#define DECLARE(F) int64_t F##37(int64_t a, int64_t b);
ARITHMETIC(DECLARE)
int64_t div37(int64_t a, int64_t b), rem37(int64_t a, int64_t b);
int64_t shift37(int64_t a, int32_t n), shift37u(int64_t a, int32_t n), count37(int64_t a);
bool less37(int64_t a, int64_t b);
double to_double37(int64_t a);
void wide(uint64_t a, uint64_t b, uint64_t d, uint64_t n, uint64_t *out);
}

static int64_t cut37(int64_t v)
{
	return (int64_t)((uint64_t)v << 27) >> 27;
}

int main()
{
	for (int64_t a : edges) {
		show("to_double37", (int64_t)to_double37(a));
		show("count37", count37(a));
		for (int n : {0, 1, 5, 36})
			show("shift37", shift37(a, n)), show("shift37u", shift37u(a, n));
		for (int64_t b : edges) {
#define SHOW(F) show(#F, F##37(a, b));
			ARITHMETIC(SHOW)
			show("less37", less37(a, b));
			if (cut37(b) != 0 && cut37(b) != -1)
				show("div37", div37(a, b)), show("rem37", rem37(a, b));
			if (b == 0)
				continue;
			uint64_t out[21];
			wide((uint64_t)a, (uint64_t)b * 3, (uint64_t)b, (uint64_t)(a ^ b), out);
			for (uint64_t v : out)
				show("wide", (int64_t)v);
		}
	}
	return 0;
}

#ifdef TWIN
int64_t add37(int64_t a, int64_t b) { return cut37((int64_t)((uint64_t)a + (uint64_t)b)); }
int64_t sub37(int64_t a, int64_t b) { return cut37((int64_t)((uint64_t)a - (uint64_t)b)); }
int64_t mul37(int64_t a, int64_t b) { return cut37((int64_t)((uint64_t)a * (uint64_t)b)); }
int64_t and37(int64_t a, int64_t b) { return cut37(a & b); }
int64_t or37(int64_t a, int64_t b) { return cut37(a | b); }
int64_t xor37(int64_t a, int64_t b) { return cut37(a ^ b); }
int64_t max37(int64_t a, int64_t b) { return cut37(a) > cut37(b) ? cut37(a) : cut37(b); }
int64_t min37(int64_t a, int64_t b) { return cut37(a) < cut37(b) ? cut37(a) : cut37(b); }
int64_t div37(int64_t a, int64_t b) { return cut37(cut37(a) / cut37(b)); }
int64_t rem37(int64_t a, int64_t b) { return cut37(a) % cut37(b); }
int64_t shift37(int64_t a, int32_t n) { return cut37((int64_t)((uint64_t)a << n)) >> n; }
static const uint64_t mask = (UINT64_C(1) << 37) - 1;
int64_t shift37u(int64_t a, int32_t n) { return (int64_t)((((uint64_t)a << n) & mask) >> n); }
int64_t count37(int64_t a)
{
	uint64_t x = (uint64_t)a & mask, ones = 0, zeros = 0;
	for (int i = 0; i < 37; i++)
		ones += x >> i & 1;
	while (zeros < 37 && !(x >> (36 - zeros) & 1))
		zeros++;
	uint64_t r = zeros % 37 ? ((x << zeros) | (x >> (37 - zeros))) & mask : x;
	return (int64_t)((r + ones) & mask);
}
bool less37(int64_t a, int64_t b) { return cut37(a) < cut37(b); }
double to_double37(int64_t a) { return (double)cut37(a); }

// One bit an element, the lowest first.
struct Bits {
	bool at[129] = {};
	static Bits of(uint64_t v)
	{
		Bits b;
		for (int i = 0; i < 64; i++)
			b.at[i] = v >> i & 1;
		return b;
	}
	Bits shifted(int n) const // towards the higher bits
	{
		Bits r;
		for (int i = 0; i < 129; i++)
			if (i - n >= 0 && i - n < 129)
				r.at[i] = at[i - n];
		return r;
	}
	Bits plus(const Bits &o, bool carry = false) const
	{
		Bits r;
		for (int i = 0; i < 129; i++) {
			int sum = at[i] + o.at[i] + carry;
			r.at[i] = sum & 1;
			carry = sum > 1;
		}
		return r;
	}
	Bits minus(const Bits &o) const
	{
		Bits n;
		for (int i = 0; i < 129; i++)
			n.at[i] = !o.at[i];
		return plus(n, true);
	}
	bool less(const Bits &o) const
	{
		for (int i = 128; i >= 0; i--)
			if (at[i] != o.at[i])
				return o.at[i];
		return false;
	}
	Bits either(const Bits &o) const
	{
		Bits r;
		for (int i = 0; i < 129; i++)
			r.at[i] = at[i] || o.at[i];
		return r;
	}
};

void wide(uint64_t a, uint64_t b, uint64_t d, uint64_t n, uint64_t *out)
{
	Bits w = Bits::of(a).shifted(65).plus(Bits::of(b)), divisor = Bits::of(d), quotient, rest, product;
	for (int i = 128; i >= 0; i--) {
		bool lost = rest.at[128];
		rest = rest.shifted(1);
		rest.at[0] = w.at[i];
		if (lost || !rest.less(divisor)) {
			rest = rest.minus(divisor);
			quotient.at[i] = true;
		}
		if (w.at[i])
			product = product.plus(w.shifted(i));
	}
	int c = (int)(n % 129);
	const Bits results[] = {quotient,
	                        rest,
	                        w.shifted(c).either(w.shifted(c - 129)),
	                        w.shifted(-c).either(w.shifted(129 - c)),
	                        w.shifted(c).either(quotient.shifted(c - 129)),
	                        quotient.shifted(-c).either(w.shifted(129 - c)),
	                        product};
	for (const Bits &r : results)
		for (int word = 0; word < 3; word++, out++) {
			*out = 0;
			for (int i = 0; i < 64 && word * 64 + i < 129; i++)
				*out |= (uint64_t)r.at[word * 64 + i] << i;
		}
}
#endif
