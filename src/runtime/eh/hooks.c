/* What a language may set. A function is in a word that threads exchange. */
#include "runtime/eh/exception.h"
#include "runtime/eh/guard.h"

#include <stdatomic.h>

static _Atomic(CircMatch *) match;
static _Atomic(CircRelease *) release;
static _Atomic(CircThrowHook *) throw_hook;
static _Atomic(CircUnhandled *) unhandled;
static _Atomic(CircDescribe *) describe;
static _Atomic(CircReplaced *) replaced;

CircMatch *circ_set_match(CircMatch *f)
{
	return atomic_exchange(&match, f);
}

CircRelease *circ_set_release(CircRelease *f)
{
	return atomic_exchange(&release, f);
}

CircThrowHook *circ_set_throw_hook(CircThrowHook *f)
{
	return atomic_exchange(&throw_hook, f);
}

CircUnhandled *circ_set_unhandled(CircUnhandled *f)
{
	return atomic_exchange(&unhandled, f);
}

CircDescribe *circ_set_describe(CircDescribe *f)
{
	return atomic_exchange(&describe, f);
}

CircReplaced *circ_set_replaced(CircReplaced *f)
{
	return atomic_exchange(&replaced, f);
}

CIRCEH_GUARDED bool circeh_match(const CircClause *thrown, const CircClause *wanted, void **object)
{
	CircMatch *f = atomic_load(&match);
	CIRCEH_BEGIN_GUARD(match);
	bool takes = f ? f(thrown, wanted, object) : circ_match_default(thrown, wanted, object);
	CIRCEH_GUARD(match);
	return takes;
}

CIRCEH_GUARDED void circeh_release(const CircException *e)
{
	const CircExceptionType *described =
	    e->type->kind == CIRC_CLAUSE_EXCEPTION_TYPE ? e->type->what : NULL;
	CircRelease *f = atomic_load(&release);
	CIRCEH_BEGIN_GUARD(release);
	if (e->destroy)
		e->destroy(e->object);
	else if (described && described->release)
		described->release(e->object);
	else if (f && !circeh_is_status(e->record.code))
		f(e->object, e->type);
	CIRCEH_GUARD(release);
}

CIRCEH_GUARDED void circeh_on_throw(CircRecord *record)
{
	CircThrowHook *f = atomic_load(&throw_hook);
	CIRCEH_BEGIN_GUARD(throw_hook);
	if (f)
		f(record);
	CIRCEH_GUARD(throw_hook);
}

CIRCEH_GUARDED void circeh_on_unhandled(CircRecord *record)
{
	CircUnhandled *f = atomic_load(&unhandled);
	CIRCEH_BEGIN_GUARD(unhandled);
	if (f)
		f(record);
	CIRCEH_GUARD(unhandled);
}

CIRCEH_GUARDED void circeh_on_replaced(CircRecord *old, CircRecord *replacement)
{
	CircReplaced *f = atomic_load(&replaced);
	CIRCEH_BEGIN_GUARD(replaced);
	if (f)
		f(old, replacement);
	CIRCEH_GUARD(replaced);
}

CIRCEH_GUARDED bool circeh_describe(const CircRecord *record, char *out, size_t size)
{
	CircDescribe *f = atomic_load(&describe);
	CIRCEH_BEGIN_GUARD(describe);
	bool known = f && f(record, out, size);
	CIRCEH_GUARD(describe);
	return known;
}
