#include "twin.h"

#ifdef TWIN
struct Tries {
	~Tries() noexcept(false)
	{
		try {
			cleanup(1);
		} catch (int i) {
			saw_int(i);
			try {
				Cleanup two(2);
				step(2);
			} catch (float x) {
				caught(2);
			}
		}
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
