#include "driver/batch.h"

#include "driver/stack_watch.h"

#include <pthread.h>

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

typedef struct Batch {
	const Options *o;
	Report *report;
	Timing *timing;
	Unit *units;
	Report *reports; /* of each unit; NULL: there is one thread, which prints at once */
	Timing *timings;
	bool *ok;
} Batch;

void batch_await_writing(void)
{
	pthread_mutex_lock(&writing);
}

static bool make_text(Unit *u, Goal goal)
{
	return pipeline_run(&u->pipeline, goal) && (u->o->dump_plan ? unit_dump_plan(u) : unit_print(u));
}

static bool compile(Unit *u)
{
	const Options *o = u->o;
	if (!unit_read(u) || !unit_verify(u))
		return false;
	if (o->verify_only)
		return true;
	if (o->product == MAKE_CIR)
		return unit_print(u);
	if (o->dump_plan || o->product == MAKE_FLAT)
		return make_text(u, GOAL_FLAT);
	return o->product == MAKE_ABI ? make_text(u, GOAL_ABI) : unit_image(u);
}

/* Where the unit's memory runs out, the unit fails, not the process. */
static bool compile_guarded(Unit *u)
{
	OomGuard guard;
	u->oom = &guard;
	if (setjmp(guard.env)) {
		report_failure(u->report, "out of memory");
		return false;
	}
	return compile(u);
}

static void compile_unit(void *batch, uint32_t i)
{
	Batch *b = batch;
	b->ok[i] = compile_guarded(&b->units[i]);
	timing_enter(b->units[i].timing, PHASE_OTHER);
	if (b->o->ncir == 1 && b->o->product != MAKE_PROGRAM)
		unit_leave_llvm(&b->units[i]);
	unit_finish(&b->units[i]);
}

static void finish_unit(void *batch, uint32_t i)
{
	Batch *b = batch;
	Unit *u = &b->units[i];
	if (b->ok[i] && u->pipeline.image.bytes.data && b->o->product != MAKE_PROGRAM) {
		pthread_mutex_lock(&writing);
		b->ok[i] = unit_write(u);
		pthread_mutex_unlock(&writing);
	}
	timing_enter(u->timing, PHASE_OTHER);
	if (!b->reports)
		return;
	emit_hold_standard_error();
	report_flush(&b->reports[i], b->report);
	emit_release_standard_error();
	timing_add(b->timing, u->timing);
}

/* When nothing was compiled: the first n of the units' reports are empty. */
static void refuse(Batch *b, uint32_t n)
{
	while (b->reports && n-- > 0)
		report_flush(&b->reports[n], b->report);
	report_failure(b->report, "out of memory");
}

/* Threads do not share what they count and print. */
static bool give_own(Batch *b, Arena *arena)
{
	uint32_t n = b->o->ncir;
	b->reports = arena_array(arena, Report, n);
	b->timings = arena_array(arena, Timing, n);
	for (uint32_t i = 0; i < n; i++) {
		if (!report_open_buffer(&b->reports[i], b->report)) {
			refuse(b, i);
			return false;
		}
		timing_init(&b->timings[i]);
		timing_pause(&b->timings[i]);
	}
	return true;
}

static void open_units(Batch *b, Jobs *jobs)
{
	const Options *o = b->o;
	uint32_t n = 0;
	for (uint32_t i = 0; i < o->inputs.len; i++) {
		if (!o->inputs.data[i].is_cir)
			continue;
		Report *r = b->reports ? &b->reports[n] : b->report;
		Timing *t = b->timings ? &b->timings[n] : b->timing;
		unit_open(&b->units[n++], o, &o->inputs.data[i], r, t, jobs);
	}
}

bool batch_compile(const Options *o, Unit *units, Arena *arena, Report *r, Timing *t)
{
	Jobs jobs;
	Batch b = {.o = o, .report = r, .timing = t, .units = units};
	JobList list = {.n = o->ncir, .user = &b, .work = compile_unit, .done = finish_unit};
	bool own = o->jobs > 1 && o->ncir > 1, ok = true;
	b.ok = arena_array(arena, bool, o->ncir);
	if (own && !give_own(&b, arena))
		return false;
	jobs_init(&jobs, o->jobs);
	jobs.on_thread = stack_watched;
	open_units(&b, &jobs);
	if (own)
		timing_pause(t);
	if (!jobs_run(&jobs, &list))
		refuse(&b, o->ncir);
	timing_enter(t, PHASE_OTHER);
	jobs_destroy(&jobs);
	for (uint32_t i = 0; i < o->ncir; i++)
		ok &= b.ok[i];
	return ok;
}
