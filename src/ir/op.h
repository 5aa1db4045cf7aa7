/* ir/op.h: operations, blocks, regions, values and their uses.
 *
 * Ownership  everything lives in the pools of its module; erasing unlinks, the memory goes with the module,
 *            or with ir_module_forget_erased() and ir_func_drop_body().
 * Uses       every operand is linked into the use list of its value, every successor into the predecessor
 *            list of its block: replacing and erasing cost O(uses).
 * Operands   the op's own operands come first, then the arguments of successor 0, 1, …;
 *            ir_op_nmain() tells the border.
 * Errors     wrong calls are broken invariants (CHECK); wrong programs are the verifier's business.
 */
#ifndef CIRC_IR_OP_H
#define CIRC_IR_OP_H

#include "ir/attr.h"

typedef struct CircOp IrOp;
typedef struct CircBlock IrBlock;
typedef struct CircRegion IrRegion;
typedef struct CircValue IrValue;
typedef struct IrUse IrUse;
typedef struct IrSucc IrSucc;

typedef enum OpKind {
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format) OP_##id,
#include "ir/ops.def"
	OP_COUNT
} OpKind;

typedef enum Stage {
	STAGE_STRUCTURED = 1,
	STAGE_FLAT = 2,
	STAGE_ITANIUM = 4,
	STAGE_MICROSOFT = 8,
} Stage;

typedef enum OpFlag {
	OPF_TERM = 1,      /* ends a block */
	OPF_PURE = 2,      /* no effect but its results */
	OPF_THROWS = 4,    /* may unwind, unless it is marked nothrow */
	OPF_CALLS = 8,     /* has a callee */
	OPF_SYMBOL = 16,   /* defines a symbol of the module */
	OPF_ISOLATED = 32, /* values of outside are not visible inside */
	OPF_YIELDS = 64,   /* a region may leave out its final operand-less cir.yield */
	OPF_OMITS = 256,   /* … and the printer leaves it out (cir-reference 5.7, "implied yield") */
	OPF_FENV = 512,    /* may say `fenv`: the floating point environment that it stands in */
	OPF_LOOP = 128,    /* cir.break and cir.continue belong to it */
	OPF_BLOCK = 1024,  /* its regions are blocks of the source: variables belong to them */
} OpFlag;

enum { OP_ANY = 255 }; /* OpInfo.nregions, nsuccs: any number */

typedef struct OpInfo {
	const char *name;
	const char *operands, *results, *format;
	uint16_t flags;
	uint8_t stages, nregions, nsuccs;
} OpInfo;
extern const OpInfo op_info[OP_COUNT];

/* OP_COUNT when there is no op of that name. */
OpKind op_find(Str mnemonic);
/* The mnemonic that was probably meant, or NULL. */
const char *op_similar(Str mnemonic);

typedef enum NameId {
#define NAME(id, text) NAME_##id,
#include "ir/names.def"
	NAME_COUNT
} NameId;

struct IrUse {
	IrValue *value;
	IrOp *user;
	IrUse *next;  /* other uses of the value */
	IrUse **link; /* what points at this one */
};

struct CircValue {
	IrType *type;
	IrUse *uses;
	union {
		IrOp *op;       /* result `index` of it */
		IrBlock *block; /* argument `index` of it */
	} def;
	uint32_t id; /* dense in the module, from 0, for side tables */
	uint32_t index : 31;
	uint32_t is_arg : 1;
};

struct IrSucc {
	IrBlock *dest;
	IrOp *op;     /* the terminator */
	IrSucc *next; /* other edges into dest */
	IrSucc **link;
	uint32_t first; /* its arguments: op->operands[first … first + nargs) */
	uint32_t nargs;
};

typedef struct IrNamedAttr {
	Name *name;
	const IrAttr *value;
} IrNamedAttr;

struct CircOp {
	IrOp *prev, *next;
	IrBlock *block; /* NULL while not inserted */
	OpKind kind : 16;
	uint32_t nregions : 16;
	uint32_t noperands, nresults, nsuccs, nattrs;
	uint32_t
	    attr_bits; /* bit Name.id % 32 of each attribute it has or had: most questions are for absent ones */
	Loc loc;
	IrUse *operands;
	IrValue *results;
	IrSucc *succs;
	IrRegion *regions;
	IrNamedAttr *attrs; /* inherent and discardable ones, in the order of the text */
};

struct CircBlock {
	IrBlock *prev, *next;
	IrRegion *region; /* NULL while not inserted */
	IrOp *first, *last;
	IrValue **args;
	uint32_t nargs;
	uint32_t id; /* dense in the module, from 0, for side tables */
	IrSucc *preds;
	Loc loc;
};

struct CircRegion {
	IrBlock *first, *last;
	IrOp *op; /* that it belongs to; NULL for the module's body */
};

#define IR_FOR_BLOCKS(b, region) for (IrBlock *b = (region)->first; b; b = b->next)

/* Ops mostly lie in the order of the text, some 200 bytes each with what belongs to them: those that a walk comes to
 * soon are fetched meanwhile, where a module does not fit the caches. */
static inline void ir_op_fetch_ahead(const IrOp *op)
{
	enum { AHEAD = 512, UNTIL = 768, CACHE_LINE = 64 };
	for (unsigned at = AHEAD; at < UNTIL; at += CACHE_LINE)
		BASE_PREFETCH((const void *)((uintptr_t)op + at));
}

/* The op behind this one. */
static inline IrOp *ir_op_next(const IrOp *op)
{
	ir_op_fetch_ahead(op);
	return op->next;
}

#define IR_FOR_OPS(op, block) for (IrOp *op = (block)->first; op; op = ir_op_next(op))
/* The op may be erased or moved inside the loop. */
#define IR_FOR_OPS_SAFE(op, block)                                                                           \
	for (IrOp *op = (block)->first, *op##_next = op ? op->next : NULL; op;                               \
	     op = op##_next, op##_next = op ? ir_op_next(op) : NULL)
#define IR_FOR_USES(u, value)  for (IrUse *u = (value)->uses; u; u = u->next)
#define IR_FOR_PREDS(s, block) for (IrSucc *s = (block)->preds; s; s = s->next)

/* What an op is made of; arrays are borrowed for the call. */
typedef struct IrOpSpec {
	OpKind kind;
	Loc loc;
	IrValue *const *operands; /* without successor arguments */
	uint32_t noperands;
	IrType *const *result_types;
	uint32_t nresults;
	const struct IrSuccSpec *succs;
	uint32_t nsuccs;
	uint32_t nregions; /* created empty */
	const IrNamedAttr *attrs;
	uint32_t nattrs;
} IrOpSpec;

typedef struct IrSuccSpec {
	IrBlock *dest;
	IrValue *const *args;
	uint32_t nargs;
} IrSuccSpec;

/* What makes an op like this one, without its place, edges and regions. The arrays lie in `mem`. */
IrOpSpec ir_op_spec(const IrOp *op, Arena *mem);

/* A new op that is in no block yet. */
IrOp *ir_op_create(IrModule *m, const IrOpSpec *spec);
/* n more regions, empty, behind those that it has. All lie elsewhere then, with their blocks. */
void ir_op_add_regions(IrModule *m, IrOp *op, uint32_t n);
void ir_op_append(IrBlock *b, IrOp *op);
void ir_op_insert_before(IrOp *before, IrOp *op);
void ir_op_remove(IrOp *op); /* unlinks from its block; may be inserted again */
/* Unlinks all ops of a block and returns the first; they stay chained by `next`, to be inserted again one by
 * one (cut the chain first: op->next = op->prev = NULL). */
IrOp *ir_block_take_ops(IrBlock *b);
/* Unlinks it with its regions, and drops all its uses. Its results must have no uses left. */
void ir_op_erase(IrOp *op);

uint32_t ir_op_nmain(const IrOp *op); /* operands that are not successor arguments */
static inline IrValue *ir_operand(const IrOp *op, uint32_t i)
{
	CHECK(i < op->noperands);
	return op->operands[i].value;
}
void ir_set_operand(IrOp *op, uint32_t i, IrValue *v);
/* Replaces the op's own operands, keeping successor arguments. */
void ir_op_set_main_operands(IrModule *m, IrOp *op, IrValue *const *v, uint32_t n);
void ir_succ_set_args(IrModule *m, IrOp *op, uint32_t succ, IrValue *const *args, uint32_t n);
static inline IrValue *ir_succ_arg(const IrSucc *s, uint32_t i)
{
	CHECK(i < s->nargs);
	return s->op->operands[s->first + i].value;
}
void ir_succ_set_dest(IrSucc *s, IrBlock *dest); /* its arguments stay */
static inline uint32_t ir_succ_index(const IrSucc *s)
{
	return (uint32_t)(s - s->op->succs);
}

const IrAttr *ir_op_find_attr(const IrOp *op, uint32_t name_id);
static inline uint32_t ir_attr_bit(uint32_t name_id)
{
	return UINT32_C(1) << name_id % 32;
}
static inline const IrAttr *ir_op_attr(const IrOp *op, uint32_t name_id) /* or NULL */
{
	return op->attr_bits & ir_attr_bit(name_id) ? ir_op_find_attr(op, name_id) : NULL;
}
static inline bool ir_op_has(const IrOp *op, uint32_t name_id)
{
	return ir_op_attr(op, name_id) != NULL;
}
void ir_op_set_attr(IrModule *m, IrOp *op, Name *name, const IrAttr *value); /* value NULL: remove */
/* The symbol an ATTR_SYMBOL attribute names, or NULL. */
static inline Name *ir_op_symbol(const IrOp *op, uint32_t name_id)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return a && a->kind == ATTR_SYMBOL ? a->name : NULL;
}
/* Word of an ATTR_ENUM attribute; `absent` when there is none. */
static inline unsigned ir_op_enum(const IrOp *op, uint32_t name_id, unsigned absent)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return a && a->kind == ATTR_ENUM ? (unsigned)a->bits : absent;
}
/* The word of `inline_kind`, which a call may give as a number from 1, too (cir-reference 5.9). False: says nothing. */
bool ir_attr_inline_kind(const IrAttr *a, unsigned *kind);
bool ir_op_may_wrap(OpKind kind); /* does it take the flags nsw and nuw? */
/* Unsigned value of an ATTR_INT attribute; `absent` when there is none or it does not fit. */
uint64_t ir_op_uint(const IrOp *op, uint32_t name_id, uint64_t absent);

void ir_value_replace(IrValue *from, IrValue *to); /* all uses */

IrBlock *ir_block_create(IrModule *m, Loc loc);
void ir_block_append(IrRegion *r, IrBlock *b);
void ir_block_insert_after(IrBlock *where, IrBlock *b);
/* b ends before `first`, which begins a new block behind it, with all that follows;
 * NULL: that block is empty. */
IrBlock *ir_block_split(IrModule *m, IrBlock *b, IrOp *first, Loc loc);
void ir_block_remove(IrBlock *b);
/* Its ops, and those inside them, give up their operands and successors: before erasing
 * blocks that refer to each other. */
void ir_block_drop_references(IrBlock *b);
/* Erases it and its ops; nothing outside may use them, and it must have no predecessors. */
void ir_block_erase(IrBlock *b);
/* Gives the memory of all erased ops back. */
void ir_module_forget_erased(IrModule *m);
/* Gives the memory of a function's body back. Nothing may look at it again: uses and edges are not undone,
 * and the ids of its values and blocks stay taken. */
void ir_func_drop_body(IrOp *func);
IrValue *ir_block_add_arg(IrModule *m, IrBlock *b, IrType *type);
/* Takes all arguments away, for others to be added; those taken may have uses, which are
 * the caller's to replace. */
IrValue **ir_block_take_args(IrBlock *b);
/* Of its arguments, only these, in this order; the others have no uses. The edges are the caller's to fix. */
void ir_block_keep_args(IrBlock *b, IrValue *const *kept, uint32_t n);
void ir_block_remove_arg(IrBlock *b, uint32_t index); /* has no uses; the edges are the caller's to fix */
static inline IrOp *ir_block_terminator(const IrBlock *b)
{
	return b->last && (op_info[b->last->kind].flags & OPF_TERM) ? b->last : NULL;
}

static inline IrOp *ir_op_parent(const IrOp *op) /* the op whose region holds it, or NULL */
{
	return op->block && op->block->region ? op->block->region->op : NULL;
}
/* Every op of a region and of the regions inside, each before those it contains; NULL at the end. */
IrOp *ir_walk_first(const IrRegion *root);
IrOp *ir_walk_next(const IrOp *op, const IrRegion *root);
IrOp *ir_walk_skip(const IrOp *op, const IrRegion *root); /* the next one that is not inside op */

/* Calls (OPF_CALLS): the callee's symbol, or NULL for an indirect call through operand 0; the arguments. */
Name *ir_call_callee(const IrOp *op);
uint32_t ir_call_nargs(const IrOp *op);
IrValue *ir_call_arg(const IrOp *op, uint32_t i);

/* A call or function marked so: no exception leaves it. */
bool ir_op_is_nothrow(const IrOp *op);

/* Could executing it unwind? Reads OPF_THROWS, the op's nothrow marks and its callee's. */
bool ir_op_may_throw(const IrOp *op);

/* Has it two edges, the second for an exception? Its result exists on the first only. */
static inline bool ir_op_has_unwind_edge(const IrOp *op)
{
	return (op_info[op->kind].flags & (OPF_TERM | OPF_THROWS)) == (OPF_TERM | OPF_THROWS);
}

#endif
