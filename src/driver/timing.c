#include "driver/timing.h"

#include <stdio.h>
#include <time.h>

static const char *const names[PHASE_COUNT] = {"read",  "verify",      "flatten",  "abi",  "target",
                                               "lower", "LLVM verify", "optimise", "emit", "parts",
                                               "join",  "link",        "other"};

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static Time now(void)
{
	return (Time){nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
}

static void add(Time *to, Time from)
{
	to->wall += from.wall;
	to->cpu += from.cpu;
}

void timing_init(Timing *t)
{
	*t = (Timing){.now = PHASE_OTHER, .since = now()};
}

void timing_enter(Timing *t, Phase phase)
{
	Time at = now();
	if (t->now != PHASE_COUNT)
		add(&t->spent[t->now], (Time){at.wall - t->since.wall, at.cpu - t->since.cpu});
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
		add(&t->spent[i], other->spent[i]);
}

static void print_row(const char *name, Time t, Time total)
{
	fprintf(stderr, "%-12s %12.3f %6.1f %12.3f\n", name, (double)t.wall / 1e6,
	        total.wall ? 100.0 * (double)t.wall / (double)total.wall : 0.0, (double)t.cpu / 1e6);
}

void timing_print(Timing *t)
{
	Time total = {0};
	timing_enter(t, PHASE_OTHER);
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		add(&total, t->spent[i]);
	fprintf(stderr, "%-12s %12s %6s %12s\n", "pass", "wall ms", "%", "cpu ms");
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		if (t->spent[i].wall)
			print_row(names[i], t->spent[i], total);
	print_row("total", total, total);
}
