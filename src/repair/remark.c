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
	diag_remark(r->d, loc, "%s: %s; --repair=none leaves it as it is", rows[row].name, rows[row].remark);
}

static void remark_all(const Repair *r)
{
	StrBuf list = {0};
	for (unsigned i = 0; i < REPAIR_COUNT; i++)
		if (r->found_by[i])
			buf_printf(r->mem, &list, "%s%" PRIu32 " %s", list.len ? ", " : "", r->found_by[i],
			           rows[i].name);
	diag_remark(r->d, r->first,
	            "repaired %" PRIu32
	            " places that clang printed wrong (%.*s), the first is here; add -v to list "
	            "them, or --repair=none to leave them as they are",
	            r->found, (int)list.len, list.data);
}

static void warn(const Repair *r)
{
	diag_warning(
	    r->d, r->first,
	    "clang is known to print this wrong: %s; it is compiled as written, because nothing proves that "
	    "clang printed this text; add --repair=clang if it did, or --repair=none if the text is "
	    "right",
	    rows[r->first_row].what);
}

void repair_tell(const Repair *r)
{
	if (!r->found)
		return;
	if (!r->changes)
		warn(r);
	else if (!r->m->repair_each && r->found == 1)
		remark(r, r->first_row, r->first);
	else if (!r->m->repair_each)
		remark_all(r);
}

bool repair_at(Repair *r, Loc loc)
{
	if (!r->found++) {
		r->first = loc;
		r->first_row = r->row;
	}
	r->found_by[r->row]++;
	if (r->changes && r->m->repair_each)
		remark(r, r->row, loc);
	return r->changes;
}
