#include "explain/merge.h"

#include <stdlib.h>

typedef struct Merge {
	CircExplanation *object;
	Arena scratch;
	NameTable functions; /* Name.symbol: of the module */
	size_t merged;
} Merge;

/* A site that calls something by name. */
typedef struct Call {
	const CircSite *site;
	size_t index; /* in its function */
} Call;

static int compare_calls(const void *a, const void *b)
{
	const Call *s = a, *t = b;
	int c = strcmp(s->site->callee, t->site->callee);
	return c ? c : s->index < t->index ? -1 : s->index > t->index;
}

static Call *calls_of(const CircExplainedFunction *f, Arena *mem, size_t *n)
{
	Call *calls = arena_array(mem, Call, f->nsites);
	*n = 0;
	for (size_t i = 0; i < f->nsites; i++)
		if (f->sites[i].callee)
			calls[(*n)++] = (Call){&f->sites[i], i};
	if (*n)
		qsort(calls, *n, sizeof *calls, compare_calls);
	return calls;
}

static bool runs(const CircStep *s)
{
	return s->kind == CIRC_STEP_CLEANUP || s->kind == CIRC_STEP_FINALLY;
}

/* The next handler from i on; n: none. */
static size_t next_handler(const CircSite *site, size_t i)
{
	while (i < site->nsteps && runs(&site->steps[i]))
		i++;
	return i;
}

/* A cleanup of the module, where the object has its code: in a funclet of its own, or behind the landing pad. */
static CircStep named(Merge *m, const CircStep *from, const CircStep *code, uint64_t pad)
{
	CircStep step = code ? *code : (CircStep){.kind = from->kind, .begin = pad, .state = -1};
	step.is_conditional = from->is_conditional;
	step.place = from->place;
	step.place.file = from->place.file ? explanation_string(m->object, str_of(from->place.file)) : NULL;
	if (from->function)
		step.function = explanation_string(m->object, str_of(from->function));
	return step;
}

/* The object's handlers, with the module's cleanups between them. False: they do not fit together. */
static bool merge_steps(Merge *m, const CircSite *ours, const CircSite *from, uint64_t pad, StepVec *out)
{
	size_t at = 0;
	for (size_t i = 0; i < from->nsteps; i++) {
		bool has_code = at < ours->nsteps && runs(&ours->steps[at]);
		if (runs(&from->steps[i])) {
			vec_push(&m->object->arena, out,
			         named(m, &from->steps[i], has_code ? &ours->steps[at] : NULL, pad));
			at += has_code;
			continue;
		}
		at = next_handler(ours, at);
		if (at == ours->nsteps || ours->steps[at].kind != from->steps[i].kind)
			return false;
		vec_push(&m->object->arena, out, ours->steps[at++]);
	}
	return next_handler(ours, at) == ours->nsteps;
}

static void merge_site(Merge *m, const CircExplainedFunction *f, CircSite *ours, const CircSite *from)
{
	StepVec steps = {0};
	if (!ours->nsteps || !merge_steps(m, ours, from, ours->pad ? f->address + ours->pad : 0, &steps))
		return;
	explanation_set_steps(m->object, ours, &steps);
	m->merged++;
}

/* How many calls from `at` on have the same callee. */
static size_t group(const Call *calls, size_t n, size_t at)
{
	size_t end = at + 1;
	while (end < n && strcmp(calls[end].site->callee, calls[at].site->callee) == 0)
		end++;
	return end - at;
}

static void merge_function(Merge *m, CircExplainedFunction *f, const CircExplainedFunction *from)
{
	ArenaMark mark = arena_mark(&m->scratch);
	size_t n, nfrom, i = 0, k = 0;
	Call *ours = calls_of(f, &m->scratch, &n), *theirs = calls_of(from, &m->scratch, &nfrom);
	while (i < n && k < nfrom) {
		int order = strcmp(ours[i].site->callee, theirs[k].site->callee);
		size_t mine = group(ours, n, i), other = group(theirs, nfrom, k);
		for (size_t j = 0; order == 0 && mine == other && j < mine; j++)
			merge_site(m, f, (CircSite *)&f->sites[ours[i + j].index], theirs[k + j].site);
		i += order <= 0 ? mine : 0;
		k += order >= 0 ? other : 0;
	}
	arena_release(&m->scratch, mark);
}

size_t explanation_name_cleanups(CircExplanation *object, const CircExplanation *module)
{
	Merge m = {.object = object};
	arena_init(&m.scratch);
	m.scratch.oom = object->arena.oom;
	names_init(&m.functions, &object->arena);
	for (uint32_t i = 0; i < module->functions.len; i++)
		if (module->functions.data[i]->symbol)
			name_intern(&m.functions, str_of(module->functions.data[i]->symbol))->symbol =
			    module->functions.data[i];
	for (uint32_t i = 0; i < object->functions.len; i++) {
		CircExplainedFunction *f = object->functions.data[i];
		const Name *name = f->symbol ? name_find(&m.functions, str_of(f->symbol)) : NULL;
		if (name && name->symbol)
			merge_function(&m, f, name->symbol);
	}
	arena_free(&m.scratch);
	return m.merged;
}
