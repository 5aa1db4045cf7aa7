/* What programs say and raise; for Windows and, by libcircrt, for ELF. */
#include "seh.h"

int printf(const char *format, ...);

void say(int n)
{
	printf(" %d", n);
}

void say_code(unsigned code)
{
	printf(" %08x", code);
}

int yes(void)
{
	return 1;
}

typedef struct Raised {
	unsigned code, flags;
	unsigned n;
	unsigned long long arguments[2];
} Raised;

enum { NONCONTINUABLE = 1 };

#ifdef _MSC_VER
typedef struct Record {
	unsigned code, flags;
	struct Record *nested;
	void *address;
	unsigned n;
	unsigned long long arguments[15];
} Record;

typedef struct Pointers {
	const Record *record;
	void *context;
} Pointers;

void RaiseException(unsigned code, unsigned flags, unsigned n, const unsigned long long *arguments);

static void raise_this(const Raised *r)
{
	RaiseException(r->code, r->flags, r->n, r->arguments);
}

void say_arguments(const void *pointers)
{
	const Record *r = ((const Pointers *)pointers)->record;
	for (unsigned i = 0; i < r->n; i++)
		say((int)r->arguments[i]);
}
#else
#include "circ/runtime.h"

/* Filters and handlers see the code that RaiseException() would give them. A fault has its own, and no object. */
static void show_code(CircRecord *record)
{
	if (record->object)
		record->code = ((const Raised *)record->object)->code;
}

static void raise_this(const Raised *r)
{
	static const CircClause type = {CIRC_CLAUSE_TYPE, 0, "raised"};
	Raised *object = circ_allocate_exception(sizeof *object);
	*object = *r;
	circ_set_throw_hook(show_code);
	circ_throw(object, &type, 0);
}
#endif

void raise_code(unsigned code)
{
	raise_this(&(Raised){code, 0, 0, {0}});
}

void raise_with(unsigned code, unsigned first, unsigned second)
{
	raise_this(&(Raised){code, 0, 2, {first, second}});
}

void raise_noncontinuable(unsigned code)
{
	raise_this(&(Raised){code, NONCONTINUABLE, 0, {0}});
}
