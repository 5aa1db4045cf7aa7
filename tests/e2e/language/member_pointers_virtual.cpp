#include "language.h"

// The model is settled before the class is complete: the unspecified one.
struct U;
typedef int32_t U::*DataU;
typedef int32_t (U::*MethodU)(int32_t);
static_assert(sizeof(DataU) == 12 && sizeof(MethodU) == 24, "not Microsoft's unspecified model");

struct V {
	int32_t v = 1;
	int32_t get(int32_t n) { return v * 100 + n; }
	virtual int32_t f(int32_t n) { return v * 1000 + n; }
};

struct A : virtual V {
	int32_t a = 2;
	int32_t plain(int32_t n) { return a * 100 + n; }
	int32_t f(int32_t n) override { return a * 1000 + n; }
	virtual int32_t g(int32_t n) { return a * 2000 + n; }
};

struct B {
	int32_t b = 3;
	int32_t plain(int32_t n) { return b * 100 + n; }
	virtual int32_t h(int32_t n) { return b * 1000 + n; }
};

struct D : B, A {
	int32_t d = 4;
	int32_t own(int32_t n);
	int32_t f(int32_t n) override { return d * 1000 + n; }
	int32_t g(int32_t n) override { return d * 2000 + n; }
};

int32_t D::own(int32_t n) { return d * 100 + n; }

struct W {
	int32_t w = 5;
	virtual int32_t k(int32_t n) { return w * 1000 + n; }
};

struct X : virtual W {
	int32_t x = 6;
	int32_t k(int32_t n) override { return x * 1000 + n; }
};

struct E : X, A {
	int32_t e = 7;
	int32_t own(int32_t n) { return e * 100 + n; }
};

struct P {
	int32_t p = 8;
};

struct Q : virtual P {
	int32_t q = 9;
};

struct U : B, virtual V {
	int32_t u = 10;
	int32_t own(int32_t n) { return u * 100 + n; }
	int32_t f(int32_t n) override { return u * 1000 + n; }
};

typedef int32_t A::*DataA;
typedef int32_t D::*DataD;
typedef int32_t E::*DataE;
typedef int32_t Q::*DataQ;
typedef int32_t (A::*MethodA)(int32_t);
typedef int32_t (B::*MethodB)(int32_t);
typedef int32_t (D::*MethodD)(int32_t);
typedef int32_t (E::*MethodE)(int32_t);

struct Holder {
	int8_t before;
	DataD data;
	MethodD method;
	int8_t between;
	DataU data_u;
	MethodU method_u;
};

extern "C" {
extern DataD own_data_of_d, null_data;
extern DataE own_data_of_e;
extern DataQ data_of_q;
extern DataU null_data_of_u;
extern MethodD own_of_d, null_method;
extern MethodA virtual_of_a;
extern MethodU null_method_of_u;
extern Holder holder;
int32_t read_d(D *object, DataD m);
int32_t read_q(Q *object, DataQ m);
int32_t read_u(U *object, DataU m);
int32_t call_a(A *object, MethodA m, int32_t n);
int32_t call_d(D *object, MethodD m, int32_t n);
int32_t call_e(E *object, MethodE m, int32_t n);
int32_t call_u(U *object, MethodU m, int32_t n);
DataD data_a_to_d(DataA m);
DataA data_d_to_a(DataD m);
DataE data_a_to_e(DataA m);
MethodD method_a_to_d(MethodA m);
MethodD method_b_to_d(MethodB m);
MethodA method_d_to_a(MethodD m);
MethodB method_d_to_b(MethodD m);
MethodE method_a_to_e(MethodA m);
MethodA method_e_to_a(MethodE m);
bool equal_data(DataD a, DataD b);
bool differ_data_u(DataU a, DataU b);
bool equal_methods(MethodD a, MethodD b);
bool differ_methods_u(MethodU a, MethodU b);
bool has_data(DataD m);
bool has_data_u(DataU m);
bool has_method(MethodD m);
void may_throw(int32_t n)
{
	if (n > 50)
		throw n;
}
}

int main()
{
	A a;
	D d;
	E e;
	Q q;
	U u;
	show("own_data_of_d", (d.*own_data_of_d) * 10 + (own_data_of_d == &D::d));
	show("own_data_of_e", (e.*own_data_of_e) * 10 + (own_data_of_e == &E::e));
	show("data_of_q", (q.*data_of_q) * 10 + (data_of_q == &Q::q));
	show("nulls", (null_data == nullptr) * 10 + (null_data_of_u == nullptr));
	show("null methods", (null_method == nullptr) * 10 + (null_method_of_u == nullptr));
	show("own_of_d", (d.*own_of_d)(5) * 10 + (own_of_d == &D::own));
	show("virtual_of_a", (d.*virtual_of_a)(6) + (a.*virtual_of_a)(7));
	show("holder", (d.*holder.data) * 1000 + (d.*holder.method)(1));
	show("between", holder.before * 1000 + holder.between * 100 + (holder.data_u == nullptr) * 10 + (holder.method_u == nullptr));
	for (DataD m : {static_cast<DataD>(&B::b), static_cast<DataD>(&A::a), &D::d})
		show("read_d", read_d(&d, m) * 100 + has_data(m) * 10 + equal_data(m, &D::d));
	show("no data", has_data(nullptr) * 10 + equal_data(nullptr, null_data));
	show("read_q", read_q(&q, &Q::q));
	for (DataU m : {static_cast<DataU>(&B::b), &U::u})
		show("read_u", read_u(&u, m) * 100 + has_data_u(m) * 10 + differ_data_u(m, &U::u));
	show("no data of u", has_data_u(nullptr) * 10 + differ_data_u(nullptr, null_data_of_u));
	for (MethodA m : {&A::plain, &A::f, &A::g, static_cast<MethodA>(virtual_of_a)}) {
		show("call_a", call_a(&a, m, 7));
		show("call_a of d", call_a(&d, m, 8));
		show("method_a_to_d", call_d(&d, method_a_to_d(m), 9));
		show("the same", (d.*method_a_to_d(m))(9));
		show("method_a_to_e", call_e(&e, method_a_to_e(m), 10));
		show("the same", (e.*method_a_to_e(m))(10));
		show("and back", equal_methods(method_a_to_d(m), static_cast<MethodD>(m)) * 100 + (method_d_to_a(method_a_to_d(m)) == m) * 10 +
		                     (method_e_to_a(method_a_to_e(m)) == m));
	}
	for (MethodD m : {static_cast<MethodD>(&B::plain), static_cast<MethodD>(&B::h), &D::own, &D::f, &D::g}) {
		show("call_d", call_d(&d, m, 11));
		show("has_method", has_method(m) * 10 + equal_methods(m, &D::own));
	}
	for (MethodB m : {&B::plain, &B::h}) {
		show("method_b_to_d", call_d(&d, method_b_to_d(m), 12) + (d.*method_b_to_d(m))(13));
		show("and back", method_d_to_b(method_b_to_d(m)) == m);
	}
	show("method_d_to_a", (d.*method_d_to_a(&D::own))(14) + (d.*method_d_to_a(&D::g))(15));
	for (MethodE m : {&E::own, static_cast<MethodE>(&X::k), static_cast<MethodE>(&A::g), static_cast<MethodE>(&A::f)})
		show("call_e", call_e(&e, m, 16));
	for (MethodU m : {&U::own, &U::f, static_cast<MethodU>(&B::plain), static_cast<MethodU>(&B::h)}) {
		show("call_u", call_u(&u, m, 17) * 10 + differ_methods_u(m, &U::own));
		show("call_u, thrown", call_u(&u, m, 60));
	}
	show("no methods", has_method(nullptr) * 100 + equal_methods(nullptr, null_method) * 10 + differ_methods_u(nullptr, null_method_of_u));
	show("data_a_to_d", (data_a_to_d(&A::a) == &D::a) * 10 + (data_a_to_d(nullptr) == nullptr));
	show("data_d_to_a", (data_d_to_a(&D::a) == &A::a) * 10 + (data_d_to_a(nullptr) == nullptr));
	show("data_a_to_e", (data_a_to_e(&A::a) == &E::a) * 10 + (data_a_to_e(nullptr) == nullptr) + (e.*data_a_to_e(&A::a)) * 100);
	show("null to d", (method_a_to_d(nullptr) == nullptr) * 10 + (method_b_to_d(nullptr) == nullptr));
	show("null to bases", (method_d_to_a(nullptr) == nullptr) * 10 + (method_d_to_b(nullptr) == nullptr));
	show("null and e", (method_a_to_e(nullptr) == nullptr) * 10 + (method_e_to_a(nullptr) == nullptr));
	return 0;
}

#ifdef TWIN
extern "C" {
DataD own_data_of_d = &D::d, null_data = nullptr;
DataE own_data_of_e = &E::e;
DataQ data_of_q = &Q::q;
DataU null_data_of_u = nullptr;
MethodD own_of_d = &D::own, null_method = nullptr;
MethodA virtual_of_a = &A::g;
MethodU null_method_of_u = nullptr;
Holder holder = {1, &D::d, &D::own, 2, nullptr, nullptr};
int32_t read_d(D *object, DataD m) { return object->*m; }
int32_t read_q(Q *object, DataQ m) { return object->*m; }
int32_t read_u(U *object, DataU m) { return object->*m; }
int32_t call_a(A *object, MethodA m, int32_t n) { return (object->*m)(n); }
int32_t call_d(D *object, MethodD m, int32_t n) { return (object->*m)(n); }
int32_t call_e(E *object, MethodE m, int32_t n) { return (object->*m)(n); }
int32_t call_u(U *object, MethodU m, int32_t n)
{
	try {
		may_throw(n);
		return (object->*m)(n);
	} catch (...) {
		return (object->*m)(n) * 2;
	}
}
DataD data_a_to_d(DataA m) { return m; }
DataA data_d_to_a(DataD m) { return static_cast<DataA>(m); }
DataE data_a_to_e(DataA m) { return m; }
MethodD method_a_to_d(MethodA m) { return m; }
MethodD method_b_to_d(MethodB m) { return m; }
MethodA method_d_to_a(MethodD m) { return static_cast<MethodA>(m); }
MethodB method_d_to_b(MethodD m) { return static_cast<MethodB>(m); }
MethodE method_a_to_e(MethodA m) { return m; }
MethodA method_e_to_a(MethodE m) { return static_cast<MethodA>(m); }
bool equal_data(DataD a, DataD b) { return a == b; }
bool differ_data_u(DataU a, DataU b) { return a != b; }
bool equal_methods(MethodD a, MethodD b) { return a == b; }
bool differ_methods_u(MethodU a, MethodU b) { return a != b; }
bool has_data(DataD m) { return m != nullptr; }
bool has_data_u(DataU m) { return m != nullptr; }
bool has_method(MethodD m) { return m != nullptr; }
}
#endif
