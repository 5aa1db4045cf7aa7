#include "language.h"

extern "C" {
uint32_t add_by_asm(uint32_t a, uint32_t b), divide(uint32_t a, uint32_t b, uint32_t *rest);
void store_by_asm(int32_t *p, int32_t v), vendor(int32_t *p);
uint64_t widest(uint64_t a, uint64_t b);
void *find(const void *p, int32_t c, uint64_t n);
int32_t order(const void *p, const void *q, uint64_t n);
void copy8(const void *p, void *q, int32_t c), clear(uint64_t *p);
void *round_down(void *p, uint64_t mask);
int64_t likely(int64_t a, int64_t b);
uint64_t sum(uint64_t n), known(void *p);
bool frames();
}

int main()
{
	for (int64_t a : edges)
		for (int64_t b : edges) {
			show("add_by_asm", add_by_asm((uint32_t)a, (uint32_t)b));
			show("widest", (int64_t)widest((uint64_t)a, (uint64_t)b));
			show("likely", likely(a / 2, b / 2));
			uint32_t rest = 0;
			if ((uint32_t)b) {
				show("divide", divide((uint32_t)a, (uint32_t)b, &rest));
				show("rest", rest);
			}
		}
	int32_t place = 0, words[4] = {-1, -1, -1, -1};
	store_by_asm(&place, 77);
	show("store_by_asm", place);
	vendor(words);
	show("vendor", (words[1] | words[2] | words[3]) != 0 && words[0] != -1);
	char text[] = "a text", copy[16] = "0123456789";
	show("find", (char *)find(text, 't', 6) - text);
	show("find", find(text, 'z', 6) != nullptr);
	show("order", order(text, text + 1, 1) < 0 ? -1 : order(text, text + 1, 1) > 0);
	show("order", order(text, text, 6));
	copy8("abcdefgh", copy, '.');
	puts(copy);
	show("round_down", (char *)round_down(text + 3, ~(uint64_t)0 << 4) <= text + 3);
	uint64_t bits = ~(uint64_t)0;
	clear(&bits);
	show("clear", (int64_t)bits);
	show("sum", (int64_t)sum(12));
	show("frames", frames());
	show("known", (int64_t)known(text));
	return 0;
}

#ifdef TWIN
uint32_t add_by_asm(uint32_t a, uint32_t b) { return a + b; }
uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
	*rest = a % b;
	return a / b;
}
void store_by_asm(int32_t *p, int32_t v) { *p = v; }
void vendor(int32_t *p) { p[0] = p[1] = p[2] = p[3] = 1; }
uint64_t widest(uint64_t a, uint64_t b) { return a > b ? a : b; }
void *find(const void *p, int32_t c, uint64_t n) { return memchr((void *)p, c, n); }
int32_t order(const void *p, const void *q, uint64_t n) { return memcmp(p, q, n); }
void copy8(const void *p, void *q, int32_t c)
{
	memcpy(q, p, 8);
	memset(q, c, 3);
}
void *round_down(void *p, uint64_t mask) { return (void *)((uint64_t)p & mask); }
void clear(uint64_t *p) { *p &= ~(0xf0ull | ((1ull << 33) - (1ull << 12)) | 0xfull << 60); }
int64_t likely(int64_t a, int64_t b) { return a + b; }
uint64_t sum(uint64_t n) { return n; }
bool frames() { return true; }
uint64_t known(void *) { return 24; }
#endif
