#include <cstdio>
extern "C" void may_throw(int n)
{
	if (n > 1)
		throw n;
}
extern "C" void _ZN4BombD1Ev(int *y) { std::printf("cleanup %d\n", *y); }
int work(int, int);
int main()
{
	try {
		std::printf("%d\n", work(1, 2));
		work(5, 6);
	} catch (int n) {
		std::printf("caught %d\n", n);
	}
}
