/* What Rust's code calls of its runtime, on libcircrt: an exception of the language 82 holds a number. */
#include <circ/runtime.h>

enum { LANGUAGE_RUST = 82 };

int printf(const char *format, ...);
CIRC_NORETURN void abort(void);

static const CircClause thrown_type = {CIRC_CLAUSE_TYPE, LANGUAGE_RUST, &thrown_type};

CIRC_NORETURN void throw_number(int number);
int thrown(void *exception);
void *rust_caught(void *object);
void say(const char *what, int number);
CIRC_NORETURN void panic_no_unwind(void) __asm__("_ZN4core9panicking15panic_no_unwind17h81efef8d2418efafE");
CIRC_NORETURN void panic(void) __asm__("_ZN4core9panicking5panic17h2c88932fe82bb6e8E");

static int last;

void throw_number(int number)
{
	int *object = circ_allocate_exception(sizeof *object);
	*object = number;
	circ_throw_noncontinuable(object, &thrown_type, NULL);
}

/* Of the table: `pads`. The object is gone when the pad goes on. */
void *rust_caught(void *object)
{
	last = *(int *)object;
	return &last;
}

int thrown(void *exception)
{
	return *(int *)exception;
}

void panic(void)
{
	throw_number(-1);
}

void panic_no_unwind(void)
{
	abort();
}

void say(const char *what, int number)
{
	printf(what, number);
}
