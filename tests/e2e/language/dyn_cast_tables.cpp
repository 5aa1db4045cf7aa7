#include "language.h"

#include <typeinfo>

struct V;
struct A;
struct B;
struct P;
struct D;
struct S;
struct L;
struct R;
struct M;

extern "C" {
extern void *subobjects[12];
A *cast_V_A(V *p);
B *cast_V_B(V *p);
D *cast_V_D(V *p);
P *cast_V_P(V *p);
B *cast_A_B(A *p);
D *cast_A_D(A *p);
P *cast_A_P(A *p);
A *cast_B_A(B *p);
D *cast_B_D(B *p);
P *cast_B_P(B *p);
D *cast_P_D(P *p);
A *cast_P_A(P *p);
L *cast_S_L(S *p);
R *cast_S_R(S *p);
M *cast_S_M(S *p);
R *cast_L_R(L *p);
M *cast_L_M(L *p);
L *cast_R_L(R *p);
M *cast_R_M(R *p);
void *complete_V(V *p);
void *complete_S(S *p);
R *refer(S *p);
int32_t refer_here(S *p);
}

// The types of the subobjects.
static const char types[] = "DABPVMLRSSLS";

// Which one it is; -1: none.
static int64_t index_of(const void *p, char type)
{
	for (int i = 0; i < 12; i++)
		if (types[i] == type && subobjects[i] == p)
			return i;
	return p ? -2 : -1;
}

template <class S, class D> static void show_casts(D *(*cast)(S *), const char *name)
{
	for (int i = 0; i < 12; i++)
		if (types[i] == name[0])
			show(name, i * 100 + index_of(cast(static_cast<S *>(subobjects[i])), name[1]));
	show("null", cast(nullptr) == nullptr);
}

int main()
{
	show_casts(cast_V_A, "VA");
	show_casts(cast_V_B, "VB");
	show_casts(cast_V_D, "VD");
	show_casts(cast_V_P, "VP");
	show_casts(cast_A_B, "AB");
	show_casts(cast_A_D, "AD");
	show_casts(cast_A_P, "AP");
	show_casts(cast_B_A, "BA");
	show_casts(cast_B_D, "BD");
	show_casts(cast_B_P, "BP");
	show_casts(cast_P_D, "PD");
	show_casts(cast_P_A, "PA");
	show_casts(cast_S_L, "SL");
	show_casts(cast_S_R, "SR");
	show_casts(cast_S_M, "SM");
	show_casts(cast_L_R, "LR");
	show_casts(cast_L_M, "LM");
	show_casts(cast_R_L, "RL");
	show_casts(cast_R_M, "RM");
	show("complete_V", index_of(complete_V(static_cast<V *>(subobjects[4])), 'D'));
	show("complete_S", index_of(complete_S(static_cast<S *>(subobjects[9])), 'M'));
	show("complete_S", index_of(complete_S(static_cast<S *>(subobjects[11])), 'L'));
	show("refer", index_of(refer(static_cast<S *>(subobjects[8])), 'R'));
	try {
		refer(static_cast<S *>(subobjects[11]));
	} catch (const std::bad_cast &) {
		show("bad_cast", 1);
	}
	show("refer_here", refer_here(static_cast<S *>(subobjects[9])) * 10 + refer_here(static_cast<S *>(subobjects[11])));
	return 0;
}

#ifdef TWIN
struct V {
	int n;
	virtual void v() {}
};
struct A : virtual V {
	virtual void a() {}
};
struct B : virtual V {
	virtual void b() {}
};
struct P {
	int n;
	virtual void p() {}
};
struct D : A, B, private P {
	virtual void d() {}
};
struct S {
	virtual void s() {}
};
struct L : S {
	virtual void l() {}
};
struct R : S {
	virtual void r() {}
};
struct M : L, R {
	virtual void m() {}
};

// Wine's runtime does not ask whether a base is public. All these are null elsewhere.
#ifdef _WIN32
#define PRIVATE_CAST(type, p) ((void)(p), static_cast<type>(nullptr))
#else
#define PRIVATE_CAST(type, p) dynamic_cast<type>(p)
#endif

static D d;
static M m;
static L l;

extern "C" {
void *subobjects[12] = {&d, static_cast<A *>(&d), static_cast<B *>(&d), (P *)&d, static_cast<V *>(&d), &m, static_cast<L *>(&m),
                        static_cast<R *>(&m), static_cast<S *>(static_cast<L *>(&m)), static_cast<S *>(static_cast<R *>(&m)), &l,
                        static_cast<S *>(&l)};
A *cast_V_A(V *p) { return dynamic_cast<A *>(p); }
B *cast_V_B(V *p) { return dynamic_cast<B *>(p); }
D *cast_V_D(V *p) { return dynamic_cast<D *>(p); }
P *cast_V_P(V *p) { return PRIVATE_CAST(P *, p); }
B *cast_A_B(A *p) { return dynamic_cast<B *>(p); }
D *cast_A_D(A *p) { return dynamic_cast<D *>(p); }
P *cast_A_P(A *p) { return PRIVATE_CAST(P *, p); }
A *cast_B_A(B *p) { return dynamic_cast<A *>(p); }
D *cast_B_D(B *p) { return dynamic_cast<D *>(p); }
P *cast_B_P(B *p) { return PRIVATE_CAST(P *, p); }
D *cast_P_D(P *p) { return PRIVATE_CAST(D *, p); }
A *cast_P_A(P *p) { return PRIVATE_CAST(A *, p); }
L *cast_S_L(S *p) { return dynamic_cast<L *>(p); }
R *cast_S_R(S *p) { return dynamic_cast<R *>(p); }
M *cast_S_M(S *p) { return dynamic_cast<M *>(p); }
R *cast_L_R(L *p) { return dynamic_cast<R *>(p); }
M *cast_L_M(L *p) { return dynamic_cast<M *>(p); }
L *cast_R_L(R *p) { return dynamic_cast<L *>(p); }
M *cast_R_M(R *p) { return dynamic_cast<M *>(p); }
void *complete_V(V *p) { return dynamic_cast<void *>(p); }
void *complete_S(S *p) { return dynamic_cast<void *>(p); }
R *refer(S *p) { return &dynamic_cast<R &>(*p); }
int32_t refer_here(S *p)
{
	try {
		refer(p);
		return 1;
	} catch (const std::bad_cast &) {
		return 2;
	}
}
}
#endif
