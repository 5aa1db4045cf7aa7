#include "language.h"

#include <typeinfo>

struct Shape {
	virtual int32_t area() const;
};

struct Square : Shape {
	int32_t side;
	int32_t area() const override;
};

struct Named {
	virtual int32_t name() const;
};

struct Both : Square, Named {
	int32_t name() const override;
};

extern "C" {
void make_both(Both *both, int32_t side);
int32_t area_of(const Shape *shape);
const std::type_info *type_of(const Shape *shape);
const Named *to_named(const Shape *shape);
const Named *to_named_ref(const Shape *shape);
const Square *to_square(const Shape *shape);
const void *to_complete(const Named *named);
const Named *base_of(const Both *both);
const Both *derived_of(const Named *named);
void throw_both(int32_t side);
int32_t catch_both(int32_t side);

void throw_both_from_cxx(int32_t side)
{
	if (side < 0)
		throw Named();
	Both both;
	both.side = side;
	throw both;
}
}

template <class T> static void catch_as(const char *what, int32_t (*read)(const T &))
{
	try {
		throw_both(11);
	} catch (const T &caught) {
		show(what, read(caught));
	}
}

int main()
{
	Both both;
	make_both(&both, 6);
	Square square;
	square.side = 5;
	Shape shape;
	show("area", both.area());
	show("name", static_cast<const Named &>(both).name());
	show("area_of", area_of(&both) * 100 + area_of(&square) + area_of(&shape));
	show("type_of", *type_of(&both) == typeid(Both) && *type_of(&shape) == typeid(Shape));
	puts(type_of(&square)->name());
	show("to_named", to_named(&both) == &both);
	show("to_named", to_named(&square) == nullptr && to_named(nullptr) == nullptr);
	show("to_named_ref", to_named_ref(&both)->name());
	try {
		to_named_ref(&square);
	} catch (const std::bad_cast &) {
		puts("bad_cast");
	}
	show("to_square", to_square(&both) == &both && to_square(&shape) == nullptr);
	show("to_complete", to_complete(&both) == &both && to_complete(nullptr) == nullptr);
	show("base_of", base_of(&both) == &both && base_of(nullptr) == nullptr);
	show("derived_of", derived_of(&both) == &both && derived_of(nullptr) == nullptr);
	catch_as<Both>("Both", [](const Both &b) { return b.name(); });
	catch_as<Named>("Named", [](const Named &n) { return n.name(); });
	catch_as<Square>("Square", [](const Square &s) { return s.side; });
	catch_as<Shape>("Shape", [](const Shape &s) { return s.area(); });
	show("catch_both", catch_both(9));
	show("catch_both", catch_both(-1));
	return 0;
}

#ifdef TWIN
int32_t Shape::area() const { return -1; }
int32_t Square::area() const { return side * side; }
int32_t Named::name() const { return 7; }
int32_t Both::name() const { return side + 100; }
void make_both(Both *both, int32_t side) { both->side = side; }
int32_t area_of(const Shape *shape) { return shape->area(); }
const std::type_info *type_of(const Shape *shape) { return &typeid(*shape); }
const Named *to_named(const Shape *shape) { return dynamic_cast<const Named *>(shape); }
const Named *to_named_ref(const Shape *shape) { return &dynamic_cast<const Named &>(*shape); }
const Square *to_square(const Shape *shape) { return dynamic_cast<const Square *>(shape); }
const void *to_complete(const Named *named) { return dynamic_cast<const void *>(named); }
const Named *base_of(const Both *both) { return both; }
const Both *derived_of(const Named *named) { return static_cast<const Both *>(named); }
void throw_both(int32_t side)
{
	Both both;
	both.side = side;
	throw both;
}
int32_t catch_both(int32_t side)
{
	try {
		throw_both_from_cxx(side);
	} catch (const Square &s) {
		return s.side;
	} catch (const Named &n) {
		return n.name();
	}
	return 0;
}
#endif
