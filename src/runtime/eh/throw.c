/* Throwing, and throwing on. */
#include "runtime/eh/exception.h"
#include "runtime/eh/raise.h"

/* Where the function returns to. */
#ifdef __wasm__ /* no address of code means anything */
#define CIRCEH_CALLER NULL
#else
#define CIRCEH_CALLER __builtin_return_address(0)
#endif

static void describe(CircException *e, const CircClause *type, void *address)
{
	uint32_t code = circeh_code_of_type(type->what);
	e->record = (CircRecord){
	    .code = code,
	    .object = e->object,
	    .type = type->what,
	    .address = address,
	    .native = &e->native,
	    .info = {circeh_is_status(code) ? 0 : type->language, 0},
	};
}

static void check_type(const CircClause *type)
{
	if (!type || (type->kind != CIRC_CLAUSE_TYPE && type->kind != CIRC_CLAUSE_EXCEPTION_TYPE &&
	              type->kind != CIRC_CLAUSE_CXX))
		circeh_fatal("what is thrown has no type");
}

/* All that comes before the unwinder. Apart from who calls that: what a function keeps in registers is restored for each frame
 * that is unwound, in both phases, and circ_throw() is one. */
static __attribute__((noinline)) CircException *begin_throw(void *object, const CircClause *type,
                                                            void (*destroy)(void *object), uint32_t flags,
                                                            void *address)
{
	CircException *e = circeh_of_object(object, CIRCEH_ALLOCATED);
	check_type(type);
	e->state = CIRCEH_THROWN;
	e->type = type;
	e->destroy = destroy;
	describe(e, type, address);
	e->record.flags = flags;
	circeh_fly(e);
	circeh_on_throw(&e->record);
	return e;
}

/* Nobody took it, or a filter says that execution goes on. */
static __attribute__((noinline)) void end_throw(CircException *e)
{
	if (!e->decision.continues)
		circeh_unhandled(e, "nobody catches an exception");
	circeh_over(e);
}

void circ_throw(void *object, const CircClause *type, void (*destroy)(void *object))
{
	CircException *e = begin_throw(object, type, destroy, 0, CIRCEH_CALLER);
	circeh_raise(e);
	end_throw(e);
}

_Noreturn void circ_throw_noncontinuable(void *object, const CircClause *type, void (*destroy)(void *object))
{
	CircException *e = begin_throw(object, type, destroy, CIRC_NONCONTINUABLE, CIRCEH_CALLER);
	circeh_raise(e);
	end_throw(e);
	circeh_fatal("an exception that cannot be continued was");
}

_Noreturn void circ_raise(uint32_t check)
{
	CircException *e = begin_throw(circ_allocate_exception(0), circeh_check_clause(check), NULL,
	                               CIRC_NONCONTINUABLE, CIRCEH_CALLER);
	circeh_raise(e);
	end_throw(e);
	circeh_fatal("a check that failed was continued");
}

static inline __attribute__((always_inline)) _Noreturn void rethrow_own(CircException *e)
{
	e->held.handlers = -e->held.handlers;
	e->plain_frame = 0;
	e->record.flags |= CIRC_RETHROWN | CIRC_NONCONTINUABLE;
	circeh_fly(e);
	circeh_on_throw(&e->record);
	circeh_raise(e);
	circeh_unhandled(e, "nobody catches an exception that was thrown on");
}

_Noreturn void circ_rethrow(void)
{
	CircehCatch *c = circeh_innermost();
	if (!c)
		circeh_fatal("an exception is thrown on outside of handlers");
	if (c->handlers < 0)
		circeh_fatal("an exception is rethrown that is already being thrown");
	if (!c->own)
		circeh_foreign_rethrow(c);
	rethrow_own(circeh_held(c));
}

_Noreturn void circ_terminate(void *native)
{
	circeh_unhandled(native ? circeh_own(native) : NULL,
	                 "nothing may throw here, but something threw an exception");
}
