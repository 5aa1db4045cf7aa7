#include "language.h"

extern "C" {
int32_t run(const uint8_t *code);
int32_t choose(int32_t n);
int32_t walk(int32_t i);
void scoped(const uint8_t *code);
void handles(bool c);

/* The third one throws. */
void advance(int32_t n)
{
	show("step", n);
	if (n == 3)
		throw n;
}

void left(int32_t n)
{
	show("left", n);
}

void fail()
{
	throw 'c';
}
}

int main()
{
	const uint8_t bytes[] = {1, 1, 1, 0};
	const uint8_t code[] = {1, 2, 2, 1, 2, 0};
	for (unsigned skip = 0; skip < sizeof code; skip++)
		show("run", run(code + skip));
	for (int32_t n : {-3, 9, 10, 11})
		show("choose", choose(n));
	show("walk", walk(0));
	show("walk", walk(1));
	for (unsigned skip = 0; skip < sizeof bytes; skip++) {
		try {
			scoped(bytes + skip);
		} catch (int32_t n) {
			show("caught", n);
		}
	}
	handles(true);
	handles(false);
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

void scoped(const uint8_t *code)
{
	static void *const ops[] = {&&halt, &&step};
	struct Machine {
		int32_t at = 0;
		~Machine() { left(at); }
	} m;
next:
	goto *ops[code[m.at++]];
step:
	advance(m.at);
	goto next;
halt:;
}

void handles(bool c)
{
	try {
		fail();
	} catch (...) {
		goto *(c ? &&a : &&b);
	a:
		advance(1);
	b:
		advance(2);
	}
}
#endif
