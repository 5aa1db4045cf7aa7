/* What the programs of tests/random/faults.py call besides: tests/random/fault_runtime.cpp once more. */
#include "interpret.h"

#include <stdio.h>
#include <string.h>

enum { CELL = 64, CELLS = 16, PAGE_CELLS = 32 };

void fault_start(World *w)
{
	for (unsigned i = 0; i < sizeof w->memory; i++)
		w->memory[i] = (unsigned char)(i % 100);
	for (unsigned i = 0; i < sizeof w->page; i++)
		w->page[i] = (unsigned char)(i % 101);
	w->guarded = false;
}

static bool is_in_page(const World *w, const void *p)
{
	return (uintptr_t)p - (uintptr_t)w->page < sizeof w->page;
}

static bool is_null(const void *p)
{
	return (uintptr_t)p < 4096;
}

bool fault_place_is_bad(const World *w, const void *p)
{
	return is_null(p) || (w->guarded && is_in_page(w, p));
}

void fault_say(const World *w, const Record *r)
{
	const void *at = (const void *)(uintptr_t)r->info[1];
	printf(" %08x", r->code);
	if (r->code != STATUS_ACCESS || r->object)
		return;
	printf(r->info[0] ? " w" : " r");
	if (is_null(at))
		printf(" null+%d", (int)(uintptr_t)at);
	else if (is_in_page(w, at))
		printf(" page+%d", (int)((const unsigned char *)at - w->page));
	else
		printf(" elsewhere");
}

bool fault_repair(World *w, const Record *r)
{
	if (r->object)
		return true;
	if (r->code != STATUS_ACCESS || !is_in_page(w, (const void *)(uintptr_t)r->info[1]))
		return false;
	printf(" repaired");
	w->guarded = false;
	return true;
}

static unsigned draw(World *w)
{
	return world_is_exhausted(w) ? 5 : world_decide(w) % 6;
}

static void *place(World *w, int n, unsigned drawn)
{
	if (drawn == 0)
		return NULL;
	if (drawn > 2)
		return w->memory + CELL * (n % CELLS);
	w->guarded = true;
	return w->page + CELL * (n % PAGE_CELLS);
}

static int64_t dividend(World *w, int32_t n, int32_t width)
{
	return width > 64 || draw(w) > 1 ? n : (int64_t)((uint64_t)INT64_MIN >> (64 - width));
}

static int64_t divisor(World *w, int32_t n)
{
	unsigned drawn = draw(w);
	return drawn == 0 ? 0 : drawn <= 2 ? -1 : n % 99 + 1;
}

/* A function that the module names in circ.raise. */
static Way raise_own(Interp *in)
{
	printf(" raise");
	return own_raise(in, 7);
}

bool fault_call(Interp *in, const char *name, const Value *args, Value *result, Way *way)
{
	World *w = &in->world;
	*way = WAY_END;
	if (strcmp(name, "fault_place") == 0)
		result->p = place(w, (int)args[0].i, draw(w));
	else if (strcmp(name, "fault_guarded") == 0)
		result->p = place(w, (int)args[0].i, draw(w) < 4 ? 1 : 5);
	else if (strcmp(name, "fault_object") == 0)
		result->p = place(w, (int)args[0].i, draw(w) < 2 ? 0 : 5);
	else if (strcmp(name, "fault_size") == 0)
		result->i = world_decide(w) % 41;
	else if (strcmp(name, "fault_dividend") == 0)
		result->i = (uint64_t)dividend(w, (int32_t)args[0].i, (int32_t)args[1].i);
	else if (strcmp(name, "fault_divisor") == 0)
		result->i = (uint64_t)divisor(w, (int32_t)args[0].i);
	else if (strncmp(name, "fault_raise_", 12) == 0)
		*way = raise_own(in);
	else
		return false;
	return true;
}
