// What the programs of faults.py call besides (own_runtime.cpp): memory, a page that may be guarded, numbers that divisions trap for.
#include "circ/runtime.h"
#include "own_runtime.h"
#include "runtime.h"

#include <cstdio>
#include <cstdlib>
#include <stdint.h>
#ifdef _WIN32
extern "C" {
__declspec(dllimport) void *VirtualAlloc(void *at, std::size_t size, unsigned long kind,
                                         unsigned long access);
__declspec(dllimport) int VirtualProtect(void *at, std::size_t size, unsigned long access,
                                         unsigned long *former);
}
#elif !defined __wasm__
#include <sys/mman.h>
#endif

extern "C" {
void *fault_place(int n) noexcept;
void *fault_guarded(int n) noexcept; // most often in the page
void *fault_object(int n) noexcept;
int fault_size(int n) noexcept;
long long fault_dividend(int n, int width) noexcept;
long long fault_divisor(int n) noexcept;
void fault_raise_null();
void fault_raise_zero();
void fault_raise_overflow();
void fault_raise_bounds();
void fault_raise_conversion();
void fault_raise_store();
}

enum { CELL = 64, CELLS = 16, PAGE_CELLS = 32, PAGE = 4096 };
enum { ACCESS = 0xC0000005 };

alignas(64) static unsigned char memory[2048];
static unsigned char *page;

#ifdef _WIN32
static void protect(bool guarded)
{
	enum { RESERVE_AND_COMMIT = 0x3000, NO_ACCESS = 1, READ_WRITE = 4 };
	unsigned long former;
	if (!page)
		page =
		    static_cast<unsigned char *>(VirtualAlloc(nullptr, PAGE, RESERVE_AND_COMMIT, READ_WRITE));
	if (!VirtualProtect(page, PAGE, guarded ? NO_ACCESS : READ_WRITE, &former))
		std::abort();
}
#elif defined __wasm__ // no page is guarded
static void protect(bool)
{
	alignas(64) static unsigned char plain[PAGE];
	page = plain;
}
#else
static void protect(bool guarded)
{
	if (!page)
		page = static_cast<unsigned char *>(
		    mmap(nullptr, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	if (mprotect(page, PAGE, guarded ? PROT_NONE : PROT_READ | PROT_WRITE) != 0)
		std::abort();
}
#endif

// A fault that nobody takes is the system's affair.
#ifdef _MSC_VER
extern "C" __declspec(dllimport) void *SetUnhandledExceptionFilter(long (*filter)(void *));

static long end_unhandled(void *)
{
	std::printf(" terminate\n");
	std::fflush(stdout);
	_exit(0);
}

static void watch_unhandled()
{
	static void *former = SetUnhandledExceptionFilter(end_unhandled);
	(void)former;
}
#else
static void watch_unhandled() {}
#endif

// A fault in a function that has a `long double` of 80 bits leaves it there, and the handlers that clang writes do, too.
static void empty_x87()
{
#if defined __x86_64__ || defined _M_X64
	__asm__ volatile("emms");
#endif
}

void fault_start()
{
	watch_unhandled();
	empty_x87();
#ifndef __wasm__ // where no fault is an exception
	if (!circ_faults_install())
		std::abort();
#endif
	protect(false);
	for (unsigned i = 0; i < sizeof memory; i++)
		memory[i] = static_cast<unsigned char>(i % 100);
	for (unsigned i = 0; i < PAGE; i++)
		page[i] = static_cast<unsigned char>(i % 101);
}

static bool is_in_page(uint64_t at)
{
	return at - reinterpret_cast<uintptr_t>(page) < PAGE;
}

bool is_fault(const CircRecord *r)
{
	return r->code != CIRC_CODE_LANGUAGE && r->code != CIRC_CODE_FOREIGN;
}

// What the processor did not raise has an object.
void fault_say(const CircRecord *r)
{
	uint64_t at = r->info[1];
	std::printf(" %08x", r->code);
	if (r->code != ACCESS || r->object)
		return;
	std::printf(r->info[0] ? " w" : " r");
	if (at < PAGE)
		std::printf(" null+%d", static_cast<int>(at));
	else if (is_in_page(at))
		std::printf(" page+%d", static_cast<int>(at - reinterpret_cast<uintptr_t>(page)));
	else
		std::printf(" elsewhere");
}

bool fault_repair(const CircRecord *r)
{
	if (r->object)
		return true;
	if (r->code != ACCESS || !is_in_page(r->info[1]))
		return false;
	std::printf(" repaired");
	protect(false);
	return true;
}

static unsigned draw()
{
	return exhausted() ? 5 : decide() % 6;
}

static void *place(int n, unsigned drawn)
{
	if (drawn == 0)
		return nullptr;
	if (drawn > 2)
		return memory + CELL * (n % CELLS);
	protect(true);
	return page + CELL * (n % PAGE_CELLS);
}

void *fault_place(int n) noexcept
{
	return place(n, draw());
}

void *fault_guarded(int n) noexcept
{
	return place(n, draw() < 4 ? 1 : 5);
}

void *fault_object(int n) noexcept
{
	return place(n, draw() < 2 ? 0 : 5);
}

int fault_size(int) noexcept
{
	return static_cast<int>(decide() % 41);
}

long long fault_dividend(int n, int width) noexcept
{
	return width > 64 || draw() > 1 ? n : INT64_MIN >> (64 - width);
}

long long fault_divisor(int n) noexcept
{
	unsigned drawn = draw();
	return drawn == 0 ? 0 : drawn <= 2 ? -1 : n % 99 + 1;
}

#define RAISE(kind)                                                                                          \
	void fault_raise_##kind()                                                                            \
	{                                                                                                    \
		std::printf(" raise");                                                                       \
		own_raise(7);                                                                                \
	}
RAISE(null)
RAISE(zero)
RAISE(overflow)
RAISE(bounds)
RAISE(conversion)
RAISE(store)
