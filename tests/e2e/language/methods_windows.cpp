#include "language.h"

struct Size {
	int32_t w, h;
};

struct Wide {
	int64_t a, b, c;
};

// It knows where it is, and is never copied.
struct Token {
	Token *self;
	int32_t n;
	Token(int32_t n) : self(this), n(n) {}
	Token(const Token &other) : self(nullptr), n(other.n) {}
	~Token();
};

Token::~Token() {}

struct Shape {
	int32_t n = 7;
	virtual Size area(int32_t k);
	virtual Wide wide();
	Size plain(int32_t k);
	static Size made(Shape *shape, int32_t k);
	Token token(int32_t k);
	Size turned(int32_t k);
};

Size Shape::area(int32_t k)
{
	return {n * k, n + k};
}
Wide Shape::wide()
{
	return {n, n + 1, n + 2};
}

Size Shape::plain(int32_t k)
{
	if (k < 0)
		throw k;
	return {n, k};
}

Size Shape::made(Shape *shape, int32_t k)
{
	return {k, shape->n};
}
Token Shape::token(int32_t k)
{
	return Token(n + k);
}
Size free(Shape *shape, int32_t k)
{
	return {k, shape->n + 1};
}

struct Round : Shape {
	Size area(int32_t k) override;
};

Size Round::area(int32_t k)
{
	return {k, k * k};
}

typedef Size (Shape::*Method)(int32_t);

extern "C" {
extern Method plain_of_shape, virtual_of_shape, own_of_shape;
Size call_plain(Shape *s, int32_t n);
Size call_made(Shape *s, int32_t n);
Size call_free(Shape *s, int32_t n);
int32_t call_token(Shape *s, int32_t n);
Size call_virtual(Shape *s, int32_t n);
void call_in_handler(Shape *s, Wide *out);
Size call_pointer(Shape *s, Method m, int32_t n);
Size call_told(Shape *s, Method f, int32_t n);
Size call_untold(Shape *s, Size (*f)(Shape *, int32_t), int32_t n);
}

static void show(const char *what, Size s)
{
	show(what, s.w * 1000 + s.h);
}

int main()
{
	Shape shape;
	Round round;
	Wide wide = {};
	show("call_plain", call_plain(&shape, 3));
	show("call_made", call_made(&shape, 3));
	show("call_free", call_free(&shape, 3));
	show("call_token", call_token(&shape, 3));
	show("call_virtual", call_virtual(&shape, 3));
	show("call_virtual of round", call_virtual(&round, 3));
	call_in_handler(&shape, &wide);
	show("call_in_handler", wide.a * 10000 + wide.b * 100 + wide.c);
	show("call_pointer to plain", call_pointer(&shape, &Shape::plain, 4));
	show("call_pointer to virtual", call_pointer(&round, &Shape::area, 4));
	show("call_pointer to own", call_pointer(&round, own_of_shape, 4));
	show("plain_of_shape", (shape.*plain_of_shape)(5));
	show("virtual_of_shape", (round.*virtual_of_shape)(5));
	show("own_of_shape", (round.*own_of_shape)(5));
	show("turned", round.turned(6));
	show("call_told", call_told(&shape, &Shape::plain, 8));
	show("call_untold", call_untold(&shape, free, 8));
	return 0;
}

#ifdef TWIN
Size Shape::turned(int32_t k)
{
	Size s = area(k);
	return {s.h, s.w};
}

extern "C" {
struct Own : Shape {
	Size own(int32_t n)
	{
		return plain(n);
	}
};
Method plain_of_shape = &Shape::plain, virtual_of_shape = &Shape::area,
       own_of_shape = static_cast<Method>(&Own::own);
Size call_plain(Shape *s, int32_t n)
{
	return s->plain(n);
}
Size call_made(Shape *s, int32_t n)
{
	return Shape::made(s, n);
}
Size call_free(Shape *s, int32_t n)
{
	return free(s, n);
}
int32_t call_token(Shape *s, int32_t n)
{
	Token t = s->token(n);
	return t.self == &t ? t.n : -1;
}
Size call_virtual(Shape *s, int32_t n)
{
	return s->area(n);
}
void call_in_handler(Shape *s, Wide *out)
{
	try {
		s->plain(-1);
	} catch (...) {
		*out = s->wide();
	}
}
Size call_pointer(Shape *s, Method m, int32_t n)
{
	return (s->*m)(n);
}
Size call_told(Shape *s, Method f, int32_t n)
{
	return (s->*f)(n);
}
Size call_untold(Shape *s, Size (*f)(Shape *, int32_t), int32_t n)
{
	return f(s, n);
}
}
#endif
