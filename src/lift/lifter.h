/* lift/lifter.h: what the files of src/lift share; private to it.
 *
 * Parts      What a landing pad gives, and what is made of it: the pointer, the selector, the pair of both, tests of a selector.
 *            Such values vanish: in flat CIR where a block stands tells which exception is meant (value.c).
 * Contexts   Where a block stands: outside of exceptions (NULL), while one is in flight, or in a catch, and what is around that.
 *            A block that several contexts reach is copied (plan.c, copy.c).
 * Regions    Code in flight is cut into regions, each a cleanup or empty (region.c).
 * Errors     lift_error(), at an op; then l->failed is set, and the work ends.
 */
#ifndef CIRC_LIFT_LIFTER_H
#define CIRC_LIFT_LIFTER_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/build.h"
#include "ir/dominance.h"
#include "lift/runtime.h"

typedef enum Part {
	PART_NONE,
	PART_POINTER,
	PART_SELECTOR,
	PART_PAIR,
	PART_HALF, /* a pair of which one part is set */
	PART_TYPE, /* the number of a type */
	PART_TEST, /* a truth that depends on the selector alone */
} Part;

typedef struct Context Context;
struct Context {
	const Context *around;
	bool flight;
	const IrBlock
	    *owner; /* of a flight: the region that has its code for itself; NULL: regions share it */
	/* a catch */
	IrBlock *handler; /* where it begins in the input */
	const Name *type; /* that the selector says; NULL: none */
	bool begun;       /* the input has begun it */
	struct Catch *made;
	Context *other; /* with the same key (plan.c) */
};

/* The catch that contexts, begun and not, stand for. */
typedef struct Catch {
	IrBlock *entry; /* begin_catch, and a branch to the handler */
	IrValue *token, *object;
	IrValue *reference;   /* slot of the address of the object; NULL: nobody asks */
	uint32_t number;      /* of the type, for tests outside of the flight; 0: none */
	VEC(IrValue *) slots; /* that it writes the number to */
	struct Node *handler;
	struct Node *exit; /* where an exception goes that leaves it; NULL: none does */
} Catch;

typedef struct Clause {
	const Name *type;     /* lift_filter(): a filter */
	IrBlock *from, *dest; /* blocks between them have nothing to be written */
	struct Node *to;
} Clause;

/* What becomes of an exception in flight that comes to a test or to a catch of everything. */
typedef struct Dispatch {
	VEC(Clause) clauses;
	Clause none; /* what the others leave; catch_all: takes it */
	bool catch_all;
	const IrAttr *filter;  /* of the clause that is one */
	VEC(IrBlock *) passed; /* their ops run in front of it */
} Dispatch;

typedef struct Node Node;
struct Node {
	IrBlock *block;                  /* of the input; once copied, its own */
	const Context *context, *leaves; /* where it begins, where it ends */
	Node *other;                     /* the same block in another context */
	Node *beside;                    /* with the same key (plan.c) */
	Node *before;                    /* whose last call gives a result to this one alone (copy.c) */
	Node **succs;
	Dispatch *dispatch; /* block stays the input's: it has a block of its own */
	const IrOp *pad;    /* one of those that the exception in flight came by */
	uint32_t id;
	/* regions */
	Node *start; /* of that of the innermost flight around; NULL: unknown yet, or none */
	Node *outer; /* of that of the flight around this one; NULL: none */
	bool begins, works;
	bool loops;               /* a start that its own region leads back to */
	IrValue *token, *cleanup; /* of a start */
	IrBlock *made;
};

typedef VEC(Node *) NodeList;

typedef struct Lift {
	IrModule *m;
	const LiftTable *table;
	Diags *d;
	Arena *mem; /* of one function */
	IrOp *func;
	bool own;       /* the table says how the function's exceptions are caught */
	PtrMap filters; /* type → function that compares */
	bool failed;
	VEC(uint8_t) parts;      /* by value */
	PtrMap slots;            /* variable → what is known of it (value.c) */
	VEC(const Name *) types; /* that some test asks for */
	Name *filter;            /* stands for a filter among types */
	PtrMap contexts;         /* key → first Context */
	NodeList nodes;
	PtrMap of_block; /* IrBlock → first Node */
	PtrMap of_place; /* key of a block in a context → first Node */
	PtrMap owners;   /* blocks of the input that begin a region which shares nothing */
	PtrMap sole;     /* those of them that do not share code of other owners either */
	PtrMap
	    numbers; /* selector, or variable of selectors → slot of the number of the type that was caught */
	VEC(Catch *) catches;
	VEC(IrOp *) gone; /* to be erased */
	DomTree dom;      /* place NULL: not computed */
	uint32_t *place, nplaces;
	bool nested; /* by nest.c */
} Lift;

/* message.c */
void lift_error(Lift *l, const IrOp *op, const char *fmt, ...) BASE_PRINTF(3, 4);

/* convention.c: what a table says, written as C++ does. */
void lift_apply_table(Lift *l);
/* compare.c: the entry of a dispatch for the type. */
const IrAttr *lift_entry(Lift *l, const Name *type);

/* signature.c */
void lift_check_signatures(Lift *l);

/* value.c */
void lift_find_parts(Lift *l);
void lift_check_parts(Lift *l);
static inline Part lift_part(const Lift *l, const IrValue *v)
{
	return v->id < l->parts.len ? (Part)l->parts.data[v->id] : PART_NONE;
}
void lift_copy_part(Lift *l, const IrValue *from, const IrValue *to);
/* Is it one of what flat CIR has no values for? */
static inline bool lift_vanishes(const Lift *l, const IrValue *v)
{
	return lift_part(l, v) != PART_NONE;
}
bool lift_is_slot(const Lift *l, const IrValue *address);
static inline bool lift_is_pad(const IrOp *op)
{
	return op->kind == OP_EH_INFLIGHT || op->kind == OP_LANDING_PAD;
}
bool lift_is_object_address(const Lift *l, const IrOp *op);

/* test.c */
/* Is the truth so where the selector is that of the type? NULL: of none. */
bool lift_evaluate(const Lift *l, const IrValue *test, const Name *type);
void lift_note_types(Lift *l, const IrValue *test);
/* Larger than what is evaluated, which recurses. */
bool lift_is_large_test(const Lift *l, const IrValue *test);
const Name *lift_tested_type(const Lift *l, const IrValue *number);
/* The type whose selector it must be in that block, by a test before it; NULL: any. */
const Name *lift_known_type(Lift *l, const IrValue *selector, const IrBlock *b);
/* The truth, where no exception is in flight. */
IrValue *lift_build_test(Lift *l, IrBuilder *b, IrValue *test);
uint32_t lift_type_number(const Lift *l, const Name *type);

/* number.c. The pads that the selectors of a test come from. */
typedef VEC(const IrOp *) PadList;
void lift_find_pads(const Lift *l, IrValue *test, PadList *out);
/* While blocks are those of the input. */
void lift_find_numbers(Lift *l);
void lift_copy_number(Lift *l, const IrValue *from, const IrValue *to);
/* The slot of a selector that is compared outside of the flight; NULL: nothing that is known. */
IrValue *lift_number_slot(const Lift *l, IrValue *selector);
/* In front of an op, and of a branch whose one edge it is. */
void lift_write_number(Lift *l, IrOp *op, const Context *c);
bool lift_edge_has_number(const Lift *l, const IrSucc *s, const Context *c);
void lift_write_edge_numbers(Lift *l, const IrSucc *s);

/* split.c */
void lift_split(Lift *l);
/* Before the parts are found, too: of calls that end a catch, and of those that throw nothing. */
void lift_drop_unwind_edges(Lift *l);
/* A block that is a branch on a test, and nothing else. */
bool lift_is_branch_on_test(const Lift *l, const IrBlock *b);
bool lift_begins_catch(const Lift *l, const IrBlock *b);
bool lift_is_terminate(const Lift *l, const IrBlock *b);
/* Does the op mean nothing but what a context says? */
bool lift_is_plumbing(const Lift *l, const IrOp *op);
/* A call that says where a variable lives. */
bool lift_is_lifetime(const IrOp *op);

/* plan.c */
bool lift_plan(Lift *l);
/* dispatch.c */
bool lift_is_passed(const Lift *l, const IrBlock *b);
bool lift_needs_dispatch(const Lift *l, const IrBlock *b);
Dispatch *lift_dispatch(Lift *l, const Node *n);
/* copy.c: a block for each node. False: values had to go through memory first, and a new plan is needed. */
bool lift_copy_shared(Lift *l);
/* region.c. False: some need code for themselves, and a new plan. */
bool lift_find_regions(Lift *l);
/* nest.c: dispatches that a table can only have as one try within another. */
void lift_nest_dispatches(Lift *l);
void lift_restore_values(Lift *l);
void lift_compute_dominance(Lift *l); /* of the blocks that there are */
/* write.c */
void lift_write(Lift *l);
/* Then, without the blocks that nothing leads to any more. */
void lift_finish(Lift *l);
/* throw.c: what needs no context; the op in front of which it is built is to go. */
void lift_throw(Lift *l, IrOp *op);
/* Before the parts are found: nothing follows a throw, one of several types becomes one of each, and what is thrown says its size. */
void lift_prepare_throws(Lift *l);

#endif
