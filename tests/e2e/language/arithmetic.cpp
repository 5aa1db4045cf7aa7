#include "language.h"

extern "C" {
int8_t add8(int8_t a, int8_t b);
uint16_t sub16(uint16_t a, uint16_t b);
uint32_t mul32(uint32_t a, uint32_t b);
int64_t div_s(int64_t a, int64_t b);
uint64_t div_u(uint64_t a, uint64_t b);
int32_t rem_s(int32_t a, int32_t b);
uint32_t rem_u(uint32_t a, uint32_t b);
uint32_t bits(uint32_t a, uint32_t b);
uint32_t shl(uint32_t a, uint8_t n);
int32_t shr_s(int32_t a, uint64_t n);
uint64_t shr_u(uint64_t a, int32_t n);
int32_t steps(int32_t a);
int32_t clamp(int32_t a, int32_t low, int32_t high);
uint8_t clamp_u(uint8_t a, uint8_t low, uint8_t high);
int8_t saturate(int8_t a, int8_t b);
int64_t wide(int64_t high, uint64_t low);
int32_t compare_s(int32_t a, int32_t b);
int32_t compare_u(uint32_t a, uint32_t b);
int64_t choose(bool c, int64_t a, int64_t b);
}

int main()
{
	for (int64_t a : edges)
		for (int64_t b : edges) {
			show("add8", add8((int8_t)a, (int8_t)b));
			show("sub16", sub16((uint16_t)a, (uint16_t)b));
			show("mul32", mul32((uint32_t)a, (uint32_t)b));
			if (b != 0 && !(a == INT64_MIN && b == -1)) {
				show("div_s", div_s(a, b));
				show("div_u", (int64_t)div_u((uint64_t)a, (uint64_t)b));
			}
			if ((int32_t)b != 0 && (int32_t)b != -1) {
				show("rem_s", rem_s((int32_t)a, (int32_t)b));
				show("rem_u", rem_u((uint32_t)a, (uint32_t)b));
			}
			show("bits", bits((uint32_t)a, (uint32_t)b));
			show("shl", shl((uint32_t)a, (uint8_t)(b & 31)));
			show("shr_s", shr_s((int32_t)a, (uint64_t)(b & 31)));
			show("shr_u", (int64_t)shr_u((uint64_t)a, (int32_t)(b & 63)));
			show("clamp", clamp((int32_t)a, (int32_t)b, 1000));
			show("clamp_u", clamp_u((uint8_t)a, (uint8_t)b, 200));
			show("saturate", saturate((int8_t)a, (int8_t)b));
			show("wide", wide(a, (uint64_t)b));
			show("compare_s", compare_s((int32_t)a, (int32_t)b));
			show("compare_u", compare_u((uint32_t)a, (uint32_t)b));
			show("choose", choose(a & 1, a, b));
		}
	for (int64_t a : edges)
		show("steps", steps((int32_t)a));
	return 0;
}

#ifdef TWIN
int8_t add8(int8_t a, int8_t b) { return (int8_t)(a + b); }
uint16_t sub16(uint16_t a, uint16_t b) { return (uint16_t)(a - b); }
uint32_t mul32(uint32_t a, uint32_t b) { return a * b; }
int64_t div_s(int64_t a, int64_t b) { return a / b; }
uint64_t div_u(uint64_t a, uint64_t b) { return a / b; }
int32_t rem_s(int32_t a, int32_t b) { return a % b; }
uint32_t rem_u(uint32_t a, uint32_t b) { return a % b; }
uint32_t bits(uint32_t a, uint32_t b) { return ~((a & b) ^ (a | b)); }
uint32_t shl(uint32_t a, uint8_t n) { return a << n; }
int32_t shr_s(int32_t a, uint64_t n) { return a >> n; }
uint64_t shr_u(uint64_t a, int32_t n) { return a >> n; }
int32_t steps(int32_t a) { return (int32_t)~(-((uint32_t)a + 1) - 1); }
int32_t clamp(int32_t a, int32_t low, int32_t high)
{
	a = a > low ? a : low;
	return a < high ? a : high;
}
uint8_t clamp_u(uint8_t a, uint8_t low, uint8_t high)
{
	a = a > low ? a : low;
	return a < high ? a : high;
}
static int8_t saturated(int value) { return (int8_t)(value > 127 ? 127 : value < -128 ? -128 : value); }
int8_t saturate(int8_t a, int8_t b) { return saturated(saturated(a + b) - a); }
int64_t wide(int64_t high, uint64_t low)
{
	__int128 value = (__int128)(((unsigned __int128)high << 64) | low);
	__int128 divisor = -(((__int128)1 << 64) + 13);
	return (int64_t)(value / divisor);
}
int32_t compare_s(int32_t a, int32_t b)
{
	return (a < b) * 32 + (a <= b) * 16 + (a > b) * 8 + (a >= b) * 4 + (a == b) * 2 + (a != b);
}
int32_t compare_u(uint32_t a, uint32_t b)
{
	return (a < b) * 32 + (a <= b) * 16 + (a > b) * 8 + (a >= b) * 4 + (a == b) * 2 + (a != b);
}
int64_t choose(bool c, int64_t a, int64_t b) { return c ? a : b; }
#endif
