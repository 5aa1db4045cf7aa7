#include "interpret.h"

#include <stdio.h>
#include <string.h>

static int32_t number_at(const void *object)
{
	int32_t n;
	memcpy(&n, object, sizeof n);
	return n;
}

static Exception *numbered(Interp *in, const char *type, int32_t n)
{
	Exception *e = exception_new(in, type, sizeof(int32_t[3]));
	memcpy(e->object, &n, sizeof n);
	return e;
}

static Exception *of_circ(Interp *in, const char *type, int32_t n)
{
	Exception *e = numbered(in, type, n);
	e->language = LANGUAGE_OWN;
	e->record = (Record){.code = CODE_LANGUAGE, .object = e->object};
	return e;
}

/* With a destructor, which says so. */
static Exception *of_cxx(Interp *in, const char *type, int32_t n)
{
	Exception *e = numbered(in, type, n);
	e->dtor = ir_name(in->m, STR("own_release_cxx"));
	return e;
}

enum { OF_CXX = 5, KINDS = 10 };

static Exception *of_kind(Interp *in, unsigned kind, int32_t n)
{
	Exception *e;
	switch (kind) {
	case 0:
		return numbered(in, "i", n);
	case 1:
		return of_cxx(in, "3Cxx", n);
	case 2:
		return of_cxx(in, "Odd", n);
	case 3:
		return of_cxx(in, "my.IOError", n);
	case 4:
		return of_cxx(in, "my.net.Timeout", n);
	case 5:
		return of_circ(in, "Error", n);
	case 6:
		return of_circ(in, "my.IOError", n);
	case 7:
		return of_circ(in, "my.net.Timeout", n);
	case 8:
		return of_circ(in, "Both", n);
	default:
		e = numbered(in, "", n);
		e->language = LANGUAGE_OTHER;
		e->dtor = ir_name(in->m, STR("own_release_other"));
		return e;
	}
}

static Exception *some(Interp *in, int32_t n)
{
	return of_kind(in, world_decide(&in->world) % KINDS, n);
}

/* own: of circ's kinds alone. */
static Way act(Interp *in, int32_t n, bool own)
{
	printf(" act%d", n);
	if (world_is_exhausted(&in->world) || world_decide(&in->world) % 6 != 0)
		return WAY_END;
	Exception *e =
	    own ? of_kind(in, OF_CXX + world_decide(&in->world) % (KINDS - OF_CXX), n) : some(in, n);
	Way way = exception_throw(in, e);
	if (way == WAY_END)
		printf(" on%d", n);
	return way;
}

Way own_raise(Interp *in, int32_t n)
{
	Exception *e = some(in, n);
	e->record.flags |= RECORD_NONCONTINUABLE;
	return exception_throw(in, e);
}

static bool may_go_on(Interp *in, const Record *r)
{
	if (r->flags & RECORD_NONCONTINUABLE || in->world.thrown_on)
		return false;
	return !fault_is_status(r->code) || fault_repair(&in->world, r);
}

static int answer(Interp *in, const Record *r, int32_t n, unsigned last_that_goes_on)
{
	printf(" when%d", n);
	if (r->code == CODE_LANGUAGE)
		printf("=%d", number_at(r->object));
	else if (fault_is_status(r->code))
		fault_say(&in->world, r);
	unsigned drawn = world_decide(&in->world) % 4;
	if (drawn > last_that_goes_on)
		return ANSWER_HANDLE;
	return drawn && may_go_on(in, r) ? ANSWER_CONTINUE : ANSWER_SEARCH;
}

static Way call(Interp *in, Value function, int32_t n)
{
	Value arg = {.i = (uint64_t)(int64_t)n}, result;
	return exec_call(in, function.p, &arg, 1, &result);
}

/* A destructor of C++ on the way. */
static Way through(Interp *in, Value function, int32_t n)
{
	Way way = call(in, function, n);
	if (way == WAY_END || way == WAY_THROW)
		printf(" ~%d", n);
	return way;
}

static Way handle(Interp *in, int32_t n, GuardKind kind)
{
	Exception *e = in->exception;
	Way way = exception_begin_catch(in, e, EH_RUNTIME_CXX);
	if (way != WAY_END)
		return way;
	if (kind == GUARD_WORLD_ERROR)
		printf(" error=%d", number_at(e->object));
	printf(" any%d", n);
	switch (world_decide(&in->world) % 3) {
	case 0:
		in->world.thrown_on = true;
		way = exception_rethrow(in, EH_RUNTIME_CXX);
		break;
	case 1:
		way = exception_throw(in, numbered(in, "i", n));
		break;
	default:
		break;
	}
	if (way == WAY_TERMINATE || way == WAY_FAILED)
		return way;
	Way ended = exception_end_catch(in, e, EH_RUNTIME_CXX);
	return ended == WAY_END ? way : ended;
}

/* try { function(n) } catch (...), or catch (Error &) */
static Way caught(Interp *in, Value function, int32_t n, GuardKind kind)
{
	Guard guard;
	search_begin(in, &guard, kind, NULL);
	Way way = call(in, function, n);
	search_end(in, &guard);
	return way == WAY_THROW && in->exception->target == &guard ? handle(in, n, kind) : way;
}

static void say_code(const Interp *in, const Record *r)
{
	if (fault_is_status(r->code))
		fault_say(&in->world, r);
	else
		printf(" %s", r->code == CODE_LANGUAGE ? "own" : "foreign");
}

static bool call_saw(const Interp *in, const char *name, const Value *args)
{
	if (strcmp(name, "own_saw") == 0)
		printf(" x=%d", (int)args[0].i);
	else if (strcmp(name, "own_object") == 0)
		printf(" own=%d", number_at(args[0].p));
	else if (strcmp(name, "own_code") == 0)
		say_code(in, args[0].p);
	else if (strcmp(name, "own_escapes") == 0)
		printf(" escapes");
	else if (strcmp(name, "own_abnormal") == 0)
		printf(" %s", args[0].i ? "abnormal" : "normal");
	else
		return false;
	return true;
}

static bool call_release(const Interp *in, const char *name, const Value *args)
{
	char what = strcmp(name, "own_release") == 0         ? 'E'
	            : strcmp(name, "own_release_cxx") == 0   ? 'C'
	            : strcmp(name, "own_release_other") == 0 ? 'O'
	                                                     : 0;
	if (what)
		printf(" %c%c%d", in->released_as, what, number_at(args[0].p));
	return what;
}

bool own_call(Interp *in, const char *name, const Value *args, Value *result, Way *way)
{
	*way = WAY_END;
	if (call_saw(in, name, args) || call_release(in, name, args))
		return true;
	if (strcmp(name, "own_answer") == 0)
		result->i = (uint64_t)(int64_t)answer(in, args[0].p, (int32_t)args[1].i, 1);
	else if (strcmp(name, "fault_answer") == 0)
		result->i = (uint64_t)(int64_t)answer(in, args[0].p, (int32_t)args[1].i, 2);
	else if (strcmp(name, "own_thrown_on") == 0)
		in->world.thrown_on = true;
	else if (strcmp(name, "own_act") == 0)
		*way = act(in, (int32_t)args[0].i, false);
	else if (strcmp(name, "own_act_own") == 0)
		*way = act(in, (int32_t)args[0].i, true);
	else if (strcmp(name, "own_through") == 0)
		*way = through(in, args[0], (int32_t)args[1].i);
	else if (strcmp(name, "own_catch") == 0)
		*way = caught(in, args[0], (int32_t)args[1].i, GUARD_WORLD);
	else if (strcmp(name, "own_catch_error") == 0)
		*way = caught(in, args[0], (int32_t)args[1].i, GUARD_WORLD_ERROR);
	else
		return false;
	return true;
}

void own_print_escape(Interp *in, Exception *e)
{
	if (strcmp(e->type, "i") == 0)
		printf(" escapes int=%d", number_at(e->object));
	else
		printf(" escapes");
	exception_begin_catch(in, e, EH_RUNTIME_CXX);
	exception_end_catch(in, e, EH_RUNTIME_CXX);
	printf("\n");
}
