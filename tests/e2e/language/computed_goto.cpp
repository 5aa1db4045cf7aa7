#include "language.h"

extern "C" {
int32_t run(const uint8_t *code);
int32_t choose(int32_t n);
int32_t walk(int32_t i);
}

int main()
{
	const uint8_t code[] = {1, 2, 2, 1, 2, 0};
	for (unsigned skip = 0; skip < sizeof code; skip++)
		show("run", run(code + skip));
	for (int32_t n : {-3, 9, 10, 11})
		show("choose", choose(n));
	show("walk", walk(0));
	show("walk", walk(1));
	return 0;
}

#ifdef TWIN
int32_t run(const uint8_t *code)
{
	static void *const table[] = {&&halt, &&inc, &&twice};
	int32_t acc = 0;
	goto next;
inc:
	acc++;
	goto next;
twice:
	acc += acc;
next:
	goto *table[*code++];
halt:
	return acc;
}

int32_t choose(int32_t n)
{
	void *to = n < 10 ? &&small : &&large;
	goto *to;
small:
	return n;
large:
	return 10;
}

int32_t walk(int32_t i)
{
	static const int64_t steps[] = {(char *)&&two - (char *)&&one, 0};
	goto *(void *)((char *)&&one + steps[i]);
one:
	return 1;
two:
	return 2;
}
#endif
