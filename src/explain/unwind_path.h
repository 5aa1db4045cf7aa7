/* explain/unwind_path.h: what an exception meets in a function of flat CIR, from a block on that unwinding enters.
 *
 * A path is a chain of segments. A segment begins with a block that every way passes, and holds the blocks between it and the
 * next such block; some ways go around these. Pads that come to the same block share its segment and all segments that
 * follow.
 *
 *   needs    flat CIR that verifies
 *   gives    for each block that a path passes, the segment that begins with it, made when it is asked for
 *   changes  nothing
 *   cost     blocks and ops of each segment, times the logarithm of its width
 */
#ifndef CIRC_EXPLAIN_UNWIND_PATH_H
#define CIRC_EXPLAIN_UNWIND_PATH_H

#include "base/vec.h"
#include "ir/module.h"

typedef enum PathItemKind {
	PATH_CLEANUP, /* a cir.begin_cleanup */
	PATH_FINALLY, /* a cir.begin_catch of a `finally` */
	PATH_CALL,
	PATH_CLOSE, /* the end of what the last PATH_CLEANUP or PATH_FINALLY began */
	PATH_DISPATCH,
	PATH_TERMINATE,
	PATH_UNEXPECTED, /* that no filter leads to */
} PathItemKind;

typedef struct PathItem {
	PathItemKind kind;
	bool conditional; /* some ways go around it */
	const IrOp *op;
} PathItem;

/* How ways end, bits. */
enum {
	PATH_LEAVES = 1,
	PATH_TERMINATES = 2,
	PATH_CAUGHT = 4, /* or replaced, or dropped, by a `finally` */
};

typedef struct PathSegment {
	uint32_t first, nitems; /* in UnwindPaths.items */
	const IrBlock *next;    /* NULL: every way has ended */
	unsigned ends; /* of those that end here; with `next`, what is behind it runs on some ways only */
} PathSegment;

typedef struct UnwindPaths {
	const IrModule *m;
	Arena *mem;
	bool replaces; /* what is thrown out of a cleanup takes the place of the exception: circ's runtime */
	uint32_t *place;   /* of blocks, by id: in the text of the function */
	uint32_t *order;   /* of blocks, by id: reverse postorder from 1; 0: on no path */
	uint32_t *depth;   /* of blocks on paths: cleanups that are open where they begin */
	uint32_t *segment; /* of blocks, plus 1; 0: not made yet */
	uint32_t *seen;    /* of blocks: the last segment, plus 1, that holds it */
	VEC(PathSegment) segments;
	VEC(PathItem) items;
	VEC(const IrBlock *) heap; /* scratch */
	uint64_t work;             /* blocks that were looked at for segments */
} UnwindPaths;

/* The tables serve all functions of a module, whose blocks have ids of their own. */
void unwind_paths_init(UnwindPaths *p, const IrModule *m, Arena *mem);
/* Before the segments of a function are asked for. */
void unwind_paths_order(UnwindPaths *p, const IrOp *func, bool replaces);

/* The segment that begins with a block, which is one where unwinding enters or `next` of another. Valid until the next call. */
const PathSegment *unwind_path_segment(UnwindPaths *p, const IrBlock *b);

/* Where an op that unwinds goes; NULL: out of the function. */
static inline const IrBlock *unwind_dest(const IrOp *op)
{
	return ir_op_has_unwind_edge(op) ? op->succs[1].dest : NULL;
}

#endif
