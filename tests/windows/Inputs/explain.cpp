struct Base { virtual ~Base(); };
struct Other { int n; };
struct Derived : Base, Other { Derived(); Derived(const Derived &); ~Derived(); };
struct Hidden : private Base { Hidden(); };
struct Thrown : Base { Thrown() {} };
Thrown *make() { return new Thrown; }
struct Guard { ~Guard(); };
void work();
void close();
void thrower() { throw Derived(); }
void hidden() { throw Hidden(); }
void pointer() { throw new Derived; }

void by_value()
{
	Guard g;
	try {
		work();
	} catch (Other &) {
		close();
	} catch (Base *) {
		close();
	}
}
void nested()
{
	Guard a;
	try { Guard b;
		work();
	} catch (int) {
		close();
	}
}
void of_class()
{
	try { work();
	} catch (Base &) {
	}
}
