#include "twin.h"

#include <initializer_list>

extern "C" void report(int handler, int tag)
{
	static const char *const names[] = {"first", "local", "pointer"};
	event("%s %d", names[handler], tag);
}

#ifdef TWIN
namespace
{
struct First {
	int tag;
};
class Error : public First
{
};
} // namespace

void test()
{
	struct Local {
		int first, second;
	};
	Local local = {0, 5};
	try {
		Error error;
		error.tag = 1;
		throw error;
	} catch (First &first) {
		report(0, first.tag);
	}
	for (bool by_pointer : {false, true}) {
		try {
			if (by_pointer)
				throw &local;
			throw local;
		} catch (Local &caught) {
			report(1, caught.second);
		} catch (Local *caught) {
			report(2, caught->second);
		}
	}
}
#endif
