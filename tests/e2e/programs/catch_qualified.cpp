#include "e2e.h"

#include <typeinfo>

static int *pointer = &a_number;

// What the handlers name, where the program that is tested has no tables of it.
extern const std::type_info *const named[];
const std::type_info *const named[] = {&typeid(volatile int *), &typeid(const volatile int *), &typeid(int *const *), &typeid(const int *const *),
                                       &typeid(volatile void *), &typeid(int **)};

extern "C" void fail(int n)
{
	switch (n % 10) {
	case 1:
		throw &a_number;
	case 2:
		throw static_cast<const int *>(&a_number);
	case 3:
		throw static_cast<volatile int *>(&a_number);
	case 4:
		throw static_cast<const volatile int *>(&a_number);
	case 5:
		throw &pointer;
	default:
		throw 66;
	}
}

extern "C" void seen(int handler, const volatile void *what) noexcept
{
	if (!what)
		event("handler %d, null", handler);
	else if (what == &a_number)
		event("handler %d, a_number", handler);
	else if (what == &pointer)
		event("handler %d, a pointer", handler);
	else
		event("handler %d, %d", handler, *(const volatile int *)what);
}

extern "C" bool deeper() noexcept
{
	return number > 10;
}

#ifdef TWIN
static void exact(int n)
{
	try {
		fail(n);
	} catch (int *p) {
		seen(1, p);
	} catch (const int *p) {
		seen(2, p);
	} catch (volatile int *p) {
		seen(3, p);
	} catch (const volatile int *p) {
		seen(4, p);
	} catch (int **p) {
		seen(5, p);
	} catch (const int i) {
		seen(6, &i);
	}
}

static void widened(int n)
{
	try {
		fail(n);
	} catch (const volatile int *p) {
		seen(7, p);
	} catch (const void *p) {
		seen(8, p);
	} catch (...) {
		seen(9, nullptr);
	}
}

static void chosen(int n)
{
	try {
		fail(n);
	} catch (const int *p) {
		seen(10, p);
	} catch (int *const *p) {
		seen(11, p);
	} catch (volatile void *p) {
		seen(12, p);
	} catch (...) {
		seen(13, nullptr);
	}
}

static void deep(int n)
{
	try {
		fail(n);
	} catch (const int *const *p) {
		seen(14, p);
	} catch (...) {
		seen(15, nullptr);
	}
}

void test()
{
	exact(number);
	widened(number);
	chosen(number);
	if (deeper())
		deep(number);
}
#endif
