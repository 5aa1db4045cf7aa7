/* Which clause takes an exception: the one place, for all systems and shapes. */
#include "runtime/eh/fault.h"
#include "runtime/eh/guard.h"

static CIRCEH_GUARDED int call_filter(CircFilter *filter, CircRecord *record, void *frame)
{
	int answer = filter(record, frame);
	CIRCEH_GUARD(filter);
	return answer;
}

static int ask_filter(const CircClause *clause, CircRecord *record, void *frame)
{
	CircFilter *filter;
	_Static_assert(sizeof filter == sizeof clause->what, "a function's address is one of data");
	__builtin_memcpy(&filter, &clause->what, sizeof filter);
	int answer = call_filter(filter, record, frame);
	if (answer < CIRC_CONTINUE_EXECUTION || answer > CIRC_EXECUTE_HANDLER)
		circeh_fatal("a filter answered neither 1, 0 nor -1");
	if (answer == CIRC_CONTINUE_EXECUTION && record->flags & CIRC_NONCONTINUABLE)
		circeh_fatal("a filter wants to go on where an exception was thrown that does not return");
	return answer;
}

static bool takes_type(const CircClause *clause, const CircException *own, void **object)
{
	return own && !circeh_is_fault(own) && own->type->language == clause->language &&
	       circeh_match(own->type, clause, object);
}

void *circ_object_as(const CircRecord *record, uint32_t language, const CircType *type)
{
	CircClause wanted = {CIRC_CLAUSE_EXCEPTION_TYPE, language, type};
	void *object = record ? record->object : NULL;
	const CircException *own = object ? circeh_of_object(object, CIRCEH_THROWN) : NULL;
	return takes_type(&wanted, own, &object) ? object : NULL;
}

int circeh_ask(const CircClause *clause, CircException *own, CircRecord *foreign, void *frame,
               CircehDecision *decision)
{
	bool fault = own && circeh_is_fault(own);
	bool known = own && (!clause || fault || own->type->language == clause->language);
	void *object = known && !fault ? own->object : NULL;
	CircRecord view = own && !known ? circeh_foreign_record(&own->native) : (CircRecord){0};
	int answer = CIRC_CONTINUE_SEARCH;
	switch (clause ? clause->kind : CIRC_CLAUSE_ALL) {
	case CIRC_CLAUSE_ALL:
		answer = CIRC_EXECUTE_HANDLER;
		break;
	case CIRC_CLAUSE_TYPE:
	case CIRC_CLAUSE_EXCEPTION_TYPE:
		answer = takes_type(clause, own, &object) ? CIRC_EXECUTE_HANDLER : CIRC_CONTINUE_SEARCH;
		break;
	case CIRC_CLAUSE_WHEN:
		answer = ask_filter(clause, !own ? foreign : known ? &own->record : &view, frame);
		break;
	default:
		circeh_fatal("a table of exceptions names what is no clause");
	}
	decision->object = object;
	decision->foreign = !known;
	return answer;
}
