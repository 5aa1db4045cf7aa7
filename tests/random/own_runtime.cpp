// What the programs of own.py call besides (runtime.cpp): C++ that throws, catches and cleans up between functions of circ's runtime.
#include "own_runtime.h"
#include "circ/runtime.h"
#include "runtime.h"

#include <cstdio>
#include <cstdlib>
#ifndef _WIN32
#include <unistd.h>
#endif

typedef int Function(int n);

extern "C" {
void own_act(int n);     // an event, and by decision a throw of any kind
void own_act_own(int n); // the same of circ's kinds alone
void own_escapes() noexcept;
void own_through(Function *f, int n);
void own_catch(Function *f, int n);
void own_catch_error(Function *f, int n);
int own_answer(const CircRecord *r, int n) noexcept;   // what a filter says
int fault_answer(const CircRecord *r, int n) noexcept; // more often that the function goes on
void own_start();                                      // of each run
void own_thrown_on() noexcept;                         // C++ is about to do that
void own_saw(int x) noexcept;
void own_object(const int *object) noexcept;
void own_code(const CircRecord *r) noexcept;
void own_abnormal(int abnormal) noexcept;
void own_release(void *object) noexcept;

extern const CircExceptionType error_type __asm__("Error");
extern const CircExceptionType io_error_type __asm__("my.IOError");
extern const CircExceptionType timeout_type __asm__("my.net.Timeout");
extern const CircExceptionType both_type __asm__("Both");
}

// However often it is copied: the last copy says so.
struct Cxx {
	int n, *copies;
	explicit Cxx(int number) : n(number), copies(new int(1)) {}
	Cxx(const Cxx &other) noexcept : n(other.n), copies(other.copies)
	{
		++*copies;
	}
	~Cxx()
	{
		if (--*copies)
			return;
		std::printf(" -C%d", n);
		delete copies;
	}
};

// In functions of C++ the exception types of the programs are these: each begins with its number.
struct Error : Cxx {
	using Cxx::Cxx;
};

struct Odd : Cxx {
	using Cxx::Cxx;
};

namespace my
{
struct IOError : Error {
	using Error::Error;
};

namespace net
{
struct Timeout : IOError {
	using IOError::IOError;
};
} // namespace net
} // namespace my

static void release_other(void *object)
{
	std::printf(" -O%d", *static_cast<int *>(object));
}

static const CircExceptionType other_type = {"Other", sizeof(int), release_other, 0, {}};

enum { OWN = 7, OTHER = 9 }; // languages
static const CircClause error = {CIRC_CLAUSE_EXCEPTION_TYPE, OWN, &error_type};
static const CircClause io_error = {CIRC_CLAUSE_EXCEPTION_TYPE, OWN, &io_error_type};
static const CircClause timeout = {CIRC_CLAUSE_EXCEPTION_TYPE, OWN, &timeout_type};
static const CircClause both = {CIRC_CLAUSE_EXCEPTION_TYPE, OWN, &both_type};
static const CircClause other = {CIRC_CLAUSE_EXCEPTION_TYPE, OTHER, &other_type};

typedef void Throw(void *object, const CircClause *type, void (*destroy)(void *object));

static void throw_own(int n, const CircClause *type, Throw *thrown)
{
	int *object = static_cast<int *>(circ_allocate_exception(3 * sizeof(int)));
	*object = n;
	thrown(object, type, nullptr);
}

enum { OF_CXX = 5, KINDS = 10 };

static void throw_kind(unsigned kind, int n, Throw *thrown)
{
	switch (kind) {
	case 0:
		throw n;
	case 1:
		throw Cxx(n);
	case 2:
		throw Odd(n);
	case 3:
		throw my::IOError(n);
	case 4:
		throw my::net::Timeout(n);
	case 5:
		throw_own(n, &error, thrown);
		break;
	case 6:
		throw_own(n, &io_error, thrown);
		break;
	case 7:
		throw_own(n, &timeout, thrown);
		break;
	case 8:
		throw_own(n, &both, thrown);
		break;
	default:
		throw_own(n, &other, thrown);
		break;
	}
}

static void throw_any(int n, Throw *thrown)
{
	throw_kind(decide() % KINDS, n, thrown);
}

void own_raise(int n)
{
	throw_any(n, circ_throw_noncontinuable);
}

void own_act_own(int n)
{
	std::printf(" act%d", n);
	if (exhausted() || decide() % 6 != 0)
		return;
	throw_kind(OF_CXX + decide() % (KINDS - OF_CXX), n, circ_throw);
	std::printf(" on%d", n);
}

void own_escapes() noexcept
{
	std::printf(" escapes");
}

void own_act(int n)
{
	std::printf(" act%d", n);
	if (exhausted() || decide() % 6 != 0)
		return;
	throw_any(n, circ_throw);
	std::printf(" on%d", n); // a filter said so
}

// Where C++ throws an exception on, its filters are not told that nothing can go on there (docs/internals/exceptions.md).
static bool thrown_on;

void own_thrown_on() noexcept
{
	thrown_on = true;
}

static bool may_go_on(const CircRecord *r)
{
	if (r->flags & CIRC_NONCONTINUABLE || thrown_on)
		return false;
	return !is_fault(r) || fault_repair(r);
}

static int answer(const CircRecord *r, int n, unsigned last_that_goes_on)
{
	std::printf(" when%d", n);
	if (r->code == CIRC_CODE_LANGUAGE)
		std::printf("=%d", *static_cast<int *>(r->object));
	else if (is_fault(r))
		fault_say(r);
	unsigned drawn = decide() % 4;
	if (drawn > last_that_goes_on)
		return CIRC_EXECUTE_HANDLER;
	return drawn && may_go_on(r) ? CIRC_CONTINUE_EXECUTION : CIRC_CONTINUE_SEARCH;
}

int own_answer(const CircRecord *r, int n) noexcept
{
	return answer(r, n, 1);
}

int fault_answer(const CircRecord *r, int n) noexcept
{
	return answer(r, n, 2);
}

namespace
{
struct Passed {
	int n;
	~Passed()
	{
		std::printf(" ~%d", n);
	}
};
} // namespace

void own_through(Function *f, int n)
{
	Passed passed = {n};
	f(n);
}

static void caught(int n)
{
	std::printf(" any%d", n);
	switch (decide() % 3) {
	case 0:
		thrown_on = true;
		throw;
	case 1:
		throw n;
	default:
		break;
	}
}

void own_catch(Function *f, int n)
{
	try {
		f(n);
	} catch (...) {
		caught(n);
	}
}

void own_catch_error(Function *f, int n)
{
	try {
		f(n);
	} catch (Error &e) {
		std::printf(" error=%d", e.n);
		caught(n);
	}
}

void own_saw(int x) noexcept
{
	std::printf(" x=%d", x);
}

void own_object(const int *object) noexcept
{
	std::printf(" own=%d", *object);
}

void own_code(const CircRecord *r) noexcept
{
	if (is_fault(r))
		fault_say(r);
	else
		std::printf(" %s", r->code == CIRC_CODE_LANGUAGE ? "own" : "foreign");
}

void own_abnormal(int abnormal) noexcept
{
	std::printf(abnormal ? " abnormal" : " normal");
}

void own_release(void *object) noexcept
{
	std::printf(" -E%d", *static_cast<int *>(object));
}

static void unhandled(CircRecord *)
{
	std::printf(" terminate\n");
	std::fflush(stdout);
	_exit(0);
}

void own_start()
{
	circ_set_unhandled(unhandled);
	thrown_on = false;
#ifndef OWN_ALONE
	fault_start();
#endif
}
