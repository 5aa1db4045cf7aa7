/* text/print/loc.c: names for locations that hold others (reference 1.8), or the long name of a file.
 *
 *	#loc1 = loc(fused["a.cpp":3:5, "a.cpp":4:7])
 *	module {
 *	  cir.trap loc(#loc1)
 *
 * Many ops and locations may share one: spelled out in each, the text would be longer than what was read by any factor. The
 * definitions stand above all else, each behind those of the locations in it.
 */
#include "text/print/printer.h"

enum { LONG_NAME = 128 };

static bool is_named(const LocInfo *loc)
{
	return loc->ninner || loc->name.len > LONG_NAME;
}

static uint32_t number_of(Printer *p, const LocInfo *loc)
{
	uint32_t known = (uint32_t)(uintptr_t)ptrmap_get(&p->loc_numbers, loc);
	if (known)
		return known;
	for (uint32_t i = 0; i < loc->ninner; i++)
		if (is_named(loc->inner[i]))
			number_of(p, loc->inner[i]);
	vec_push(p->arena, &p->locs, loc);
	ptrmap_put(p->arena, &p->loc_numbers, loc, (void *)(uintptr_t)p->locs.len);
	return p->locs.len;
}

static void put_name(Printer *p, uint32_t number)
{
	buf_put(p->arena, p->speller.out, STR("#loc"));
	spell_uint(p->arena, p->speller.out, number);
}

static bool loc_alias(Speller *s, const LocInfo *loc)
{
	Printer *p = s->user;
	if (!is_named(loc) || loc == p->defining_loc)
		return false;
	put_name(p, number_of(p, loc));
	return true;
}

void print_loc_init(Printer *p)
{
	p->speller.loc_alias = loc_alias;
}

void print_loc_definitions(Printer *p)
{
	for (uint32_t i = 0; i < p->locs.len; i++) {
		p->defining_loc = p->locs.data[i];
		put_name(p, i + 1);
		PUT(p, " = ");
		spell_loc(&p->speller, p->defining_loc);
		put_char(p, '\n');
	}
	p->defining_loc = NULL;
}
