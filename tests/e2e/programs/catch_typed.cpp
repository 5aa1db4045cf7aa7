#include "e2e.h"

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (int i) {
		saw_int(i);
	} catch (float x) {
		saw_float(x);
	} catch (const Base &b) {
		saw_base(&b);
	} catch (Base *p) {
		saw_base(p);
	} catch (...) {
		caught(4);
	}
	done(9);
}
#endif
