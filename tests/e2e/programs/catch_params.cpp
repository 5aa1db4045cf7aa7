#include "twin.h"

extern "C" void saw_other(const Other *other) noexcept;
extern "C" void change(Base *base) noexcept;

#ifdef TWIN
void test()
{
	try {
		step(1);
	} catch (int i) {
		saw_int(i);
	} catch (float x) {
		saw_float(x);
	} catch (Base b) {
		saw_base(&b);
		change(&b);
		saw_base(&b);
	} catch (Other o) {
		saw_other(&o);
	} catch (Base *p) {
		saw_base(p);
	} catch (char *&s) {
		saw_text(s);
		s++;
		saw_text(s);
	}
	done(0);
}
#endif

void saw_other(const Other *other) noexcept
{
	event("other %ld", other->other_tag);
}

void change(Base *base) noexcept
{
	base->tag = 55;
	event("changed");
}
