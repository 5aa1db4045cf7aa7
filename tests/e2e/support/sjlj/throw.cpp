// throw.cpp: what C++ code calls to throw, for programs without tables: the exception goes to circ's runtime, as a C++ one of circ's functions does.
#include "circ/runtime.h"

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "e2e.h"

// The C++ library's terminate handler says "terminate"; circ's runtime tells of what nobody catches.
static void on_unhandled(CircRecord *)
{
	std::terminate();
}

static const CircUnhandled *const former = circ_set_unhandled(on_unhandled);

namespace __cxxabiv1 {
extern "C" {
void *__cxa_allocate_exception(std::size_t size) noexcept
{
	return circ_allocate_exception(size);
}

void __cxa_free_exception(void *object) noexcept
{
	circ_free_exception(object);
}

// A clause outlives its exception. The programs throw few types.
[[noreturn]] void __cxa_throw(void *object, std::type_info *type, void (*destroy)(void *))
{
	static CircClause clauses[16];
	CircClause *c = clauses;
	while (c->what && c->what != type)
		c++;
	*c = {CIRC_CLAUSE_CXX, CIRC_LANGUAGE_CXX, type};
	circ_throw_noncontinuable(object, c, destroy);
}
}
} // namespace __cxxabiv1
