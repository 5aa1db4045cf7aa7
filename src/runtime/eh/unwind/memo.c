/* Filters are asked once, in the first phase, but a foreign exception has no room for what they said until the
 * second: it is kept here, by the exception's address. */
#include "runtime/eh/unwind/unwind.h"

bool circeh_memo_take(const void *native, CircehDecision *decision)
{
	for (CircehMemo **link = &circeh_thread()->memos; *link; link = &(*link)->older) {
		CircehMemo *memo = *link;
		if (memo->native != native)
			continue;
		*decision = memo->decision;
		*link = memo->older;
		circeh_free(memo);
		return true;
	}
	return false;
}

/* An older one of the same address is of a search that led nowhere. */
void circeh_memo_set(const void *native, const CircehDecision *decision)
{
	CircehThread *t = circeh_thread();
	CircehDecision former;
	circeh_memo_take(native, &former);
	CircehMemo *memo = circeh_allocate(sizeof *memo);
	*memo = (CircehMemo){t->memos, native, *decision};
	t->memos = memo;
}
