/* explain/throw.c: what one exception does: in the function that it leaves a call of, then in those that call that one here. */
#include "explain/throw.h"

#include "base/ptrmap.h"
#include "explain/catching.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 10000 };

typedef struct Caller {
	const char *callee;
	const CircExplainedFunction *function;
	const CircSite *site;
	size_t order; /* in the explanation */
} Caller;

/* A frame that is still to be looked at. */
typedef struct Pending {
	const CircExplainedFunction *function;
	const CircSite *site;
	size_t depth;
} Pending;

typedef struct Walk {
	CircExplanation *e;
	CircThrowPath *path;
	Catching catching;
	Caller *callers; /* by callee */
	size_t ncallers;
	PtrMap seen; /* sites */
	VEC(Pending) pending;
	VEC(CircThrowFrame) frames;
} Walk;

static bool runs(const CircStep *step)
{
	return step->kind == CIRC_STEP_CLEANUP || step->kind == CIRC_STEP_FINALLY;
}

static CircThrowFrame follow(Walk *w, const Pending *at)
{
	CircThrowFrame frame = {.function = at->function, .site = at->site, .depth = at->depth};
	if (!at->site) {
		frame.end = at->function->rest;
		return frame;
	}
	frame.end = at->site->end_of_path;
	VEC(CircThrowStep) steps = {0};
	for (size_t i = 0; i < at->site->nsteps; i++) {
		const CircStep *step = &at->site->steps[i];
		CircTaken taken = catching_takes(&w->catching, step);
		if (step->is_conditional && taken == CIRC_TAKEN_YES)
			taken = CIRC_TAKEN_PERHAPS;
		if (!runs(step) && taken == CIRC_TAKEN_NO)
			continue;
		vec_push(&w->e->arena, &steps, ((CircThrowStep){step, taken}));
		if (taken != CIRC_TAKEN_YES)
			continue;
		frame.end = step->kind == CIRC_STEP_TERMINATE ? CIRC_END_TERMINATES : CIRC_END_CAUGHT;
		break;
	}
	frame.steps = steps.data;
	frame.nsteps = steps.len;
	return frame;
}

/* Who calls whom, as far as sites tell. */

static int compare_callers(const void *a, const void *b)
{
	const Caller *s = a, *t = b;
	int c = strcmp(s->callee, t->callee);
	return c ? c : s->order < t->order ? -1 : s->order > t->order;
}

static void collect_callers(Walk *w)
{
	VEC(Caller) callers = {0};
	for (uint32_t i = 0; i < w->e->functions.len; i++) {
		const CircExplainedFunction *f = w->e->functions.data[i];
		for (size_t k = 0; k < f->nsites; k++)
			if (f->sites[k].callee)
				vec_push(&w->e->arena, &callers,
				         ((Caller){f->sites[k].callee, f, &f->sites[k], callers.len}));
	}
	if (callers.len)
		qsort(callers.data, callers.len, sizeof *callers.data, compare_callers);
	w->callers = callers.data;
	w->ncallers = callers.len;
}

/* The first whose callee is not before the symbol. */
static size_t first_caller(const Walk *w, const char *symbol)
{
	size_t low = 0, high = w->ncallers;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(w->callers[middle].callee, symbol) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A funclet's callers are those of its function. */
static const CircExplainedFunction *whole_function(const CircExplainedFunction *f)
{
	for (unsigned i = 0; f->parent && i < 1000; i++)
		f = f->parent;
	return f;
}

static void add_callers(Walk *w, const CircThrowFrame *frame)
{
	const char *symbol = whole_function(frame->function)->symbol;
	if (!symbol)
		return;
	size_t first = first_caller(w, symbol), end = first;
	while (end < w->ncallers && strcmp(w->callers[end].callee, symbol) == 0)
		end++;
	while (end-- > first)
		vec_push(&w->e->arena, &w->pending,
		         ((Pending){w->callers[end].function, w->callers[end].site, frame->depth + 1}));
}

static void walk(Walk *w, bool with_callers)
{
	while (w->pending.len) {
		Pending at = vec_pop(&w->pending);
		CircThrowFrame frame = follow(w, &at);
		if (w->frames.len == FRAMES_MAX) {
			w->path->is_cut = true;
			return;
		}
		if (with_callers && at.site && frame.end == CIRC_END_LEAVES)
			frame.is_seen = ptrmap_get(&w->seen, at.site) != NULL;
		if (at.site)
			ptrmap_put(&w->e->arena, &w->seen, at.site, w);
		vec_push(&w->e->arena, &w->frames, frame);
		if (with_callers && frame.end == CIRC_END_LEAVES && !frame.is_seen)
			add_callers(w, &frame);
	}
}

/* Where it begins. */

static bool is_number(const char *text, uint64_t *value)
{
	char *end;
	*value = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end;
}

/* "parse" names "parse(int)", too. */
static bool is_named(const CircExplainedFunction *f, Str name)
{
	Str full = str_of(f->name);
	return (f->symbol && str_equal(str_of(f->symbol), name)) || str_equal(full, name) ||
	       (str_begins_with(full, name) && full.data[name.len] == '(');
}

static bool is_file(const CircPlace *place, Str file)
{
	Str full = str_of(place->file ? place->file : "");
	if (full.len < file.len || memcmp(full.data + full.len - file.len, file.data, file.len) != 0)
		return false;
	return full.len == file.len || full.data[full.len - file.len - 1] == '/' ||
	       full.data[full.len - file.len - 1] == '\\';
}

static void begin_at(Walk *w, const CircExplainedFunction *f, const CircSite *site)
{
	vec_push(&w->e->arena, &w->pending, ((Pending){f, site, 0}));
}

static void begin_at_offset(Walk *w, const CircExplainedFunction *f, uint64_t offset)
{
	for (size_t i = 0; i < f->nsites; i++)
		if (offset >= f->sites[i].begin && offset < f->sites[i].end) {
			begin_at(w, f, &f->sites[i]);
			return;
		}
	if (offset < f->size)
		begin_at(w, f, NULL);
}

static void begin_in(Walk *w, const CircExplainedFunction *f)
{
	for (size_t i = 0; i < f->nsites; i++)
		begin_at(w, f, &f->sites[i]);
	if (!f->nsites)
		begin_at(w, f, NULL);
}

static void begin_on_line(Walk *w, const CircExplainedFunction *f, Str file, uint64_t line)
{
	for (size_t i = 0; i < f->nsites; i++)
		if (f->sites[i].place.line == line && is_file(&f->sites[i].place, file))
			begin_at(w, f, &f->sites[i]);
}

static void begin(Walk *w, const char *at)
{
	const char *plus = strrchr(at, '+'), *colon = strrchr(at, ':');
	uint64_t offset = 0, line = 0;
	bool has_offset = plus && is_number(plus + 1, &offset),
	     has_line = colon && is_number(colon + 1, &line);
	for (uint32_t i = 0; i < w->e->functions.len; i++) {
		const CircExplainedFunction *f = w->e->functions.data[i];
		if (is_named(f, str_of(at)))
			begin_in(w, f);
		else if (has_offset && is_named(f, (Str){at, (size_t)(plus - at)}))
			begin_at_offset(w, f, offset);
		else if (has_line)
			begin_on_line(w, f, (Str){at, (size_t)(colon - at)}, line);
	}
}

static void begin_everywhere(Walk *w)
{
	for (uint32_t i = 0; i < w->e->functions.len; i++)
		for (size_t k = 0; k < w->e->functions.data[i]->nsites; k++)
			begin_at(w, w->e->functions.data[i], &w->e->functions.data[i]->sites[k]);
}

/* The stack gives the last first. */
static void reverse(Walk *w)
{
	for (size_t i = 0, k = w->pending.len; i + 1 < k; i++, k--) {
		Pending other = w->pending.data[i];
		w->pending.data[i] = w->pending.data[k - 1];
		w->pending.data[k - 1] = other;
	}
}

const CircThrowPath *explanation_throw(CircExplanation *e, const char *type, const char *at,
                                       const char **error)
{
	Walk w = {.e = e, .path = arena_new(&e->arena, CircThrowPath)};
	w.path->type = explanation_string(e, str_of(type));
	w.path->explained_type = catching_find(e, str_of(type));
	w.catching = catching_of(e, type);
	if (at) {
		begin(&w, at);
		collect_callers(&w);
	} else {
		begin_everywhere(&w);
	}
	if (at && !w.pending.len) {
		*error = arena_printf(&e->arena,
		                      "no call '%s' in %s; expected FUNCTION, SYMBOL+OFFSET or FILE:LINE", at,
		                      e->file);
		return NULL;
	}
	reverse(&w);
	walk(&w, at != NULL);
	w.path->frames = w.frames.data;
	w.path->nframes = w.frames.len;
	return w.path;
}
