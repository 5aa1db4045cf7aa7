#include "twin.h"

// The digits of `number`, from the last one on.
extern "C" int take() noexcept
{
	int digit = number % 10;
	number /= 10;
	return digit;
}

#ifdef TWIN
static void jumps()
{
	int way;
	{
		Cleanup one(1);
	again: {
		Cleanup two(2);
		step(1);
		way = take();
		if (way == 1)
			goto again;
		if (way == 2)
			goto inside;
		if (way == 3)
			goto out;
		step(2);
	inside:
		step(3);
	}
		step(4);
	}
out:
	step(5);
}

static void computed()
{
	void *next;
	int way;
	Cleanup three(3);
choose:
	way = take();
	next = way == 1 ? &&one : way == 2 ? &&two : &&end;
	goto *next;
one:
	step(6);
	goto choose;
two: {
	Cleanup four(4);
	step(7);
}
	goto choose;
end:;
}

void test()
{
	jumps();
	computed();
	done(0);
}
#endif
