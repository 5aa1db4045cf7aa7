#include "language.h"

extern "C" {
int32_t matrix_sum(int32_t (*m)[3]);
void reverse(int32_t *p, int64_t n);
void shift_down(uint8_t *p, uint64_t n);
void fill(void *p, uint8_t v, uint64_t n);
int32_t accesses(int32_t *p);
uint64_t unaligned(uint8_t *p);
uint64_t local_alignment();
}

int main()
{
	int32_t matrix[2][3] = {{1, 20, 3}, {4, 5, 600}};
	show("matrix_sum", matrix_sum(matrix));
	int32_t numbers[] = {1, 2, 3, 4, 5};
	reverse(numbers, 5);
	for (int32_t value : numbers)
		show("reverse", value);
	uint8_t bytes[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	shift_down(bytes, 11);
	show("unaligned", (int64_t)unaligned(bytes));
	fill(bytes + 3, 0xab, 4);
	for (uint8_t byte : bytes)
		show("byte", byte);
	int32_t value = 5;
	show("accesses", accesses(&value) * 10 + value);
	show("local_alignment", (int64_t)local_alignment());
	return 0;
}

#ifdef TWIN
int32_t matrix_sum(int32_t (*m)[3]) { return m[1][2] - m[0][1]; }
void reverse(int32_t *p, int64_t n)
{
	for (int64_t i = 0; i < n / 2; i++) {
		int32_t t = p[i];
		p[i] = p[n - 1 - i];
		p[n - 1 - i] = t;
	}
}
void shift_down(uint8_t *p, uint64_t n) { memmove(p, p + 1, n); }
void fill(void *p, uint8_t v, uint64_t n) { memset(p, v, n); }
int32_t accesses(int32_t *p) { return *p += 2; }
uint64_t unaligned(uint8_t *p)
{
	uint64_t r;
	memcpy(&r, p + 1, 8);
	return r;
}
uint64_t local_alignment() { return 0; }
#endif
