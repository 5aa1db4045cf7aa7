/* flatten/internal.h: what the files of the flattening pass share.
 *
 * The pass walks the structured function once, in the order of the text, and moves its
 * ops into flat blocks as it goes.
 *
 *   flatten.c   the walk: a stack of frames, one for each region that is open
 *   emit.c      blocks, branches and frames, which all the others are made of
 *   label.c     the labels of a region
 *   scope_exit.c     leaving scopes on normal paths: destinations, cleanups run once, the destination slot
 *   cleanup.c   cleanup scopes: the body, the cleanup of the normal paths
 *   cleanup_kind.c  on which paths a cleanup runs
 *   unwind.c    leaving scopes by exceptions: unwind blocks, cleanups on that path
 *   try.c       dispatch and handlers
 *   control.c   scope, if, ternary, loops
 *   switch.c    switch and case
 *   check.c     circ.check
 *   unreachable.c     blocks that nothing reaches
 *   goto_bypass.c    what a goto must not go around
 *   structured_rewrite.c   ops that are first rewritten into other structured ops
 *   finally.c   cir.try with a finally, in other structured ops
 *   abnormal.c  circ.abnormal
 *   async.c     what may fault in a `cir.try async`
 *   when.c      filters of handlers `when`, as functions of their own
 *   array.c     construction and destruction of arrays
 *   delete.c    delete[]
 */
#ifndef CIRC_FLATTEN_INTERNAL_H
#define CIRC_FLATTEN_INTERNAL_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "flatten/flatten.h"
#include "ir/build.h"

typedef struct Scope Scope;
typedef struct EhState EhState;
typedef struct Frame Frame;
typedef struct Flatten Flatten;
typedef struct Switch Switch; /* switch.c */
typedef struct Raise Raise;   /* check.c */

/* Normal paths */

/* A place that ops outside of it branch to, possibly through cleanups. */
typedef struct Dest {
	IrBlock *block;
	uint32_t depth;       /* cleanup scopes deeper than this are left on the way */
	uint32_t number;      /* in the destination slot; 0: none yet (or the fall-through of its scope) */
	struct Group *groups; /* its groups in open scopes, innermost first */
} Dest;

/* The exits of one cleanup scope that go to one destination. */
typedef struct Group {
	Dest *dest;
	Scope *scope;
	struct Group *next_of_dest;
	struct Group *next;                 /* in its scope, in order of appearance */
	struct ExitBranch *sources, **tail; /* branches that have not stored the number yet */
} Group;

typedef struct ExitBranch {
	IrOp *branch;
	struct ExitBranch *next;
} ExitBranch;

/* What a break, continue or return looks through. A chain, innermost first. */
struct Scope {
	Scope *parent;
	Scope *cleanup; /* the nearest normal cleanup: this scope itself or one further out; NULL: none */
	uint32_t depth; /* normal cleanups from here outwards */
	Dest *on_break; /* of the nearest loop or switch */
	Dest *on_continue;
	IrBlock *entry;    /* of a cleanup scope: where its cleanup begins */
	IrBlock *falls_to; /* its number is 0: no other scope is passed on the way there */
	const Dest *falls; /* where falling out of the body leads; NULL: what follows, or nothing falls */
	const Dest *ends;  /* of a loop's iteration: where it leads that the condition is false; else NULL */
	uint32_t level;    /* of the slot that tells the destination */
	Group *groups, **last_group;
	uint32_t ngroups;
	bool asked; /* circ.abnormal reads the slot */
};

/* Unwinding */

typedef enum EhKind {
	EH_CALLER, /* nothing to do here: the exception leaves the function */
	EH_CLEANUP,
	EH_TRY,
	EH_REPLACE, /* inside a cleanup of circ's runtime: the new exception takes the place of the old one */
	EH_TERMINATE, /* inside a cleanup that runs because of unwinding (design.md section 5, point 5); a noexcept function */
} EhKind;

/* What happens to an exception thrown at some place. A chain, innermost first. */
struct EhState {
	EhKind kind;
	EhState *parent;
	IrOp *op;         /* cir.cleanup.scope, a loop with a cleanup, or cir.try */
	IrBlock *unwind;  /* eh.initiate for the calls directly inside; NULL: none throws */
	IrBlock *entry;   /* takes the token; NULL: no exception gets here */
	IrBlock *end;     /* EH_CLEANUP: ends with its end_cleanup; NULL: none does */
	IrRegion cleanup; /* EH_CLEANUP: its copy of the cleanup region */
	Scope *scope;     /* to emit it in */
	uint32_t level;
	EhState *replace; /* EH_CLEANUP: what exceptions meet inside of it; NULL: EH_TERMINATE */
	Raise *raises;    /* for the checks directly inside, by kind; NULL: none yet */
};

/* The walk */

/* One open region of one op. `step` is called with each further stage of the op when the region is done. */
struct Frame {
	Frame *parent;
	IrOp *op;
	void (*step)(Flatten *f, Frame *fr);
	unsigned stage;
	IrOp *next;       /* next op of the open region's current block */
	IrBlock *source;  /* the region's next block; NULL: none */
	IrBlock *join;    /* of a region of several blocks: where its yields meet */
	IrValue *yielded; /* what the region yielded; NULL: nothing */
	Loc end;          /* of the yield that the region ended with */
	bool in_cleanup;  /* the open region is a cleanup region */
	IrBlock *on_true; /* cir.condition */
	Dest *on_false;
	/* the surroundings to return to */
	Scope *scope;
	EhState *eh;
	IrValue *token;
	uint32_t level;
	Scope *leaving;
	void *data; /* of the op's own kind */
};

typedef struct Label {
	Loc loc;
	IrBlock *block;
	const IrOp *cleanup; /* innermost op with a cleanup around it, NULL: none */
	Dest *dest;          /* once a goto has asked for it */
	bool stays;          /* cir.label stays in its block: its address is taken */
} Label;

typedef VEC(uint32_t) FunctionNumbers;

/* The variables of a function that its filters see, by their index in circ.localescape. */
typedef VEC(IrValue *) Escapes;

struct Flatten {
	IrModule *m;
	const PtrMap *addresses;  /* Name of a function → PtrMap of its labels whose address is taken */
	FunctionNumbers *reached; /* by IrBlock.id: the function in which it was */
	uint32_t number;          /* of this function, from 1 */
	Arena *mem;               /* for one function */
	Diags *d;
	IrOp *func;
	IrRegion *out;
	IrBlock *at;  /* the open block; NULL after a terminator */
	Frame *frame; /* innermost */
	Scope *scope;
	EhState *eh;
	IrValue *token; /* of the handler or cleanup around; for a cir.resume without operand */
	uint32_t level; /* cleanup regions around: each level has its slots */
	Scope *
	    leaving; /* whose exits run the cleanup or finally around; NULL: an exception does, or there is none */
	uint32_t next_label;
	Escapes escapes; /* when.c */
	uint32_t next_number;
	PtrMap async_slots;    /* async.c: type → a variable of it */
	IrBlock *async_resume; /* async.c: where a fault goes that nothing here sees; NULL: none yet */
	VEC(IrValue *) slots;  /* the destination slots, by level; NULL: not needed yet */
	IrBlock *entry;
	IrOp *last_hoisted;          /* allocas of the entry block that were put there; NULL: none yet */
	VEC(IrValue *) return_slots; /* where what is returned waits, by level like slots */
	Dest *on_return;
	PtrMap labels;                  /* Name of a label → Label */
	VEC(Label *) targets;           /* of indirect gotos: the labels of the function, in order */
	PtrMap cleaned_up;              /* ir/nearest_region.h: regions that a cleanup runs behind */
	Switch *in_switch;              /* the innermost one around, or NULL */
	PtrMap scopes;                  /* op with a cleanup → Scope, while it is open */
	VEC(EhState *) pending_unwinds; /* unwind blocks that wait to be placed */
	VEC(EhState *) pending_cleanups;
	VEC(EhState *) emitted;     /* cleanups of the unwinding paths */
	EhState *terminate;         /* shared by all cleanups of the function */
	VEC(IrBlock *) cold_blocks; /* for the end of the function */
	bool cxx_exceptions;        /* of the module */
	bool
	    replaces; /* an exception that leaves a cleanup takes the place of the one in flight: not in C++ */
	bool has_jump;
	bool too_deep; /* CLEANUP_NESTING_MAX: reported once a function */
	bool failed;
};

/* emit.c */
Frame *flatten_push(Flatten *f, IrOp *op, void (*step)(Flatten *, Frame *));
void flatten_open_region(Flatten *f, Frame *fr, IrRegion *region); /* its ops follow into f->at */
void flatten_pop(Flatten *f);
IrBuilder flatten_here(Flatten *f,
                       const IrOp *op);     /* at the end of the open block, with the location of op */
void flatten_ensure_block(Flatten *f);      /* opens an unreachable block after a terminator */
void flatten_place(Flatten *f, IrBlock *b); /* b is next, and open */
/* Falls into b from the open block, if any. When nothing branches to b, nothing is open afterwards. */
void flatten_place_join(Flatten *f, IrBlock *b, const IrOp *op);
/* closes the open block, if any */
void flatten_branch(Flatten *f, IrBlock *dest, IrValue *arg, const IrOp *op);
/* The same at the end of a region: the branch stands where the region's yield stood, so that
 * nobody steps back to where op begins. */
void flatten_end(Flatten *f, const Frame *fr, IrBlock *dest, IrValue *arg);
IrBlock *flatten_block(Flatten *f, const IrOp *op);
void flatten_replace_result(Flatten *f, IrOp *op, IrValue *v); /* v NULL: the result is never computed */
void flatten_append(Flatten *f, IrOp *op);
IrValue *flatten_entry_alloca(Flatten *f, IrType *type, Str name, Loc loc);
void flatten_hoist(Flatten *f, IrOp *alloca); /* to the entry block */

/* label.c */
void flatten_find_labels(Flatten *f, const IrRegion *region);       /* fills f->labels */
bool flatten_address_is_taken(const Flatten *f, const Name *label); /* by a constant of the module? */
Name *flatten_label_name(const IrOp *op);

/* scope_exit.c */
Dest *dest_new(Flatten *f, IrBlock *block, const Scope *within);
Scope *scope_push(Flatten *f); /* a scope that runs nothing: loop, switch */
Scope *scope_push_cleanup(Flatten *f, const IrOp *op);
void exit_to(Flatten *f, Dest *dest, const IrOp *op); /* from the open block; closes it */
void exit_store_returned(Flatten *f, IrBuilder *b, uint32_t level, IrValue *v);
IrValue *exit_load_returned(Flatten *f, IrBuilder *b, uint32_t level); /* NULL: nothing is returned */
/* Did control come to the cleanup of s, which the open block is in, by another exit than the end of its body? */
IrValue *exits_are_abnormal(Flatten *f, Scope *s, IrBuilder *b);
/* No more exits of scope s, whose cleanup is emitted next: a finally may have exits of its own, to the same destinations. */
void exits_end(Scope *s);
/* Those of scope s, whose cleanup has been emitted into the open block, go on. */
void exits_distribute(Flatten *f, Scope *s, const IrOp *op);

/* cleanup_kind.c: the kind that a cleanup of such a region has in truth. */
unsigned cleanup_kind(unsigned kind, const IrRegion *r);
bool cleanup_on_normal_exit(
    const IrRegion *r); /* does leaving r, the body of an op, normally run a cleanup, or a finally? */

/* cleanup.c: the body and the cleanup of a cleanup scope or of an iteration of a loop. */
void flatten_cleanup_scope(Flatten *f, IrOp *op);
/* A frame for the body; `closed` gets control when the body and its cleanup are done. falls_to: where falling
 * out of the body leads, through the cleanup; NULL: on with what follows. */
Frame *cleanup_open(Flatten *f, IrOp *op, unsigned kind, IrRegion *cleanup, void (*body)(Flatten *, Frame *),
                    Dest *falls_to);
/* A region of op once more, which counts. to: empty, and stays so when there were too many copies: reported. */
bool flatten_copy_region(Flatten *f, const IrOp *op, const IrRegion *from, IrRegion *to);
void cleanup_close(Flatten *f, Frame *fr); /* called by `body` when it is done; pops the frame in time */

/* unwind.c */
EhState *eh_push(Flatten *f, EhKind kind, IrOp *op);
bool eh_unwinds_here(const IrOp *op);
bool eh_is_noexcept(const Flatten *f, const IrOp *func);
void eh_push_function(Flatten *f); /* the outermost state */
void eh_place_rest(Flatten *f);    /* the unwind blocks that wait when the function ends */
/* Where a throw at this place unwinds to; NULL: out of the function. */
IrBlock *eh_unwind_block(Flatten *f, const IrOp *op);
void eh_resume(Flatten *f, IrValue *token, const IrOp *op); /* ends the open block */
/* For a cleanup that never ends: the handlers around it stay in sight. */
void eh_keep_way_on(Flatten *f, EhState *eh);
/* Emits what waits since the marks: unwind blocks, then cleanups. A frame that pops itself. */
void eh_flush(Flatten *f, IrOp *op, uint32_t first_unwind, uint32_t first_cleanup);
void flatten_try(Flatten *f, IrOp *op);
void flatten_throwing(Flatten *f, IrOp *op); /* call, throw */
void flatten_resume(Flatten *f, IrOp *op);

/* control.c */
void flatten_scope(Flatten *f, IrOp *op);
void flatten_if(Flatten *f, IrOp *op);
void flatten_while(Flatten *f, IrOp *op);
void flatten_do(Flatten *f, IrOp *op);
void flatten_for(Flatten *f, IrOp *op);
void flatten_condition(Flatten *f, IrOp *op);

/* switch.c */
void flatten_switch(Flatten *f, IrOp *op);
void flatten_case(Flatten *f, IrOp *op);

/* check.c */
void flatten_check(Flatten *f, IrOp *op);
void flatten_place_cold(Flatten *f); /* what checks call that fail */

/* unreachable.c */
void flatten_prune(Flatten *f);

/* goto_bypass.c: in functions with a jump, every path to a use must pass the definition; reports. */
void flatten_report_bypass(Diags *d, const IrUse *use);
bool flatten_check_bypass(IrModule *m, IrOp *const *funcs, uint32_t n, Arena *mem, Diags *d);

/* bypassed_lifetime.c: a goto past the begin of a lifetime leaves none. */
void flatten_forget_bypassed_lifetimes(const Flatten *f);

/* structured_rewrite.c */
IrBuilder expand_region(Flatten *f, const IrOp *op, IrRegion *r); /* at the end of a new block of r */
IrOp *expand_region_op(IrBuilder *b, OpKind kind, IrValue *operand, uint32_t nregions);
IrOp *expand_cleanup_scope(IrBuilder *b, unsigned kind);
void expand_yield(IrBuilder *b);
void expand_done(Flatten *f, IrBlock *made, IrOp *op);     /* the ops in `made` take op's place in the walk */
void expand_handlers(IrModule *m, IrOp *func, Arena *mem); /* of a function, before the walk */

/* finally.c, when.c: of a function, before the walk. False: reported. */
bool flatten_expand_finally(Flatten *f);
bool flatten_outline_filters(Flatten *f);
void flatten_escape_variables(Flatten *f); /* behind the walk: the op that filters find them by */

/* abnormal.c */
void flatten_abnormal(Flatten *f, IrOp *op);
/* In a copy of a cleanup or finally: what circ.abnormal is there. */
void flatten_settle_abnormal(IrModule *m, const IrRegion *region, bool value);

/* async.c: before the walk, and in it each op that may be marked */
void flatten_mark_async(Flatten *f);
void flatten_maybe_async(Flatten *f, IrOp *op);

void flatten_array(Flatten *f, IrOp *op);
void flatten_delete_array(Flatten *f, IrOp *op);
/* The pointer to the innermost elements of the nested array that p points to. */
IrValue *array_first_element(Flatten *f, IrBuilder *b, IrValue *p);

#endif
