/* What proves that clang printed a text, and when: attributes of the module (proofs.def), and obsolete spellings that the reader met
 * (ir/dated.def). Everything in a text was printed at one time: what cannot be older or newer narrows it, and where no time is left,
 * no clang printed the text. */
#include "repair/internal.h"

#include <limits.h>
#include <stdlib.h>

/* "2025-04", or "2025" for its first month or its last */
static int months(const char *when, int month)
{
	char *end;
	long year = strtol(when, &end, 10);
	return (int)(year * 12 + (*end == '-' ? strtol(end + 1, NULL, 10) : month));
}

RepairTime repair_time(const char *from, const char *until)
{
	return (RepairTime){*from == '?' ? 0 : months(from, 1),
	                    *until == '?' || *until == 'n' ? INT_MAX : months(until, 12)};
}

RepairTime repair_time_both(RepairTime a, RepairTime b)
{
	return (RepairTime){a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

static void narrow(RepairTime *t, const char *from, const char *until)
{
	*t = repair_time_both(*t, repair_time(from, until));
}

static bool narrow_by_attribute(RepairTime *t, const IrNamedAttr *a)
{
	static const struct {
		const char *key;
		bool empty;
		const char *from, *until;
	} proofs[] = {
#define PROOF(key, empty, from, until, why) {key, empty, from, until},
#include "repair/proofs.def"
	};
	for (unsigned i = 0; i < ARRAY_LEN(proofs); i++)
		if (str_equal(name_str(a->name), str_of(proofs[i].key)) &&
		    (!proofs[i].empty || (a->value->kind == ATTR_ARRAY && !a->value->n))) {
			narrow(t, proofs[i].from, proofs[i].until);
			return true;
		}
	return false;
}

static bool narrow_by_spellings(RepairTime *t, uint32_t dated)
{
	static const struct {
		bool proves;
		const char *from, *until;
	} spellings[] = {
#define DATED(id, proves, spelling, from, until) [DATED_##id] = {proves, from, until},
#include "ir/dated.def"
	};
	bool proven = false;
	for (unsigned i = 0; i < ARRAY_LEN(spellings); i++)
		if (dated >> i & 1) {
			narrow(t, spellings[i].from, spellings[i].until);
			proven |= spellings[i].proves;
		}
	return proven;
}

RepairTime repair_time_of_text(const IrModule *m)
{
	RepairTime t = repair_time("?", "now"), never = {1, 0};
	bool proven = narrow_by_spellings(&t, m->dated);
	for (uint32_t i = 0; i < m->nmodule_attrs; i++)
		proven |= narrow_by_attribute(&t, &m->module_attrs[i]);
	return proven ? t : never;
}
