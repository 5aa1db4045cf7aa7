#include "language.h"

extern "C" {
extern int32_t late, early;
int32_t make(int32_t n)
{
	show("make", n);
	return n + 1;
}
void _ZGIW1a()
{
	show("import", 0);
}
void _ZGIW1b();
}

int main()
{
	show("late", late);
	show("early", early);
	_ZGIW1b();
	show("late", late);
	return 0;
}

#ifdef TWIN
int32_t late, early;
static struct Init {
	Init()
	{
		_ZGIW1b();
	}
} init;

void _ZGIW1b()
{
	static bool done;
	if (done)
		return;
	done = true;
	_ZGIW1a();
	early = make(20);
	late = make(1);
}
#endif
