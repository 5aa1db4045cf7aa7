#include "explain/hidden.h"

typedef struct Marking {
	CircExplanation *e;
	uint32_t *taken; /* by type: the last site, plus 1, with a handler that always takes it */
	uint32_t *seen;  /* by type: the last walk over bases that came to it */
	VEC(const CircExplainedType *) todo;
	uint32_t site, walk;
} Marking;

/* Is one of them, the type itself included, taken by an earlier handler? */
static bool base_is_taken(Marking *m, const CircExplainedType *type)
{
	m->walk++;
	m->todo.len = 0;
	m->seen[type->index] = m->walk;
	vec_push(&m->e->arena, &m->todo, type);
	while (m->todo.len) {
		const CircExplainedType *t = vec_pop(&m->todo);
		if (m->taken[t->index] == m->site)
			return true;
		for (size_t i = 0; i < t->nbases; i++) {
			if (m->seen[t->bases[i]->index] == m->walk)
				continue;
			m->seen[t->bases[i]->index] = m->walk;
			vec_push(&m->e->arena, &m->todo, t->bases[i]);
		}
	}
	return false;
}

static void mark_site(Marking *m, const CircSite *site)
{
	m->site++;
	for (size_t i = 0; i < site->nsteps; i++) {
		CircStep *step = (CircStep *)&site->steps[i];
		if (step->kind != CIRC_STEP_CATCH || step->ntypes != 1)
			continue;
		step->is_hidden = base_is_taken(m, step->types[0]);
		if (!step->is_conditional)
			m->taken[step->types[0]->index] = m->site;
	}
}

void explanation_mark_hidden(CircExplanation *e)
{
	ArenaMark mark = arena_mark(&e->arena);
	Marking m = {.e = e};
	m.taken = arena_array(&e->arena, uint32_t, (size_t)e->types.len + 1);
	m.seen = arena_array(&e->arena, uint32_t, (size_t)e->types.len + 1);
	for (uint32_t i = 0; i < e->functions.len; i++)
		for (size_t k = 0; k < e->functions.data[i]->nsites; k++)
			mark_site(&m, &e->functions.data[i]->sites[k]);
	arena_release(&e->arena, mark);
}
