#include "twin.h"

#include <cstdint>

// Behind no guard in the text: what constructs throws out of the array without destroying anything.
static int made;

extern "C" int next()
{
	return ++made;
}

// `number` elements, 21 and so on.
static int tags[] = {21, 22, 23};

extern "C" uint64_t many(void **first)
{
	*first = tags;
	return number;
}

#ifdef TWIN
struct Guard {
	int n;
	~Guard() noexcept(false) { cleanup(n); }
};

static void three()
{
	int n[3];
	for (int &i : n) {
		i = next();
		step(i);
	}
	Guard a[3] = {{n[0]}, {n[1]}, {n[2]}};
}

static void one()
{
	Guard a[1] = {{9}};
	step(9);
}

void test()
{
	three();
	one();
	if (number == 1)
		Guard a[1] = {{tags[0]}};
	else if (number == 2)
		Guard a[2] = {{tags[0]}, {tags[1]}};
	done(0);
}
#endif
