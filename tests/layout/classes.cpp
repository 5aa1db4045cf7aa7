// Classes, and that the records of classes.cir have their layout. numbers.h is made of the latter by tests/tools/layouts.c.
#include "numbers.h"

#define SIZE(type) static_assert(sizeof(type) == cir::type::size, "size of " #type)
#define SAME(type)                                                                                           \
	SIZE(type);                                                                                          \
	static_assert(alignof(type) == cir::type::align, "alignment of " #type)
#define AT(type, member, index)                                                                              \
	static_assert(__builtin_offsetof(type, member) == cir::type::at[index], #member " of " #type)

struct Empty {};
SAME(Empty);

struct HoldsEmpty {
	Empty e;
	int i;
};
SAME(HoldsEmpty);
AT(HoldsEmpty, i, 1);

struct Plain {
	char c;
	int i;
	short s;
};
SAME(Plain);
AT(Plain, i, 1);
AT(Plain, s, 2);

struct __attribute__((packed)) Packed {
	char c;
	int i;
	short s;
};
SAME(Packed);
AT(Packed, i, 1);
AT(Packed, s, 2);

struct Over {
	int i;
	alignas(16) __int128 x;
	char c;
};
SAME(Over);
AT(Over, x, 2);
AT(Over, c, 3);

struct Tail {
	virtual void f();
	int t;
};
SAME(Tail);
AT(Tail, t, 1);
static_assert(cir::Tail::data_size == 12 && cir::Tail_base::size == 12, "what a derived class leaves alone");

struct UsesTail : Tail {
	int u;
};
SIZE(UsesTail); // a packed base hides the alignment of what is in it: operations and #cir.record_layout say it
AT(UsesTail, u, 1);

struct Second {
	virtual void g();
	char s;
};
SAME(Second);

struct Two : UsesTail, Second {
	char own;
};
SIZE(Two);
static_assert(__builtin_offsetof(Two, s) == cir::Two::at[1] + cir::Second::at[1], "s of Two");
AT(Two, own, 2);

struct Root {
	int r;
};
struct Left : virtual Root {
	int l;
};
struct Right : virtual Root {
	int q;
};
struct Diamond : Left, Right {
	int d;
};
SAME(Left);
SAME(Right);
SIZE(Diamond);
AT(Left, l, 1);
static_assert(__builtin_offsetof(Diamond, q) == cir::Diamond::at[2] + cir::Right::at[1], "q of Diamond");
AT(Diamond, d, 3);

struct Bits {
	int a : 3, b : 7;
	char c;
	int : 0;
	unsigned w : 20;
};
SAME(Bits);
AT(Bits, c, 1);

union Union {
	char c;
	short s[5];
	double d;
};
SAME(Union);

union Memberless {};
SAME(Memberless);

union alignas(16) Wide {};
SIZE(Wide);

struct HoldsMemberless {
	Memberless a, b;
	char c;
	Wide w;
	int i;
};
SIZE(HoldsMemberless);
AT(HoldsMemberless, c, 2);
AT(HoldsMemberless, w, 4);
AT(HoldsMemberless, i, 5);

struct Flexible {
	int n;
	short rest[];
};
SAME(Flexible);
AT(Flexible, rest, 1);

struct Members {
	bool b;
	int Plain::*d;
	void (Plain::*f)();
	long double l;
	_Complex float c;
};
SAME(Members);
AT(Members, d, 1);
AT(Members, f, 2);
AT(Members, l, 3);
AT(Members, c, 4);
