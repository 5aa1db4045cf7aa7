/* How many parts the module's constants have when everything is written down as often as it occurs: aliases in aliases are few
 * bytes of text and few attributes, but as many parts as their number's power of two (IrModule.budget). */
#include "lower/lowerer.h"

#define PARTS_TOLD UINT64_MAX /* Lower.constant_parts: there were too many, which is told once a module */

static bool is_aggregate(const IrAttr *a)
{
	switch (a->kind) {
	case ATTR_CONST_ARRAY:
	case ATTR_CONST_RECORD:
	case ATTR_CONST_VECTOR:
	case ATTR_CONST_COMPLEX:
	case ATTR_VTABLE:
	case ATTR_TYPEINFO:
		return true;
	default:
		return false;
	}
}

/* Kept for aggregates alone, in a map of numbers: saturating, lest they overflow. Nesting is limited (TYPE_DEPTH_MAX). */
static uint32_t parts(Lower *e, const IrAttr *a)
{
	if (!is_aggregate(a) || !a->n)
		return 1;
	uint32_t known = (uint32_t)(uintptr_t)ptrmap_get(&e->parts_of, a);
	if (known)
		return known;
	uint64_t sum = 1;
	for (uint32_t i = 0; i < a->n; i++)
		sum += parts(e, a->elems[i]);
	uint32_t n = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
	ptrmap_put(e->arena, &e->parts_of, a, (void *)(uintptr_t)n);
	return n;
}

bool lower_count_parts(Lower *e, const IrAttr *constant)
{
	const uint64_t most = e->m->budget.constant_parts;
	if (!is_aggregate(constant) || !constant->n)
		return true;
	if (e->constant_parts != PARTS_TOLD)
		e->constant_parts += parts(e, constant);
	if (e->constant_parts <= most)
		return true;
	if (e->constant_parts != PARTS_TOLD)
		lower_error(e,
		            "exceeds %llu parts of constants in one module; repeat aliases less, or raise "
		            "%s",
		            (unsigned long long)most, diag_setting(e->d, SETTING_MAX_CONSTANT_PARTS));
	e->constant_parts = PARTS_TOLD;
	return false;
}
