/* The first phase: the chain of frames is walked, and their clauses are asked; nothing is unwound. */
#include "runtime/eh/guard.h"
#include "runtime/eh/sjlj/frame.h"

static _Thread_local CircehFrame *innermost;

CircehFrame **circ_sjlj_chain(void)
{
	return &innermost;
}

int circeh_chain_ask(const CircehFrame *frame, CircException *e, CircRecord *foreign,
                     CircehDecision *decision)
{
	for (uint32_t i = 0; i < frame->pad->nclauses; i++) {
		const CircehPadClause *c = &frame->pad->clauses[i];
		int answer = circeh_ask(c->clause, e, foreign, (void *)frame->buffer[0], decision);
		if (answer == CIRC_CONTINUE_SEARCH)
			continue;
		decision->pad = (uintptr_t)frame;
		decision->selector = (int)c->selector;
		decision->continues = answer == CIRC_CONTINUE_EXECUTION;
		return answer;
	}
	return CIRC_CONTINUE_SEARCH;
}

int circeh_chain_search(CircException *e)
{
	CircRecord none = {0};
	for (const CircehFrame *f = innermost; f; f = f->outer) {
		CircehDecision decision = {0};
		if (!f->pad)
			circeh_left(e, f->guards);
		int answer = circeh_chain_ask(f, e, &none, &decision);
		if (answer == CIRC_CONTINUE_SEARCH)
			continue;
		e->decision = decision;
		return answer;
	}
	return CIRC_CONTINUE_SEARCH;
}
