/* explain/unwind_path.h: what an exception meets in a function of flat CIR, from a block on that unwinding enters.
 *
 * A path is a chain of segments. A segment begins with a block that every way passes, and holds the blocks between it and the
 * next such block; some ways go around these. Pads that come to the same block share its segment and all segments that
 * follow.
 *
 * What a cleanup or a `finally` throws is followed from there: to a handler in it, behind which the path goes on, or out of it,
 * where the path ends. Calls are taken to return.
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
	bool nested;      /* of another exception, which a cleanup or a `finally` threw */
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
	uint32_t next;          /* a node; 0: every way has ended */
	unsigned ends; /* of those that end here; with `next`, what is behind it runs on some ways only */
} PathSegment;

/* What is open where a block begins. A nested exception is one that a cleanup or a `finally` on the path threw; the handlers and
 * cleanups that it meets are no steps of the path. */
typedef struct PathState {
	bool nested;        /* such a one is in flight */
	uint32_t depth;     /* cleanups of the path's own exception */
	uint32_t inner;     /* cleanups of nested ones */
	uint32_t catches;   /* catches of nested ones */
	const Name *thrown; /* the type of the nested one in flight; NULL: not known */
} PathState;

/* A block that paths come to, once for each state. */
typedef struct PathNode {
	const IrBlock *block;
	PathState state;
	uint32_t order;   /* reverse postorder from 1; 0: not visited */
	uint32_t segment; /* plus 1; 0: not made yet */
	uint32_t seen;    /* the last segment, plus 1, that holds it */
	uint32_t next;    /* another one of the block; 0: none */
} PathNode;

typedef struct UnwindPaths {
	const IrModule *m;
	Arena *mem;
	bool replaces; /* what is thrown out of a cleanup takes the place of the exception: circ's runtime */
	uint32_t *place;     /* of blocks, by id: in the text of the function */
	uint32_t *first;     /* of blocks, by id: a node; 0: none */
	VEC(PathNode) nodes; /* the first is none */
	VEC(PathSegment) segments;
	VEC(PathItem) items;
	VEC(uint32_t) heap; /* of nodes; scratch */
	uint64_t work;      /* nodes that were looked at for segments */
} UnwindPaths;

/* The tables serve all functions of a module, whose blocks have ids of their own. */
void unwind_paths_init(UnwindPaths *p, const IrModule *m, Arena *mem);
/* Before the segments of a function are asked for. */
void unwind_paths_order(UnwindPaths *p, const IrOp *func, bool replaces);

/* The node of a block where unwinding enters. */
uint32_t unwind_path_start(UnwindPaths *p, const IrBlock *b);

/* The segment that begins with a node, which is a start or `next` of another segment. Valid until the next call. */
const PathSegment *unwind_path_segment(UnwindPaths *p, uint32_t node);

/* The cleanups of exceptions in flight in which the block is. */
uint32_t unwind_path_depth(const UnwindPaths *p, const IrBlock *b);

/* Where an op that unwinds goes; NULL: out of the function. */
static inline const IrBlock *unwind_dest(const IrOp *op)
{
	return ir_op_has_unwind_edge(op) ? op->succs[1].dest : NULL;
}

#endif
