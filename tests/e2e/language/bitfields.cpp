#include "language.h"

struct Bits {
	int32_t a : 4;
	uint32_t b : 17;
	int32_t c : 11;
	uint64_t : 0;
	uint64_t : 3, d : 40, rest : 21;
};
struct Flags {
	uint8_t low : 3, high : 5;
};
static_assert(sizeof(Bits) == 16 && sizeof(Flags) == 1, "as in the CIR");

extern "C" {
int32_t get_a(Bits *p);
uint32_t get_b(Bits *p);
int64_t get_c(Bits *p);
int32_t set_a(Bits *p, int32_t v);
uint32_t set_b(Bits *p, uint32_t v);
uint64_t set_d(Bits *p, uint64_t v);
int32_t set_high(Flags *p, uint8_t v);
int32_t set_in_bytes(unsigned char *p, int32_t v);
}

static void show_bits(const Bits &bits)
{
	show("a", bits.a);
	show("b", bits.b);
	show("c", bits.c);
	show("d", bits.d);
	show("rest", bits.rest);
}

int main()
{
	Bits bits;
	for (int fill : {0, -1}) {
		memset(&bits, fill, sizeof(bits));
		show("set_a", set_a(&bits, 0x35));
		show_bits(bits);
		show("set_b", set_b(&bits, 0xfedcba98));
		show_bits(bits);
		show("set_d", (int64_t)set_d(&bits, 0x123456789abcdef));
		show_bits(bits);
		bits.c = -1000;
		show("get_a", get_a(&bits));
		show("get_b", get_b(&bits));
		show("get_c", get_c(&bits));
		Flags flags = {5, 1};
		show("set_high", set_high(&flags, 0xff));
		show("flags", flags.low * 100 + flags.high);
		unsigned char bytes[4];
		memset(bytes, fill, sizeof(bytes));
		show("set_in_bytes", set_in_bytes(bytes, 0x155));
		for (unsigned char byte : bytes)
			show("byte", byte);
	}
	return 0;
}

#ifdef TWIN
int32_t set_in_bytes(unsigned char *p, int32_t v)
{
	uint32_t bits = p[0] | p[1] << 8 | p[2] << 16;
	bits = (bits & ~(127u << 12)) | (uint32_t(v) & 127) << 12;
	for (int i = 0; i < 3; i++)
		p[i] = uint8_t(bits >> 8 * i);
	return int32_t(bits << 13) >> 25;
}
int32_t get_a(Bits *p) { return p->a; }
uint32_t get_b(Bits *p) { return p->b; }
int64_t get_c(Bits *p) { return p->c; }
int32_t set_a(Bits *p, int32_t v) { return p->a = v; }
uint32_t set_b(Bits *p, uint32_t v) { return p->b = v; }
uint64_t set_d(Bits *p, uint64_t v) { return p->d = v; }
int32_t set_high(Flags *p, uint8_t v)
{
	int x = p->high = v;
	return x * 10 + p->low;
}
#endif
