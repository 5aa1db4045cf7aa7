/* ir/dominance.h: the dominator tree of a region's blocks.
 *
 *   needs      blocks whose last op may have successors; edges of other ops and into other
 *              regions are ignored
 *   ownership  the tree lives in the arena given
 *   cost       (blocks + edges) × log blocks (Lengauer and Tarjan, with path compression); no recursion
 */
#ifndef CIRC_IR_DOMINANCE_H
#define CIRC_IR_DOMINANCE_H

#include "ir/module.h"

#define DOM_UNREACHABLE UINT32_MAX

typedef struct DomTree {
	uint32_t n;      /* blocks reachable from the entry */
	IrBlock **order; /* preorder of the tree; order[0] is the entry */
	uint32_t *idom;  /* by place in the order: place of the immediate dominator; idom[0] is 0 */
	uint32_t *end;   /* by place: one past the last place of the subtree */
} DomTree;

/* place: by IrBlock.id, of m->nblocks entries that are DOM_UNREACHABLE for the region's
 * blocks; receives their places. */
void dom_compute(const IrRegion *region, Arena *arena, uint32_t *place, DomTree *out);

/* By place. Every block dominates itself. */
static inline bool dom_dominates(const DomTree *t, uint32_t a, uint32_t b)
{
	return a == b || (a < b && b < t->end[a]);
}

#endif
