/* lower/split.h: a large module in parts that are lowered and compiled one by one, or at once,
 * and joined as objects (join/join.h).
 *
 * Every definition belongs to one part; a part declares what it names of the others. How a module is split
 * depends on the module and on `ops` alone, so that an object is the same on any number of threads.
 *
 *   kept together    the members of a COMDAT group; an alias and what it stands for; a function and
 *                    what holds addresses of its labels
 *   SPLIT_CLOSED     for the optimiser, whatever names each other: what it learns of a function from those that
 *                    call it, or are called, is in one part. Apart may be what other objects see and it leaves
 *                    as it is, if all that this names may be: constants and small functions, which are copied
 *                    to where they are named, other functions, variables
 *   kept whole       a module with assembly of its own, which may name anything (the
 *                    assembly in functions is fine: see JOIN_UNFIT, join/join.h)
 *   order            that of the module: parts are stretches of it, but for what is kept together
 *
 * A symbol that is private, which objects have no name for, is internal while other parts name
 * it: SPLIT_PRIVATE is put before its name. What is local to a part the others declare as SPLIT_LOCAL, the number
 * of that part, a dot and its name there (join/join.h). Functions that are marked to be always inlined, themselves
 * or at a call, are copied where they are called, unless groups are closed (lower/split_part.c).
 */
#ifndef CIRC_LOWER_SPLIT_H
#define CIRC_LOWER_SPLIT_H

#include "ir/module.h"

#define SPLIT_PRIVATE "circ.private."
#define SPLIT_LOCAL   "circ.part."

enum {
	SPLIT_PARTS_MAX = 32,
	/* in a part that is not one of the last: some 0.2 s of LLVM's time, at -O0 and at -O2 */
	SPLIT_OPS = 1 << 15,
	SPLIT_OPS_CLOSED = 1 << 12,
	/* of a module whose parts are compiled when they are called: some 50 ms each, at -O0 */
	SPLIT_LAZY_PARTS_MAX = 1 << 10,
	SPLIT_LAZY_OPS = 1 << 13,
	SPLIT_NONE = UINT16_MAX, /* the part of what the module does not define */
};

typedef enum SplitRule {
	SPLIT_ANYWHERE, /* for LLVM at -O0, which looks at one function at a time */
	SPLIT_CLOSED,
} SplitRule;

typedef struct LowerSplit {
	uint32_t nparts;      /* 0: the module is not split */
	const uint16_t *part; /* Name.id */
	const bool *shared;   /* Name.id: other parts than its own name the symbol */
	const bool *copied;   /* Name.id: each part that names it gets a copy, which is not of the object */
} LowerSplit;

/* For a module that is ready for lower_module(). Afterwards several threads may read the
 * module's types. The tables live in mem. */
LowerSplit lower_split(IrModule *m, SplitRule rule, uint32_t ops, Arena *mem);

/* The same for parts that are compiled when something of them is called: all of them but part 0 have nothing but functions. */
LowerSplit lower_split_lazily(IrModule *m, SplitRule rule, uint32_t ops, Arena *mem);

/* Is it one of LLVM's lists of symbols to keep? It is in no part: each has the rows of what it defines. */
bool lower_is_used_list(const IrOp *op);

/* Is it defined in the object of the module? */
bool lower_is_definition(const IrOp *symbol);

#endif
