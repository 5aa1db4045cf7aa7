/* explain/coff_shared.c: what the readers of Microsoft's tables share: names, places, and how much work is left. */
#include "explain/coff_tables.h"

bool coff_tables_spend(CoffTables *t, ObjectPlace at, uint64_t work)
{
	if (t->work_left >= work) {
		t->work_left -= work;
		return true;
	}
	if (t->work_left)
		object_warning(t->o, at, "tables refer to each other so often that the rest is not shown");
	t->work_left = 0;
	return false;
}

ObjectTarget coff_tables_target(const CoffTables *t, ObjectPlace at)
{
	ObjectTarget target;
	object_pointer(t->o, at, 4, OBJECT_RELOC_IMAGE, &target);
	return target;
}

const char *coff_tables_symbol(const CoffTables *t, uint32_t symbol)
{
	if (symbol >= t->o->nsymbols || !t->o->symbols[symbol].name.len)
		return NULL;
	return explanation_string(t->e, t->o->symbols[symbol].name);
}

CircExplainedFunction *coff_tables_function(const CoffTables *t, ObjectPlace begin)
{
	const PdataEntry *entry = pdata_at(&t->entries, begin);
	return entry ? t->functions[entry - t->entries.data] : NULL;
}

CircStep coff_tables_step(const CoffTables *t, CircStepKind kind, const ObjectTarget *code)
{
	CircStep step = {.kind = kind, .state = -1};
	step.function = coff_tables_symbol(t, code->symbol);
	if (code->place.section >= t->o->nsections)
		return step;
	const PdataEntry *entry = pdata_at(&t->entries, code->place);
	step.begin = object_address(t->o, code->place);
	step.end = entry ? step.begin + entry->size : 0;
	step.place = entry ? line_table_find_begin(&t->lines, code->place, entry->size)
	                   : line_table_find(&t->lines, code->place);
	return step;
}

const char *coff_tables_callee(const CoffTables *t, Str symbol)
{
	static const Str imported = {"__imp_", 6};
	if (str_begins_with(symbol, imported))
		symbol = (Str){symbol.data + imported.len, symbol.len - imported.len};
	return symbol.len ? explanation_string(t->e, symbol) : NULL;
}
