#include "language.h"

#include <new>

// Knows where it was made: a copy by bytes shows.
struct Self {
	Self *self;
	int32_t n;
	explicit Self(int32_t value) : self(this), n(value)
	{
		show("made", n);
	}
	Self(const Self &other) : self(this), n(other.n + 1000)
	{
		show("copied", n);
	}
	~Self()
	{
		show(self == this ? "destroyed" : "destroyed elsewhere", n);
	}
};

extern "C" {
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
Self make(int32_t n)
{
	if (n < 0)
		throw n;
	return Self(n);
}
void make_at(Self *at, int32_t n)
{
	new (at) Self(n);
}
void copy_at(Self *at, const Self *from)
{
	new (at) Self(*from);
}
void destroy(Self *s)
{
	s->~Self();
}
void know(Self *s)
{
	show(s->self == s ? "known" : "known elsewhere", s->n);
	if (s->n == 13)
		throw s->n;
}
void chosen(bool c, bool d, int32_t n);
void member(Self *pair, bool c, int32_t n);
void indexed(Self *pair, int32_t i, int32_t n);
Self returned_chosen(bool c, int32_t n);
Self named(int32_t n);
Self named_early(int32_t n);
Self from_try(int32_t n);
void in_handler(bool c, int32_t n);
Self copied(int32_t n);
}

#ifdef TWIN
void chosen(bool c, bool d, int32_t n)
{
	Self x = c ? (d ? make(n) : make(n + 1)) : make(n + 2);
	know(&x);
}
void member(Self *pair, bool c, int32_t n)
{
	Self first = make(n);
	know(&first);
	new (pair + 1) Self(c ? make(n + 1) : make(n - 2));
}
void indexed(Self *pair, int32_t i, int32_t n)
{
	try {
		new (pair + i) Self(make(n));
	} catch (...) {
		know(pair);
		throw;
	}
}
Self returned_chosen(bool c, int32_t n)
{
	Self other(7);
	return c ? make(n) : make(n + 1);
}
Self named(int32_t n)
{
	Self result(n);
	Self other(8);
	know(&result);
	know(&other);
	return result;
}
Self named_early(int32_t n)
{
	Self result(n);
	if (n == 1)
		return result;
	Self other(9);
	know(&result);
	if (n == 2)
		return result;
	know(&other);
	return result;
}
Self from_try(int32_t n)
{
	try {
		Self other(10);
		return make(n);
	} catch (...) {
		return make(11);
	}
}
void in_handler(bool c, int32_t n)
{
	try {
		Self x = make(-4);
	} catch (...) {
		Self x = c ? make(n) : make(n + 1);
		know(&x);
	}
}
Self copied(int32_t n)
{
	Self a(n), b(n + 1);
	know(&a);
	if (n == 1)
		return a;
	return b;
}
#endif

template <typename Function> static void attempt(const char *what, Function function)
{
	puts(what);
	try {
		function();
	} catch (int32_t n) {
		show("caught", n);
	}
}

int main()
{
	for (int32_t n : {1, 2, 12, 13, -1}) {
		show("n", n);
		for (bool c : {false, true}) {
			attempt("chosen", [&] { chosen(c, n == 1, n); });
			attempt("in_handler", [&] { in_handler(c, n); });
			attempt("member", [&] {
				alignas(Self) char room[2 * sizeof(Self)];
				auto *pair = reinterpret_cast<Self *>(room);
				member(pair, c, n);
				pair[1].~Self();
			});
			attempt("indexed", [&] {
				alignas(Self) char room[2 * sizeof(Self)];
				auto *pair = new (room) Self(20);
				indexed(pair, 1, n);
				pair[1].~Self();
			});
			attempt("returned_chosen", [&] {
				Self s = returned_chosen(c, n);
				know(&s);
			});
		}
		attempt("named", [&] {
			Self s = named(n);
			know(&s);
		});
		attempt("named_early", [&] {
			Self s = named_early(n);
			know(&s);
		});
		attempt("from_try", [&] {
			Self s = from_try(n);
			know(&s);
		});
		attempt("copied", [&] {
			Self s = copied(n);
			know(&s);
		});
	}
	return 0;
}
