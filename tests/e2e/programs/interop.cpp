#include "e2e.h"

#include <exception>

extern "C" {
using Body = void();
void raise(); // a circ exception, object 5
void through(Body *body);
void asked(Body *body);
void handled(Body *body, Body *handler);
void thrown_on(Body *body);

void released(const int *object) noexcept
{
	event("released %d", *object);
}
}

static void nothing() {}

static void raise_through()
{
	through(raise);
}

static void throw_base()
{
	throw Base(6);
}

static void base_through()
{
	through(throw_base);
}

static void again_through()
{
	through([] { thrown_on(base_through); });
}

#ifdef _MSC_VER // whose <exception> is not here (tests/windows/include)
static void with_exception_ptr() {}
static const char *current()
{
	return "none current";
}
#else
struct Outer {
	virtual ~Outer() {}
};

static std::exception_ptr *kept; // no static object: code in process has no constructors

static const char *current()
{
	return std::current_exception() ? "one current" : "none current";
}

static void say_nested(const Outer &outer)
{
	event("outer");
	const auto *nested = dynamic_cast<const std::nested_exception *>(&outer);
	if (!nested || !nested->nested_ptr())
		event("nested in nothing");
	else
		try {
			nested->rethrow_nested();
		} catch (const Base &b) {
			event("base %d", b.tag);
		}
}

/* A circ handler holds C++'s exception, C++ keeps it, and throws it when the handler has ended. */
static void keep_and_throw()
{
	handled(base_through, [] { kept = new std::exception_ptr(std::current_exception()); });
	event(*kept ? "kept" : "lost");
	try {
		asked([] { through([] { thrown_on([] { std::rethrow_exception(*kept); }); }); });
	} catch (const Base &b) {
		event("base %d", b.tag);
	}
	event("held");
	delete kept;
}

static void nest_in_circ()
{
	try {
		through([] { handled(base_through, [] { std::throw_with_nested(Outer()); }); });
	} catch (const Outer &outer) {
		say_nested(outer);
	}
}

/* A circ exception is nothing that std::exception_ptr holds. */
static void nest_circ()
{
	try {
		through([] {
			try {
				raise_through();
			} catch (...) {
				event("catch (...)");
				std::throw_with_nested(Outer());
			}
		});
	} catch (const Outer &outer) {
		say_nested(outer);
	}
}

/* C++ throws on what a circ handler holds. */
static void throw_on_in_handler()
{
	try {
		through([] {
			handled(base_through, [] {
				try {
					throw;
				} catch (const Base &b) {
					event("catch (Base &) %d", b.tag);
					throw;
				}
			});
		});
	} catch (const Base &b) {
		event("base %d", b.tag);
	}
}

static void with_exception_ptr()
{
	if (number == 6)
		keep_and_throw();
	else if (number == 7)
		nest_in_circ();
	else if (number == 8)
		nest_circ();
	else if (number == 9)
		throw_on_in_handler();
}
#endif

static void catch_circ()
{
	try {
		asked(raise_through);
	} catch (...) {
		event("catch (...), %s", current());
	}
}

static void catch_and_throw_on()
{
	try {
		asked(raise_through);
	} catch (...) {
		event("catch (...)");
		try {
			throw;
		} catch (...) {
			event("again");
		}
	}
}

static void catch_own(Body *body)
{
	try {
		body();
	} catch (const Base &b) {
		event("base %d", b.tag);
	}
}

/* From C++ back to circ, whose own it is. */
static void back_to_circ()
{
	handled(
	    [] {
		    try {
			    raise_through();
		    } catch (...) {
			    event("catch (...)");
			    throw;
		    }
	    },
	    nothing);
}

void test()
{
	if (number == 1)
		catch_circ();
	else if (number == 2)
		catch_and_throw_on();
	else if (number == 3)
		catch_own([] { asked(base_through); });
	else if (number == 4)
		catch_own(again_through);
	else if (number == 5)
		back_to_circ();
	else
		with_exception_ptr();
}
