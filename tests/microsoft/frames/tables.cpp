// The C++ of tables.cir.
struct Res {
	int a;
};
extern "C" {
void work(int);
void open(Res *, int);
void close(Res *) noexcept;
void use(int) noexcept;
}
struct Open : Res {
	Open(int n) { open(this, n); }
	~Open() { close(this); }
};

extern "C" void nested()
{
	try {
		work(1);
		try {
			work(2);
		} catch (int) {
			work(3);
		}
		work(4);
	} catch (Res &r) {
		use(r.a);
		work(5);
	} catch (...) {
		work(6);
	}
}

extern "C" void one_cleanup()
{
	Open r(1);
	work(1);
}

extern "C" void two_cleanups()
{
	Open a(1);
	Open b(2);
	work(3);
}

extern "C" void cleanup_in_handler()
{
	try {
		work(1);
	} catch (int *p) {
		use(*p);
		Open r(2);
		work(3);
		throw;
	}
}

extern "C" void one_after_the_other()
{
	try {
		work(1);
	} catch (...) {
	}
	try {
		work(2);
	} catch (Res &) {
	}
}

extern "C" void try_around_cleanup_in_loop(int n)
{
	for (int i = 0; i < n; i++) {
		try {
			Open r(1);
			work(2);
		} catch (Res &r) {
			use(r.a);
		} catch (...) {
			break;
		}
	}
}

extern "C" void reads_a_scalar()
{
	try {
		work(1);
	} catch (int i) {
		use(i);
		work(2);
	}
}
