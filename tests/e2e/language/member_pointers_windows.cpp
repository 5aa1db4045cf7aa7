#include "language.h"

struct A {
	int32_t a1 = 1, a2 = 2;
	virtual int32_t first(int32_t n);
};

struct B {
	int32_t b = 3;
	int32_t plain(int32_t n);
	virtual int32_t other(int32_t n);
	virtual int32_t redefined(int32_t n);
};

struct C : A, B {
	int32_t c = 4;
	int32_t redefined(int32_t n) override;
	int32_t own(int32_t n);
};

int32_t A::first(int32_t n) { return a1 + n; }
int32_t B::plain(int32_t n) { return b * 10 + n; }
int32_t B::other(int32_t n) { return b * 100 + n; }
int32_t B::redefined(int32_t n) { return b * 1000 + n; }
int32_t C::redefined(int32_t n) { return c * 10000 + n; }
int32_t C::own(int32_t n) { return c - n; }

struct P {
	int32_t p1 = 5, p2 = 6;
	int32_t get(int32_t n);
};

struct Q : P {
	virtual int32_t doubled(int32_t n);
	virtual double mixed(double a, int32_t b, double c, float d, int32_t e, double f);
	virtual ~Q();
};

int32_t P::get(int32_t n) { return p2 * 10 + n; }
int32_t Q::doubled(int32_t n) { return (p1 + n) * 2; }
double Q::mixed(double a, int32_t b, double c, float d, int32_t e, double f) { return ((((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f; }
Q::~Q() {}

typedef int32_t P::*DataP;
typedef int32_t Q::*DataQ;
typedef int32_t (P::*MethodP)(int32_t);
typedef int32_t (Q::*MethodQ)(int32_t);

typedef int32_t A::*DataA;
typedef int32_t B::*DataB;
typedef int32_t C::*DataC;
typedef int32_t (A::*MethodA)(int32_t);
typedef int32_t (B::*MethodB)(int32_t);
typedef int32_t (C::*MethodC)(int32_t);

struct Holder {
	int8_t before;
	DataP data;
	MethodB method;
	int8_t between;
	MethodC both;
};

extern "C" {
extern DataA second_of_a;
extern DataC own_of_c, null_data;
extern MethodB plain_of_b, virtual_of_b, null_method;
extern DataP second_of_p, null_of_p;
extern DataQ null_of_q;
extern MethodP get_of_p;
extern MethodQ virtual_of_q;
extern double (Q::*mixed_of_q)(double, int32_t, double, float, int32_t, double);
extern Holder holder;
DataQ p_to_q(DataP m);
DataP q_to_p(DataQ m);
MethodQ get_to_q(MethodP m);
MethodP get_to_p(MethodQ m);
int32_t read_p(P *object, DataP m);
bool has_p(DataP m);
int32_t call_q(Q *object, MethodQ m, int32_t n);
bool same_p(MethodP a, MethodP b);
MethodQ make_q(int32_t n) { return n ? &Q::doubled : static_cast<MethodQ>(&P::get); }
int32_t call_made(Q *object, int32_t n);
int32_t read_data(C *object, DataC m);
int32_t call_method(C *object, MethodC *p, int32_t n);
int32_t call_twice(B *object, MethodB *p, MethodB *q, bool c);
DataC data_to_derived(DataB m);
DataB data_to_base(DataC m);
DataA data_to_first(DataC m);
void method_to_derived(MethodB *p, MethodC *out);
void method_to_base(MethodC *p, MethodB *out);
DataA data_as_a(DataB m);
void method_as_a(MethodB *p, MethodA *out);
bool equal_data(DataC a, DataC b);
bool equal_methods(MethodC *p, MethodC *q);
bool has_data(DataC m);
bool has_method(MethodC *p);
}

int main()
{
	C object;
	B &base = object;
	show("second_of_a", object.*second_of_a);
	show("own_of_c", object.*own_of_c);
	show("null_data", null_data == nullptr);
	show("plain_of_b", (base.*plain_of_b)(5));
	show("virtual_of_b", (base.*virtual_of_b)(6));
	show("virtual_of_b", virtual_of_b == &B::redefined && null_method == nullptr);
	for (DataC m : {static_cast<DataC>(&A::a2), static_cast<DataC>(&B::b), &C::c}) {
		show("read_data", read_data(&object, m));
		show("has_data", has_data(m) * 10 + equal_data(m, &C::c));
	}
	show("has_data", has_data(nullptr) * 10 + equal_data(nullptr, null_data));
	for (MethodC m : {static_cast<MethodC>(&A::first), static_cast<MethodC>(&B::plain), static_cast<MethodC>(&B::other),
	                  static_cast<MethodC>(&B::redefined), &C::redefined, &C::own}) {
		show("call_method", call_method(&object, &m, 7));
		MethodC own = &C::own, adjusted = static_cast<MethodC>(&B::plain);
		show("has_method", has_method(&m) * 100 + equal_methods(&m, &own) * 10 + equal_methods(&m, &adjusted));
	}
	MethodB plain = &B::plain, other = &B::other, none = nullptr;
	show("call_twice", call_twice(&base, &plain, &other, true) + call_twice(&base, &plain, &other, false));
	show("data_to_derived", data_to_derived(&B::b) == &C::b && data_to_derived(nullptr) == nullptr);
	show("data_to_base", data_to_base(&C::b) == &B::b && data_to_base(nullptr) == nullptr);
	show("data_to_first", data_to_first(&C::a2) == &A::a2 && data_to_first(nullptr) == nullptr);
	MethodC derived, no_method = nullptr;
	method_to_derived(&other, &derived);
	show("method_to_derived", (object.*derived)(8));
	MethodB back;
	method_to_base(&derived, &back);
	show("method_to_base", back == other);
	show("data_as_a", (data_as_a(&B::b) == reinterpret_cast<DataA>(&B::b)) * 10 + (data_as_a(nullptr) == nullptr));
	MethodA as_a = nullptr;
	method_as_a(&other, &as_a);
	show("method_as_a", as_a == reinterpret_cast<MethodA>(other));
	method_to_derived(&none, &derived);
	show("null", has_method(&derived) * 10 + equal_methods(&derived, &no_method));
	Q q;
	show("second_of_p", q.*second_of_p);
	show("nulls", (null_of_p == nullptr) * 10 + (null_of_q == nullptr));
	show("p_to_q", (p_to_q(&P::p1) == &Q::p1) * 10 + (p_to_q(nullptr) == nullptr));
	show("q_to_p", (q_to_p(&Q::p2) == &P::p2) * 10 + (q_to_p(nullptr) == nullptr));
	show("has_p", has_p(&P::p1) * 10 + has_p(nullptr));
	show("read_p", read_p(&q, &P::p1) * 10 + read_p(&q, &P::p2));
	show("get_of_p", (q.*get_of_p)(1));
	show("get_to_q", (q.*get_to_q(&P::get))(2) * 10 + (get_to_q(nullptr) == nullptr));
	show("get_to_p", same_p(get_to_p(&Q::get), &P::get) * 10 + same_p(get_to_p(nullptr), &P::get));
	show("virtual_of_q", (q.*virtual_of_q)(3) * 10 + (virtual_of_q == &Q::doubled));
	show("call_q", call_q(&q, &Q::doubled, 4) * 1000 + call_q(&q, get_to_q(&P::get), 4));
	show("mixed_of_q", (int64_t)(q.*mixed_of_q)(1, 2, 3, 4, 5, 6));
	show("call_made", call_made(&q, 0) * 1000 + call_made(&q, 7));
	show("holder", (q.*holder.data + (base.*holder.method)(1)) * 10 + (holder.both == nullptr));
	show("between", holder.before * 10 + holder.between);
	return 0;
}

#ifdef TWIN
extern "C" {
DataA second_of_a = &A::a2;
DataC own_of_c = &C::c, null_data = nullptr;
MethodB plain_of_b = &B::plain, virtual_of_b = &B::redefined, null_method = nullptr;
int32_t read_data(C *object, DataC m) { return object->*m; }
int32_t call_method(C *object, MethodC *p, int32_t n) { return (object->**p)(n); }
int32_t call_twice(B *object, MethodB *p, MethodB *q, bool c) { return c ? (object->**p)(1) : (object->**q)(2); }
DataC data_to_derived(DataB m) { return m; }
DataB data_to_base(DataC m) { return static_cast<DataB>(m); }
DataA data_to_first(DataC m) { return static_cast<DataA>(m); }
void method_to_derived(MethodB *p, MethodC *out) { *out = *p; }
DataA data_as_a(DataB m) { return reinterpret_cast<DataA>(m); }
void method_as_a(MethodB *p, MethodA *out) { *out = reinterpret_cast<MethodA>(*p); }
void method_to_base(MethodC *p, MethodB *out) { *out = static_cast<MethodB>(*p); }
bool equal_data(DataC a, DataC b) { return a == b; }
bool equal_methods(MethodC *p, MethodC *q) { return *p == *q; }
bool has_data(DataC m) { return m != nullptr; }
bool has_method(MethodC *p) { return *p != nullptr; }
DataP second_of_p = &P::p2, null_of_p = nullptr;
DataQ null_of_q = nullptr;
MethodP get_of_p = &P::get;
MethodQ virtual_of_q = &Q::doubled;
double (Q::*mixed_of_q)(double, int32_t, double, float, int32_t, double) = &Q::mixed;
Holder holder = {1, &P::p2, &B::plain, 2, nullptr};
DataQ p_to_q(DataP m) { return m; }
DataP q_to_p(DataQ m) { return static_cast<DataP>(m); }
MethodQ get_to_q(MethodP m) { return m; }
MethodP get_to_p(MethodQ m) { return static_cast<MethodP>(m); }
int32_t read_p(P *object, DataP m) { return object->*m; }
bool has_p(DataP m) { return m != nullptr; }
int32_t call_q(Q *object, MethodQ m, int32_t n) { return (object->*m)(n); }
bool same_p(MethodP a, MethodP b) { return a == b; }
int32_t call_made(Q *object, int32_t n) { return call_q(object, make_q(n), n); }
}
#endif
