#include "language.h"

struct Point {
	int32_t x, y;
};

class Money
{
	int32_t n;

      public:
	static Money of(int32_t n);
	int32_t count() const
	{
		return n;
	}
};

Money Money::of(int32_t n)
{
	Money m;
	m.n = n;
	return m;
}

struct Made {
	int32_t x, y;
	Made(int32_t x, int32_t y);
};

Made::Made(int32_t x, int32_t y) : x(x), y(y) {}

struct Base {
	int32_t n;
};

struct Derived : Base {
};

Point point(int32_t n)
{
	return {n, n + 1};
}
Money money(int32_t n)
{
	return Money::of(n * 2);
}
Made made(int32_t n)
{
	return Made(n, n + 2);
}
Derived derived(int32_t n)
{
	Derived d;
	d.n = n + 3;
	return d;
}

Made own_made(int32_t x, int32_t y);
Money own_money(Money m);
Point own_point(int32_t x, int32_t y);

extern "C" {
int32_t call_point(int32_t n);
int32_t call_money(int32_t n);
int32_t call_made(int32_t n);
int32_t call_derived(int32_t n);
int32_t call_pointers(Money (*m)(int32_t), Point (*p)(int32_t), int32_t n);
}

int main()
{
	show("call_point", call_point(10));
	show("call_money", call_money(10));
	show("call_made", call_made(10));
	show("call_derived", call_derived(10));
	show("call_pointers", call_pointers(money, point, 10));
	Made m = own_made(1, 2);
	show("own_made", m.x * 10 + m.y);
	show("own_money", own_money(Money::of(5)).count());
	Point p = own_point(3, 4);
	show("own_point", p.x * 10 + p.y);
	return 0;
}

#ifdef TWIN
Made own_made(int32_t x, int32_t y)
{
	return Made(y, x);
}
Money own_money(Money m)
{
	return m;
}
Point own_point(int32_t x, int32_t y)
{
	return {y, x};
}

extern "C" {
int32_t call_point(int32_t n)
{
	return point(n).y;
}
int32_t call_money(int32_t n)
{
	return money(n).count();
}
int32_t call_made(int32_t n)
{
	return made(n).y;
}
int32_t call_derived(int32_t n)
{
	return derived(n).n;
}
int32_t call_pointers(Money (*m)(int32_t), Point (*p)(int32_t), int32_t n)
{
	return p(m(n).count()).y;
}
}
#endif
