/* symbols.cir in C++. */
struct Object {
	Object();
	~Object();
	int x;
};
int plain = 1;
int zero;
extern const int constant = 5;
static int hidden_value = 6;
int *address = &hidden_value;
__attribute__((visibility("hidden"))) int hidden = 2;
__attribute__((weak)) int weak = 5;
extern int maybe __attribute__((weak_import));
int *address_of_maybe = &maybe;
__attribute__((section("__DATA,__named"))) int named = 7;
__attribute__((section("__TEXT,__code,regular,pure_instructions"))) void code()
{
}
__attribute__((aligned(64))) int aligned = 8;
extern "C" {
__thread int local = 1;
__thread int local_zero;
}
Object object;
extern void outside();
template <class T> T merged()
{
	outside();
	return 0;
}
int uses()
{
	return merged<int>() + local + local_zero;
}
