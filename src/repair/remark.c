/* What is said of places that were repaired, or look as if they should be. */
#include "repair/internal.h"

#include <inttypes.h>

static const struct {
	const char *name, *what, *remark;
} rows[REPAIR_COUNT] = {
#define REPAIR(id, name, stages, what, from, until, shows, made, remark) [REPAIR_##id] = {name, what, remark},
#include "repair/repairs.def"
};

static void remark(const Repair *r, RepairId row, Loc loc)
{
	diag_remark(r->d, loc, "%s: %s; %s leaves it as it is", rows[row].name, rows[row].remark,
	            diag_setting(r->d, SETTING_REPAIR_NONE));
}

static void remark_all(const Repair *r)
{
	StrBuf list = {0};
	for (unsigned i = 0; i < REPAIR_COUNT; i++)
		if (r->changed_by[i])
			buf_printf(r->mem, &list, "%s%" PRIu32 " %s", list.len ? ", " : "", r->changed_by[i],
			           rows[i].name);
	diag_remark(r->d, r->changed.first,
	            "repaired %" PRIu32
	            " places that clang printed wrong (%.*s), the first is here; use %s to list "
	            "them, or %s to leave them as they are",
	            r->changed.n, (int)list.len, list.data, diag_setting(r->d, SETTING_REPAIR_EACH),
	            diag_setting(r->d, SETTING_REPAIR_NONE));
}

static void warn(const Repair *r)
{
	diag_warning(
	    r->d, r->left.first,
	    "clang is known to print this wrong: %s; it is compiled as written, because nothing proves that "
	    "clang printed this text; use %s if it did, or %s if the text is right",
	    rows[r->left.row].what, diag_setting(r->d, SETTING_REPAIR_CLANG),
	    diag_setting(r->d, SETTING_REPAIR_NONE));
}

void repair_tell(const Repair *r)
{
	if (r->left.n)
		warn(r);
	if (!r->changed.n || r->m->repair_each)
		return;
	if (r->changed.n == 1)
		remark(r, r->changed.row, r->changed.first);
	else
		remark_all(r);
}

static void count(RepairFound *found, RepairId row, Loc loc)
{
	if (!found->n++) {
		found->first = loc;
		found->row = row;
	}
}

bool repair_at(Repair *r, Loc loc)
{
	count(r->changes ? &r->changed : &r->left, r->row, loc);
	r->changed_by[r->row] += r->changes;
	if (r->changes && r->m->repair_each)
		remark(r, r->row, loc);
	return r->changes;
}
