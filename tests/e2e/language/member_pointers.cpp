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

typedef int32_t A::*DataA;
typedef int32_t B::*DataB;
typedef int32_t C::*DataC;
typedef int32_t (A::*MethodA)(int32_t);
typedef int32_t (B::*MethodB)(int32_t);
typedef int32_t (C::*MethodC)(int32_t);

extern DataA second_of_a;
extern DataC own_of_c, null_data;
extern MethodB plain_of_b, virtual_of_b, null_method;

extern "C" {
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
	return 0;
}

#ifdef TWIN
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
#endif
