#include "driver/timing.h"

#include <stdio.h>
#include <time.h>

static const char *const names[PHASE_COUNT] = {"read",  "verify",      "flatten",  "abi",
                                               "lower", "LLVM verify", "optimise", "emit",
                                               "parts", "join",        "link",     "other"};

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void timing_init(Timing *t)
{
	*t = (Timing){.now = PHASE_OTHER, .since = now()};
}

void timing_enter(Timing *t, Phase phase)
{
	uint64_t at = now();
	if (t->now != PHASE_COUNT)
		t->spent[t->now] += at - t->since;
	t->since = at;
	t->now = phase;
}

void timing_pause(Timing *t)
{
	timing_enter(t, PHASE_COUNT);
}

void timing_add(Timing *t, const Timing *other)
{
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		t->spent[i] += other->spent[i];
}

static void print_row(const char *name, uint64_t ns, uint64_t total)
{
	fprintf(stderr, "%-12s %12.3f %6.1f\n", name, (double)ns / 1e6,
	        total ? 100.0 * (double)ns / (double)total : 0.0);
}

void timing_print(Timing *t)
{
	uint64_t total = 0;
	timing_enter(t, PHASE_OTHER);
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		total += t->spent[i];
	fprintf(stderr, "%-12s %12s %6s\n", "pass", "wall ms", "%");
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		if (t->spent[i])
			print_row(names[i], t->spent[i], total);
	print_row("total", total, total);
}
