#include "e2e.h"

#ifdef TWIN
struct Tries {
	~Tries() noexcept(false)
	{
		int x = 0;
		try {
			cleanup(1);
			cleanup(2);
		} catch (int i) {
			saw_int(i);
			x = i;
		} catch (float) {
			caught(2);
			x = 2;
		}
		saw_int(x);
	}
};

void test()
{
	{
		Tries tries;
		step(1);
	}
	done(0);
}
#endif
