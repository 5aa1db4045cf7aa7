// Runs each test_N under a number of decision sequences and prints their traces. Some end in std::terminate, and so their process: on Windows and WebAssembly
// run.py starts the program again behind such a run; elsewhere each run is in a process of its own, or, of programs with an at_start, all runs up to
// one that ends the process.
#include "runtime.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#ifdef __wasm__
#include <unistd.h>
#elif !defined _WIN32
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

static unsigned state, decisions, elements;

unsigned decide() noexcept
{
	state = state * 1664525u + 1013904223u;
	decisions++;
	return state >> 16;
}

bool exhausted() noexcept
{
	return decisions > 150;
}

void ev(int n) noexcept
{
	std::printf(" %d", n);
}

int choose() noexcept
{
	return decide() & 1;
}

int more() noexcept
{
	return !exhausted() && decide() % 4 != 0;
}

int pick() noexcept
{
	return (int)(decide() % 10);
}

static Derived *thrown_pointer; // not deleted: the process ends

static void maybe_throw(int n, unsigned one_in)
{
	if (exhausted() || decide() % one_in != 0)
		return;
	switch (decide() % 5) {
	case 0:
		throw n;
	case 1:
		throw n + 0.5;
	case 2:
		throw Derived(n);
	case 3:
		thrown_pointer = new Derived(n);
		throw static_cast<Base *>(thrown_pointer);
	default:
		throw static_cast<const char *>("text");
	}
}

void act(int n)
{
	std::printf(" act%d", n);
	maybe_throw(n, 6);
}

void saw_int(int v) noexcept
{
	std::printf(" int=%d", v);
}

void saw_double(double v) noexcept
{
	std::printf(" double=%g", v);
}

void saw_base(const Base *v) noexcept
{
	std::printf(" base=%d", v->n);
}

void saw_derived(const Derived *v) noexcept
{
	std::printf(" derived=%d,%d", v->n, v->extra);
}

void saw_pointer(const Base *v) noexcept
{
	std::printf(" pointer=%d", v->n);
}

void saw_copy(const Derived *v) noexcept
{
	std::printf(" copy=%d,%d", v->n, v->extra);
}

Derived::Derived(int n) : Base{n}, extra(n * 2)
{
	std::printf(" +D%d", n);
}

Derived::Derived(const Derived &other) noexcept : Base{other.n}, extra(other.extra)
{
	std::printf(" =D%d", n);
}

Derived::~Derived()
{
	std::printf(" -D%d", n);
}

Obj::Obj(int number) : n(number)
{
	std::printf(" +%d", n);
	maybe_throw(n, 12);
}

Obj::~Obj() noexcept(false)
{
	std::printf(" -%d", n);
	maybe_throw(n, 20);
}

Elem::Elem() : n((int)++elements)
{
	std::printf(" +e%d", n);
	maybe_throw(n, 10);
}

Elem::~Elem() noexcept(false)
{
	std::printf(" -e%d", n);
}

Wild::Wild() : n((int)++elements)
{
	std::printf(" +e%d", n);
	maybe_throw(n, 10);
}

Wild::~Wild() noexcept(false)
{
	std::printf(" -w%d", n);
	// Throwing while unwinding terminates, and C++ leaves open whether the other elements are destroyed before.
	if (std::uncaught_exceptions() == 0)
		maybe_throw(n, 8);
}

Condition::Condition(int number) noexcept : n(number)
{
	std::printf(" +c%d", n);
}

Condition::~Condition() noexcept(false)
{
	std::printf(" -%d", n);
	maybe_throw(n, 20);
}

// The same functions for CIR, which calls them by these names.
extern "C" {
void obj_ctor(Obj *o, int n)
{
	new (o) Obj(n);
}

void obj_dtor(Obj *o)
{
	o->~Obj();
}

void elem_ctor(Elem *e)
{
	new (e) Elem;
}

void elem_dtor(Elem *e)
{
	e->~Elem();
}

void wild_dtor(Wild *w)
{
	w->~Wild();
}

void condition_ctor(Condition *c, int n)
{
	new (c) Condition(n);
}

void *array_new(std::size_t size)
{
	std::printf(" new%lu", size);
	return std::malloc(size);
}

void array_delete(void *p, std::size_t size) noexcept
{
	std::printf(" delete%lu", size);
	std::free(p);
}

void derived_copy(Derived *d, const Derived *from)
{
	new (d) Derived(*from);
}

void derived_ctor(Derived *d, int n)
{
	new (d) Derived(n);
}

void derived_dtor(Derived *d)
{
	d->~Derived();
}
}

#ifdef _MSC_VER
// And for C++ that was lifted (run.py --lifted), which calls them by the names of the Itanium ABI.
extern "C" {
void _ZN3ObjC1Ei(Obj *o, int n)
{
	new (o) Obj(n);
}

void _ZN3ObjD1Ev(Obj *o)
{
	o->~Obj();
}

void _ZN4ElemC1Ev(Elem *e)
{
	new (e) Elem;
}

void _ZN4ElemC2Ev(Elem *e)
{
	new (e) Elem;
}

void _ZN4ElemD1Ev(Elem *e)
{
	e->~Elem();
}

void _ZN4ElemD2Ev(Elem *e)
{
	e->~Elem();
}

void _ZN4WildC1Ev(Wild *w)
{
	new (w) Wild;
}

void _ZN4WildC2Ev(Wild *w)
{
	new (w) Wild;
}

void _ZN4WildD1Ev(Wild *w)
{
	w->~Wild();
}

void _ZN4WildD2Ev(Wild *w)
{
	w->~Wild();
}

void _ZN9ConditionC1Ei(Condition *c, int n)
{
	new (c) Condition(n);
}

void _ZN9ConditionD1Ev(Condition *c)
{
	c->~Condition();
}

void _ZN7DerivedC1Ei(Derived *d, int n)
{
	new (d) Derived(n);
}

void _ZN7DerivedC1ERKS_(Derived *d, const Derived *from)
{
	new (d) Derived(*from);
}

void _ZN7DerivedD1Ev(Derived *d)
{
	d->~Derived();
}
}
#endif

extern "C" {
extern void (*const at_start)(); // of each run, or null
}

static void run(int (*test)(), unsigned sequence)
{
	state = sequence * 2654435761u + 12345u;
	if (at_start)
		at_start();
	std::set_terminate([] {
		std::printf(" terminate\n");
		std::fflush(stdout);
		_exit(0);
	});
	if (sequence % 4 == 3) { // nobody outside catches: it terminates before any cleanup runs
		std::printf(" returns %d\n", test());
		std::fflush(stdout);
		return;
	}
	try {
		std::printf(" returns %d", test());
	} catch (int v) {
		std::printf(" escapes int=%d", v);
	} catch (double v) {
		std::printf(" escapes double=%g", v);
	} catch (Base &v) {
		std::printf(" escapes base=%d", v.n);
	} catch (Base *v) {
		std::printf(" escapes pointer=%d", v->n);
	} catch (...) {
		std::printf(" escapes");
	}
	std::printf("\n");
	std::fflush(stdout);
}

extern "C" {
extern int (*const tests[])();
extern const unsigned ntests;
}

static void run_from(unsigned n, unsigned end, unsigned sequences, volatile unsigned *running)
{
	for (; n < end; n++) {
		*running = n;
		std::printf("%u.%u:", n / sequences, n % sequences);
		std::fflush(stdout);
		decisions = elements = 0;
#if !defined _WIN32 && !defined __wasm__
		alarm(60); // ends a run that does not end
#endif
		run(tests[n / sequences], n % sequences);
	}
}

#if defined _WIN32 || defined __wasm__
int main(int argc, char **argv)
{
#ifdef __wasm__ // an exception that nobody catches ends the program without a word to the C library
	std::setvbuf(stdout, nullptr, _IONBF, 0);
#endif
	unsigned sequences = argc > 1 ? (unsigned)std::atoi(argv[1]) : 8, running;
	run_from(argc > 2 ? (unsigned)std::atoi(argv[2]) : 0, ntests * sequences, sequences, &running);
}
#else
// In a process of its own. Returns the last run that it began.
static unsigned run_apart(unsigned n, unsigned end, unsigned sequences, unsigned *running)
{
	*running = n;
	std::fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		run_from(n, end, sequences, running);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	if (status != 0)
		std::printf(" status %d\n", status);
	return *running;
}

int main(int argc, char **argv)
{
	unsigned sequences = argc > 1 ? (unsigned)std::atoi(argv[1]) : 8;
	if (argc > 2) { // one run, for a debugger
		unsigned n = (unsigned)std::atoi(argv[2]);
		run(tests[n / sequences], n % sequences);
		return 0;
	}
	void *shared =
	    mmap(nullptr, sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	for (unsigned n = 0, all = ntests * sequences; n < all;)
		n = run_apart(n, at_start ? all : n + 1, sequences, static_cast<unsigned *>(shared)) + 1;
}
#endif
