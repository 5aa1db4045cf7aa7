#include "twin.h"

extern "C" void saw_pointer(const void *pointer) noexcept;

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (Base *b) {
		caught(1);
		saw_base(b);
	} catch (const char *s) {
		caught(2);
		saw_text(s);
	} catch (void *v) {
		caught(3);
		saw_pointer(v);
	}
}
#endif

void saw_pointer(const void *pointer) noexcept
{
	event(pointer == &a_number ? "the number" : "some pointer");
}
