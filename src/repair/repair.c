#include "repair/internal.h"

typedef bool RowFn(Repair *r);

typedef struct Row {
	unsigned stages;
	RowFn *run;
	const char *from, *until;
} Row;

static const Row rows[REPAIR_COUNT] = {
#define REPAIR(id, name, stages, what, from, until, shows, made, remark)                                     \
	[REPAIR_##id] = {stages, repair_##id, from, until},
#include "repair/repairs.def"
};

/* The door */

/* Did a clang that printed what the row is for print the text? */
static bool overlaps(const Row *row, RepairTime text)
{
	RepairTime t = repair_time_both(repair_time(row->from, row->until), text);
	return t.first <= t.last;
}

static bool run_rows(Repair *r)
{
	RepairTime text = repair_time_of_text(r->m);
	bool proven = text.first <= text.last;
	for (unsigned i = 0; i < REPAIR_COUNT; i++) {
		r->row = (RepairId)i;
		r->changes = r->m->repair == REPAIR_CLANG || overlaps(&rows[i], text);
		bool looks = r->changes || (!proven && !r->left.n);
		bool runs = rows[i].stages & r->stage && looks;
		if (runs && !rows[i].run(r))
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
	Repair r = {.m = m, .target = target, .d = d, .mem = &m->scratch};
	r.stage = broadest(m, *stage);
	bool ok = run_rows(&r);
	repair_tell(&r);
	if (r.changed.n)
		*stage = ir_module_stage(m);
	arena_release(&m->scratch, mark);
	return ok;
}
