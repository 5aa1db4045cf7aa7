#include "repair/internal.h"

typedef bool RowFn(Repair *r);

typedef struct Row {
	unsigned stages;
	RowFn *run;
} Row;

static const Row rows[REPAIR_COUNT] = {
#define REPAIR(id, name, stages, what, from, until, shows, made, remark)                                     \
	[REPAIR_##id] = {stages, repair_##id},
#include "repair/repairs.def"
};

/* What proves that clang printed the text */

static bool is_proof(const IrNamedAttr *a)
{
	static const struct {
		const char *key;
		bool empty;
	} proofs[] = {
#define PROOF(key, empty, why) {key, empty},
#include "repair/proofs.def"
	};
	for (unsigned i = 0; i < ARRAY_LEN(proofs); i++)
		if (str_equal(name_str(a->name), str_of(proofs[i].key)) &&
		    (!proofs[i].empty || (a->value->kind == ATTR_ARRAY && !a->value->n)))
			return true;
	return false;
}

static bool is_proven(const IrModule *m)
{
	for (uint32_t i = 0; i < m->nmodule_attrs; i++)
		if (is_proof(&m->module_attrs[i]))
			return true;
	return m->of_older_clang;
}

/* The door */

static bool run_rows(Repair *r)
{
	for (unsigned i = 0; i < REPAIR_COUNT && (r->changes || !r->found); i++) {
		r->row = (RepairId)i;
		if ((rows[i].stages & r->stage) && !rows[i].run(r))
			return false;
	}
	return true;
}

/* What has no op of the flat stage alone is looked at as structured. */
static Stage broadest(const IrModule *m, Stage stage)
{
	bool both = stage == STAGE_FLAT && (ir_module_stages_of_all(m) & STAGE_STRUCTURED);
	return both ? STAGE_STRUCTURED : stage;
}

bool repair_module(IrModule *m, const AbiTarget *target, Stage *stage, Diags *d)
{
	bool asked = !m->repaired && m->repair != REPAIR_NONE;
	m->repaired = true;
	if (!asked)
		return true;
	ir_module_settle_exceptions(m);
	ArenaMark mark = arena_mark(&m->scratch);
	bool changes = m->repair == REPAIR_CLANG || is_proven(m);
	Repair r = {.m = m, .target = target, .d = d, .mem = &m->scratch, .changes = changes};
	r.stage = broadest(m, *stage);
	bool ok = run_rows(&r);
	repair_tell(&r);
	if (changes && r.found)
		*stage = ir_module_stage(m);
	arena_release(&m->scratch, mark);
	return ok;
}
