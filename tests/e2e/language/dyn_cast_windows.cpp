#include "language.h"

struct Shape {
	int32_t s = 1;
	virtual ~Shape() {}
};

struct Named {
	int32_t n = 2;
	virtual ~Named() {}
};

struct Square : Shape, Named {
};

struct Round : Shape {
};

extern "C" {
Square *to_square(Shape *p);
Named *to_named(Shape *p);
Named *to_named_ref(Shape *p);
void *complete(Named *p);
int32_t caught_here(Shape *p);
int32_t complete_of_outer();
}

int main()
{
	Square square;
	Round round;
	Named named;
	show("to_square", (to_square(&square) == &square) * 100 + (to_square(&round) == nullptr) * 10 + (to_square(nullptr) == nullptr));
	show("to_named", (to_named(&square) == static_cast<Named *>(&square)) * 10 + (to_named(&round) == nullptr));
	show("to_named_ref", to_named_ref(&square)->n);
	bool thrown = false;
	try {
		to_named_ref(&round);
	} catch (...) {
		thrown = true;
	}
	show("thrown", thrown);
	show("caught", caught_here(&square) * 10 + caught_here(&round));
	show("complete", (complete(&square) == &square) * 100 + (complete(&named) == &named) * 10 + (complete(nullptr) == nullptr));
	show("complete_of_outer", complete_of_outer());
	return 0;
}

#ifdef TWIN
extern "C" {
Square *to_square(Shape *p) { return dynamic_cast<Square *>(p); }
Named *to_named(Shape *p) { return dynamic_cast<Named *>(p); }
Named *to_named_ref(Shape *p) { return &dynamic_cast<Named &>(*p); }
void *complete(Named *p) { return dynamic_cast<void *>(p); }
int32_t caught_here(Shape *p)
{
	try {
		to_named_ref(p);
		return 1;
	} catch (...) {
		return 2;
	}
}
int32_t complete_of_outer() { return 1; }
}
#endif
