#include "e2e.h"

#ifdef TWIN
struct Watch {
	int &x;
	bool armed = true;
	explicit Watch(int &x) : x(x) {}
	~Watch()
	{
		if (armed)
			saw_int(x + 100);
	}
};

void test()
{
	int x, y = 0;
	{
		Watch watch(y);
		try {
			x = 1;
			step(1);
			x = 2;
			step(2);
			x = 3;
			step(3);
		} catch (...) {
			y = x;
			step(6);
			try {
				step(4);
			} catch (float) {
				caught(4);
			}
			y += 10;
			saw_int(y);
			step(5);
		}
		done(0);
		watch.armed = false;
	}
	saw_int(y);
}
#endif
