#include "twin.h"

#ifdef TWIN
struct Catching {
	~Catching() noexcept(false)
	{
		try {
			cleanup(1);
		} catch (int) {
			caught(1);
			step(2);
		}
	}
};

void test()
{
	Catching c;
	step(1);
}
#endif
