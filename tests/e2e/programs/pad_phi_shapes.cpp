#include "e2e.h"

#ifdef TWIN
struct Watch {
	int &x;
	explicit Watch(int &x) : x(x) {}
	~Watch() { saw_int(x); }
};

static void in_a_loop()
{
	int x = 1, seen = 0, tries = 0;
	Watch watch(seen);
	step(19);
	while (tries < 3) {
		tries++;
		try {
			step(1);
			x += 10;
			step(2);
			break;
		} catch (int) {
			seen = x;
			step(3);
		}
	}
	step(4);
}

static void catch_in_catch()
{
	int x = 0, y = 50;
	try {
		step(20);
		try {
			x = 1;
			step(5);
			x = 2;
			step(6);
		} catch (...) {
			y = x;
			try {
				step(7);
			} catch (float) {
				caught(7);
			}
			saw_int(y);
			step(8);
		}
		step(9);
	} catch (...) {
		saw_int(y + 100);
		step(10);
	}
	saw_int(x);
}

static void cleanup_in_between()
{
	int x = 0, y = 30;
	try {
		Watch watch(y);
		step(21);
		try {
			x = 3;
			step(11);
			x = 4;
			step(12);
		} catch (float) {
			y = x;
			step(13);
		}
		y += 5;
		step(14);
	} catch (...) {
		saw_int(y + 200);
		step(15);
	}
	saw_int(x);
}

static void loop_around_handlers()
{
	int x = 0, last = 0;
	for (int i = 0; i < 2; i++) {
		try {
			try {
				step(16);
				x = i + 20;
				step(17);
			} catch (...) {
				last = x;
				step(18);
				throw;
			}
		} catch (int) {
			saw_int(last);
			saw_int(x);
		}
	}
	saw_int(last);
}

void test()
{
	in_a_loop();
	catch_in_catch();
	cleanup_in_between();
	loop_around_handlers();
	done(0);
}
#endif
