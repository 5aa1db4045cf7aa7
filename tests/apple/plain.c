/* plain.cir in C: a common symbol, and another name for one of assembly. */
int common;
int named __asm__("as_it_stands") = 3;
static int twice(int x)
{
	return x + x;
}
int other(int x) __asm__("other_name");
int other(int x)
{
	return twice(x) + common;
}
