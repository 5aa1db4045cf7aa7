#include "e2e.h"

extern "C" {
void throw_kind_int()
{
	throw 1;
}

void fall_normal();
void fall_eh();
void fall_all();
void break_normal();
void break_eh();
void break_all();
void continue_normal();
void continue_eh();
void continue_all();
void return_normal();
void return_eh();
void return_all();
void goto_normal();
void goto_eh();
void goto_all();
void throw_normal();
void throw_eh();
void throw_all();
}

#ifdef TWIN
#include <exception>

// cleanup(n) on the exits of its kind.
enum Kind { normal, eh, all };
template <Kind kind> struct Guard {
	int n;
	int before = std::uncaught_exceptions();
	explicit Guard(int n) : n(n) {}
	~Guard()
	{
		bool unwinding = std::uncaught_exceptions() > before;
		if (kind == all || unwinding == (kind == eh))
			cleanup(n);
	}
};

// clang-format off
#define EXIT(name, kind, number, leave)                                                                                \
	void name##_##kind()                                                                                           \
	{                                                                                                              \
		{                                                                                                      \
			Guard<all> outer(100 + number);                                                                \
			do {                                                                                           \
				Guard<kind> inner(number);                                                             \
				step(number);                                                                          \
				leave;                                                                                 \
			} while (false);                                                                               \
		}                                                                                                      \
		goto out;                                                                                              \
	out:                                                                                                           \
		done(number);                                                                                          \
	}
#define EXITS(name, first, leave)                                                                                      \
	EXIT(name, normal, first, leave) EXIT(name, eh, first + 1, leave) EXIT(name, all, first + 2, leave)
EXITS(fall, 1, )
EXITS(break, 4, break)
EXITS(continue, 7, continue)
EXITS(return, 10, return )
EXITS(goto, 13, goto out)
EXITS(throw, 16, throw 1)
// clang-format on
#endif

static void (*const exits[])() = {
	fall_normal,
	fall_eh,
	fall_all,
	break_normal,
	break_eh,
	break_all,
	continue_normal,
	continue_eh,
	continue_all,
	return_normal,
	return_eh,
	return_all,
	goto_normal,
	goto_eh,
	goto_all,
	throw_normal,
	throw_eh,
	throw_all,
};

void test()
{
	int n = 0;
	for (auto run : exits) {
		n++;
		try {
			run();
		} catch (int) {
			caught(n);
		}
	}
}
