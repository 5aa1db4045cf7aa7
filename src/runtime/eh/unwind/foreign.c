/* Exceptions of others in our handlers: C++'s go through the C++ runtime, the rest is the unwinder's. */
#include "runtime/eh/unwind/cxx.h"
#include "runtime/eh/unwind/unwind.h"

CircRecord circeh_foreign_record(void *native)
{
	return (CircRecord){.code = CIRC_CODE_FOREIGN, .flags = CIRC_NONCONTINUABLE, .native = native};
}

/* "GNUCC++\0", "CLNGC++\0", and with a 1 at the end what std::rethrow_exception throws. */
static bool is_cxx(const struct _Unwind_Exception *native)
{
	static const uint64_t gnu = UINT64_C(0x474e5543432b2b00), llvm = UINT64_C(0x434c4e47432b2b00);
	uint64_t kind = native->exception_class & ~UINT64_C(1);
	return kind == gnu || kind == llvm;
}

/* Of all handlers of ours that hold it: does the innermost throw it on? */
static void set_thrown_on(const void *native, bool thrown_on)
{
	for (CircehCatch *c = circeh_thread()->caught; c; c = c->older)
		if (c->native == native && (c->handlers < 0) != thrown_on)
			c->handlers = -c->handlers;
}

static bool is_held(const void *native)
{
	for (const CircehCatch *c = circeh_thread()->caught; c; c = c->older)
		if (c->native == native)
			return true;
	return false;
}

void circeh_foreign_begin(CircehCatch *c)
{
	CxxRuntime cxx = circeh_cxx_runtime();
	c->cxx = is_cxx(c->native) && cxx.begin_catch && cxx.end_catch && cxx.rethrow;
	if (c->cxx)
		cxx.begin_catch(c->native);
	else
		set_thrown_on(c->native, false);
}

void circeh_foreign_end(CircehCatch *c)
{
	if (c->cxx)
		circeh_cxx_runtime().end_catch();
	else if (c->handlers > 0 && !is_held(c->native))
		_Unwind_DeleteException(c->native);
}

/* Who holds what is C++'s, and who throws it on, its runtime knows, also of handlers of C++. */
_Noreturn void circeh_foreign_rethrow(CircehCatch *c)
{
	if (c->cxx)
		circeh_cxx_runtime().rethrow();
	set_thrown_on(c->native, true);
	_Unwind_Resume_or_Rethrow(c->native);
	circeh_unhandled(NULL, "nobody catches a foreign exception, which was rethrown");
}

/* A handler that takes it and ends, as far as C++ is concerned. */
void circeh_foreign_drop(void *native)
{
	CircehCatch handler = {.native = native, .handlers = 1};
	CircehDecision former;
	circeh_memo_take(native, &former);
	circeh_foreign_begin(&handler);
	circeh_foreign_end(&handler);
}

/* Landing pads drop what is replaced. */
void circeh_foreign_replace_below(CircException *by, uintptr_t frame)
{
	(void)by;
	(void)frame;
}
