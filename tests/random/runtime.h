// The world that random programs see: what generate.py writes calls these, as CIR and as C++.
#ifndef RUNTIME_H
#define RUNTIME_H

#include <cstddef>
#include <exception>

struct Base {
	int n;
};

unsigned decide() noexcept; // the next of the sequence
bool exhausted() noexcept;  // enough were taken: nothing throws and loops any more

extern "C" {
void ev(int n) noexcept; // an event of the trace
int choose() noexcept;   // 0 or 1
int more() noexcept;     // 0 or 1, and 0 for good after a while: loops end
int pick() noexcept;     // 0 to 9
void act(int n);         // an event, and by decision a throw of any kind
void saw_int(int v) noexcept;
void saw_double(double v) noexcept;
void saw_base(const Base *v) noexcept;
void saw_derived(const struct Derived *v) noexcept;
void saw_copy(const struct Derived *v) noexcept;
void saw_pointer(const Base *v) noexcept;
}

struct Derived : Base {
	int extra;
	explicit Derived(int n);
	Derived(const Derived &other) noexcept;
	~Derived();
};

struct Obj {
	int n;
	explicit Obj(int n);
	~Obj() noexcept(false);
};

struct Elem {
	int n;
	Elem();
	~Elem() noexcept(false);
};

// Its destructor may throw, so an array of them goes on with the others.
struct Wild {
	int n;
	Wild();
	~Wild() noexcept(false);
};

template <class T> struct Elements {
	T *first;

	explicit Elements(int n) : first(new T[n]) {}
	~Elements() noexcept(false)
	{
		delete[] first;
	}
};

// The same on the heap, by an operator new[] and delete[] that leave a trace.
extern "C" {
void *array_new(std::size_t size);
void array_delete(void *p, std::size_t size) noexcept;
}

template <class T> struct Counted : T {
	static void *operator new[](std::size_t size)
	{
		return array_new(size);
	}
	static void operator delete[](void *p, std::size_t size) noexcept
	{
		array_delete(p, size);
	}
};

template <class T> struct HeapElements {
	Counted<T> *first;

	explicit HeapElements(int n) : first(new Counted<T>[n]) {}
	~HeapElements() noexcept(false)
	{
		delete[] first;
	}
};

// The variable of a loop's condition.
struct Condition {
	int n;
	explicit Condition(int n) noexcept;
	~Condition() noexcept(false);
	operator bool() const noexcept
	{
		return more();
	}
};

// A cleanup region with statements: runs on the exits of its kind.
enum class Guarded { normal, eh, all };

template <class Run> struct Guard {
	const Run &run;
	Guarded kind;
	int pending = std::uncaught_exceptions();

	Guard(const Run &r, Guarded k) : run(r), kind(k) {}
	~Guard() noexcept(false)
	{
		bool unwinding = std::uncaught_exceptions() > pending;
		if (kind == Guarded::all || unwinding == (kind == Guarded::eh))
			run();
	}
};

#endif
