#include "language.h"

extern "C" {
double third();
float sum(float a, float b);
double negative_root();
}

int main()
{
	const unsigned before = __builtin_ia32_stmxcsr();
	for (unsigned mode : {0, 1, 2, 3}) { // to nearest, down, up, to zero
		__builtin_ia32_ldmxcsr((before & ~0x6000U) | mode << 13);
		double divided = third(), added = sum(1.0F, 0x1p-30F), root = negative_root();
		__builtin_ia32_ldmxcsr(before);
		show("mode", mode);
		show_double("third", divided);
		show_double("sum", added);
		show_double("negative_root", root);
	}
	return 0;
}

#ifdef TWIN
static volatile double one = 1, two = 2, three = 3;
double third() { return one / three; }
float sum(float a, float b)
{
	volatile float x = a, y = b;
	return x + y;
}
double negative_root()
{
	double root = two;
	asm volatile("sqrtsd %0, %0" : "+x"(root));
	return -root;
}
#endif
