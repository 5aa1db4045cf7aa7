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
