#include "explain/set_jumps.h"

static bool registers(const CircSite *site)
{
	static const char *const callees[] = {"circ_sjlj_chain", "circ_sjlj_setjmp", "_Unwind_SjLj_Register"};
	for (size_t i = 0; site->callee && i < ARRAY_LEN(callees); i++)
		if (strcmp(site->callee, callees[i]) == 0)
			return true;
	return false;
}

static bool any_registers(const CircExplainedFunction *f)
{
	for (size_t i = 0; i < f->nsites; i++)
		if (registers(&f->sites[i]))
			return true;
	return false;
}

void explanation_mark_set_jumps(CircExplanation *e)
{
	for (uint32_t i = 0; i < e->functions.len; i++) {
		CircExplainedFunction *f = e->functions.data[i];
		if (f->tables != CIRC_TABLE_NONE || !any_registers(f))
			continue;
		f->tables = CIRC_TABLE_OTHER;
		f->sites = NULL;
		f->nsites = 0;
	}
}
