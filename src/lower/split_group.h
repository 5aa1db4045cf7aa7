/* lower/split_group.h: which symbols of a module are of one group, and thus of one part (lower/split.h).
 * Needs a Splitter whose tables are made; it joins groups and marks what is apart from all. */
#ifndef CIRC_LOWER_SPLIT_GROUP_H
#define CIRC_LOWER_SPLIT_GROUP_H

#include "base/vec.h"
#include "lower/split.h"

/* What a walk over a symbol has found. */
typedef struct SplitSymbol {
	uint32_t first, n; /* of Splitter.named */
	uint32_t ops;
} SplitSymbol;

typedef struct Splitter {
	IrModule *m;
	Arena *mem;
	SplitRule rule;
	SplitSymbol *symbols; /* Name.id */
	VEC(const IrAttr *)
	named;            /* attributes that name symbols, in or below those of a symbol and of its ops */
	uint32_t *leader; /* Name.id: another one of its group, or itself */
	uint16_t *part;   /* Name.id */
	bool *shared;     /* Name.id */
	bool *copied;     /* Name.id */
	bool *inlined;    /* Name.id: it asks to be inlined always, or a call of it does */
	bool *apart;      /* Name.id: SPLIT_CLOSED: who names it need not be in one part with it */
	const Name *init; /* SPLIT_CLOSED: of the group of what runs before and after main, or NULL */
	uint8_t *facts;   /* IrAttr.id: what is in it, as far as known */
	uint32_t *seen;   /* IrAttr.id: the last walk that came by */
	uint32_t walk;
	uint16_t at;               /* part whose names are collected, or SPLIT_NONE: a copy's */
	VEC(const Name *) to_copy; /* what a part has a copy of; functions that only copies name have none */
} Splitter;

static inline bool split_is_symbol(const IrOp *op)
{
	return op->kind == OP_FUNC || op->kind == OP_GLOBAL;
}

/* Is it in a part? Beside what the object defines, that is what the optimiser alone sees. */
bool split_is_member(const Splitter *s, const IrOp *op);

/* A number that those of its group have in common, and no others. */
uint32_t split_group(Splitter *s, const Name *symbol);

/* split_survey.c: fills `symbols`, `named` and `inlined`. */
void split_survey(Splitter *s);

/* split_survey.c: calls f for every attribute that names a symbol, once in a walk (s->walk). */
typedef void SplitNamed(Splitter *s, const IrAttr *a, void *user);
void split_each_name(Splitter *s, const IrAttr *a, SplitNamed *f, void *user);
void split_each_name_of_symbol(Splitter *s, const IrOp *symbol, SplitNamed *f, void *user);

void split_make_groups(Splitter *s);

#endif
