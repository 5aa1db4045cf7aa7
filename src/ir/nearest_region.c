#include "ir/nearest_region.h"

enum { NEAR = 16 }; /* Most ops find it there, and put nothing into the map. */

static const IrRegion none;

static const IrRegion *outside(const IrRegion *r)
{
	return r->op && r->op->block ? r->op->block->region : NULL;
}

const IrRegion *ir_nearest(Arena *a, PtrMap *known, const IrOp *from, NearestTest *is, void *user)
{
	const IrRegion *r = from->block->region, *far, *end, *found = NULL;
	for (unsigned i = 0; i < NEAR; i++, r = outside(r))
		if (!r || is(user, r))
			return r;
	for (far = r; r && !(found = ptrmap_get(known, r)) && !is(user, r);)
		r = outside(r);
	end = r;
	found = found ? found : r ? r : &none;
	for (; far != end; far = outside(far))
		ptrmap_put(a, known, far, (void *)(uintptr_t)found);
	return found == &none ? NULL : found;
}
