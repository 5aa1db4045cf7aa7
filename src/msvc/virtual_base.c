#include "msvc/virtual_base.h"

#include "msvc/direct_base.h"

typedef struct Order {
	MsTypes *t;
	Loc loc;
	VEC(const MsInfo *) bases; /* by slot */
	unsigned *visits, depth;
	bool failed;
} Order;

/* Before the address point stand the type info, the offset to the top, and then the slots, downwards. */
static int32_t slot_of(uint32_t index)
{
	enum { FIRST_SLOT = -24, SLOT_SIZE = 8 };
	return FIRST_SLOT - SLOT_SIZE * (int32_t)index;
}

static uint32_t find(const Order *o, const MsInfo *base)
{
	uint32_t i = 0;
	while (i < o->bases.len && !ms_info_same(o->bases.data[i], base))
		i++;
	return i;
}

static MsInfo *enter(Order *o, const MsDirect *base, MsDirects *bases)
{
	bool may = o->depth<CXX_DEPTH_MAX && * o->visits> 0;
	MsInfo *info = may ? ms_direct_info(o->t, base, o->loc) : NULL;
	*o->visits -= may;
	o->failed = o->failed || !info || !ms_direct_bases(o->t, info, o->loc, bases);
	return o->failed ? NULL : info;
}

/* Depth first, each before what it has. */
static void add_in_order(Order *o, const MsDirects *bases)
{
	for (uint32_t i = 0; i < bases->len && !o->failed; i++) {
		MsDirects inner = {0};
		MsInfo *info = enter(o, &bases->data[i], &inner);
		if (!info)
			return;
		if (bases->data[i].is_virtual && find(o, info) == o->bases.len)
			vec_push(&o->t->m->scratch, &o->bases, info);
		o->depth++;
		add_in_order(o, &inner);
		o->depth--;
	}
}

/* Is what the type info tells where the order says? */
static bool agrees(const Order *o, const MsDirects *bases)
{
	for (uint32_t i = 0; i < bases->len; i++) {
		const MsDirect *base = &bases->data[i];
		if (!base->is_virtual)
			continue;
		uint32_t index = find(o, ms_direct_info(o->t, base, o->loc));
		if (base->vbptr != 0 || base->vbtable != slot_of(index))
			return false;
	}
	return true;
}

/* A base at offset 0 that has a vtable is the primary one, whose vtable begins that of the class. */
static void add_class(Order *o, const MsDirects *bases)
{
	for (uint32_t i = 0; i < bases->len && !o->failed; i++) {
		MsDirects inner = {0};
		if (bases->data[i].is_virtual || bases->data[i].offset != 0 ||
		    !enter(o, &bases->data[i], &inner))
			continue;
		o->depth++;
		add_class(o, &inner);
		o->depth--;
	}
	add_in_order(o, bases);
	o->failed = o->failed || !agrees(o, bases);
}

int32_t ms_vbase_slot(MsTypes *t, MsInfo *class, const MsInfo *base, Loc loc, unsigned *visits)
{
	Order o = {.t = t, .loc = loc, .visits = visits};
	MsDirects bases = {0};
	ArenaMark mark = arena_mark(&t->m->scratch);
	int32_t slot = 0;
	if (ms_direct_bases(t, class, loc, &bases))
		add_class(&o, &bases);
	uint32_t index = find(&o, base);
	if (!o.failed && index < o.bases.len)
		slot = slot_of(index);
	arena_release(&t->m->scratch, mark);
	return slot;
}
