#include "ir/spell.h"

#include "ir/module.h"

/* What a type holds by value, one after the other; NULL behind the last. */
static IrType *held(const IrType *t, uint32_t i)
{
	switch (t->kind) {
	case TYPE_ARRAY:
	case TYPE_VECTOR:
	case TYPE_COMPLEX:
	case TYPE_LONG_DOUBLE:
	case TYPE_BITFIELD:
		return i == 0 ? t->elem : NULL;
	case TYPE_RECORD:
		return i < t->nmembers ? t->members[i] : i == t->nmembers ? t->padding : NULL;
	default:
		return NULL;
	}
}

enum { BUSY = UINT16_MAX };

typedef struct Step {
	IrType *type;
	uint32_t next;  /* of what it holds */
	uint16_t depth; /* of what it holds, so far */
} Step;

typedef struct Walk {
	IrModule *m;
	uint16_t *depths; /* by type id; 0: not yet known */
	VEC(Step) steps;
} Walk;

static void enter(Walk *w, IrType *t)
{
	w->depths[t->id] = BUSY;
	vec_push(&w->m->scratch, &w->steps, ((Step){.type = t}));
}

/* Depth first, with a stack of its own: the nesting is chosen by the input. */
static IrNesting walk(Walk *w, IrType *root, IrType **where)
{
	enter(w, root);
	while (w->steps.len) {
		Step *s = &w->steps.data[w->steps.len - 1];
		IrType *t = s->type, *inner = held(t, s->next);
		if (!inner) {
			w->depths[t->id] = s->depth + 1;
			*where = t;
			if (s->depth >= TYPE_DEPTH_MAX)
				return NESTING_DEEP;
			w->steps.len--;
			continue;
		}
		uint16_t depth = w->depths[inner->id];
		if (depth == BUSY) {
			*where = inner;
			return NESTING_CYCLE;
		}
		if (!depth) {
			enter(w, inner);
			continue;
		}
		if (depth > s->depth)
			s->depth = depth;
		s->next++;
	}
	return NESTING_FINE;
}

static IrNesting walk_all(Walk *w, IrType **where)
{
	const TypeTable *types = &w->m->types;
	IrNesting result = NESTING_FINE;
	for (uint32_t i = 0; result == NESTING_FINE && i < types->len; i++)
		if (types->held[i]->kind == TYPE_RECORD && !w->depths[i])
			result = walk(w, types->held[i], where);
	return result;
}

IrNesting ir_check_nesting(IrModule *m, IrType *root, IrType **where)
{
	ArenaMark mark = arena_mark(&m->scratch);
	Walk w = {.m = m, .depths = arena_array(&m->scratch, uint16_t, m->types.len)};
	IrNesting result = root ? walk(&w, root, where) : walk_all(&w, where);
	arena_release(&m->scratch, mark);
	return result;
}
