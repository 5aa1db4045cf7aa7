/* Which clause takes an exception: the one place, for all systems and shapes. */
#include "runtime/eh/exception.h"
#include "runtime/eh/guard.h"
#ifdef CIRCEH_SJLJ
#include "runtime/eh/sjlj/cxx_types.h"
#endif

static CIRCEH_GUARDED int call_filter(CircFilter *filter, CircRecord *record, void *frame)
{
	CIRCEH_BEGIN_GUARD(filter);
	int answer = filter(record, frame);
	CIRCEH_GUARD(filter);
	return answer;
}

/* One that exceptions may leave. Until it has returned, `own` is over when what left it lands above. */
static int call_nested(CircFilter *filter, CircRecord *record, void *frame, CircException *own)
{
	int here;
	uintptr_t former = own ? own->stack : 0;
	if (own)
		own->stack = (uintptr_t)&here;
	int answer = filter(record, frame);
	if (own)
		own->stack = former;
	return answer;
}

/* A structured exception, which a filter may not send on: the system says so, by another exception. */
static bool is_the_systems(const CircRecord *record, const CircException *own)
{
	return !own && record->code != CIRC_CODE_FOREIGN;
}

static int ask_filter(const CircClause *clause, CircRecord *record, void *frame, CircException *own)
{
	CircFilter *filter;
	_Static_assert(sizeof filter == sizeof clause->what, "a function's address is one of data");
	__builtin_memcpy(&filter, &clause->what, sizeof filter);
	int answer = clause->kind == CIRC_CLAUSE_WHEN_NESTED ? call_nested(filter, record, frame, own)
	                                                     : call_filter(filter, record, frame);
	if (answer < CIRC_CONTINUE_EXECUTION || answer > CIRC_EXECUTE_HANDLER)
		circeh_fatal("a filter answered neither 1, 0 nor -1");
	if (answer == CIRC_CONTINUE_EXECUTION && record->flags & CIRC_NONCONTINUABLE &&
	    !is_the_systems(record, own))
		circeh_fatal("a filter wants to go on where an exception was thrown that does not return");
	return answer;
}

/* Handlers of C++ where there are no tables. */
static bool takes_cxx(const CircClause *clause, const CircException *own, void **object)
{
#ifdef CIRCEH_SJLJ
	return own && own->type->kind == CIRC_CLAUSE_CXX &&
	       circeh_cxx_takes(own->type->what, clause->what, object);
#else
	(void)clause;
	(void)own;
	(void)object;
	circeh_fatal("a handler that needs no tables meets code that has some: link all of it with "
	             "--eh=sjlj, or none");
#endif
}

/* Faults are of all languages, and of the runtime's types only. */
static bool takes_type(const CircClause *clause, const CircException *own, const CircRecord *record,
                       void **object)
{
	if (circeh_is_status_type(clause->what) || circeh_is_status(record->code))
		return circeh_status_is(record->code, clause->what);
	return own && own->type->language == clause->language && circeh_match(own->type, clause, object);
}

void *circ_object_as(const CircRecord *record, uint32_t language, const CircExceptionType *type)
{
	CircClause wanted = {CIRC_CLAUSE_EXCEPTION_TYPE, language, type};
	void *object = record ? record->object : NULL;
	const CircException *own = object ? circeh_of_object(object, CIRCEH_THROWN) : NULL;
	return own && takes_type(&wanted, own, record, &object) ? object : NULL;
}

int circeh_ask(const CircClause *clause, CircException *own, CircRecord *foreign, void *frame,
               CircehDecision *decision)
{
	bool fault = own && circeh_is_status(own->record.code);
	bool known = own && (fault || !clause || own->type->language == clause->language);
	void *object = known ? own->object : NULL;
	CircRecord view = own && !known ? circeh_foreign_record(&own->native) : (CircRecord){0};
	view.pointers = own ? own->record.pointers : NULL;
	int answer = CIRC_CONTINUE_SEARCH;
	switch (clause ? clause->kind : CIRC_CLAUSE_ALL) {
	case CIRC_CLAUSE_ALL:
		answer = CIRC_EXECUTE_HANDLER;
		break;
	case CIRC_CLAUSE_TYPE:
	case CIRC_CLAUSE_EXCEPTION_TYPE:
		answer = takes_type(clause, own, own ? &own->record : foreign, &object)
		             ? CIRC_EXECUTE_HANDLER
		             : CIRC_CONTINUE_SEARCH;
		break;
	case CIRC_CLAUSE_CXX:
		answer = takes_cxx(clause, own, &object) ? CIRC_EXECUTE_HANDLER : CIRC_CONTINUE_SEARCH;
		break;
	case CIRC_CLAUSE_WHEN:
	case CIRC_CLAUSE_WHEN_NESTED:
		answer = ask_filter(clause, !own ? foreign : known ? &own->record : &view, frame, own);
		break;
	default:
		circeh_fatal("a table of exceptions names what is no clause");
	}
	decision->object = object;
	decision->foreign = !known;
	return answer;
}
