#include "twin.h"

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (char *&s) {
		saw_text(s);
		s++;
		saw_text(s);
	} catch (Base *&b) {
		saw_base(b);
		b = nullptr;
		saw_base(b);
	} catch (int &i) {
		saw_int(i);
	}
	done(0);
}
#endif
