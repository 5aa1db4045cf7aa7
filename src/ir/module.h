/* ir/module.h: a module, the owner of everything in it, and its symbols.
 *
 * Ownership  a module owns two arenas: `arena` for what it consists of, `scratch` for the passes, which mark
 *            and release it; and two pools, for its ops and blocks with all that they hold.
 * Threads    no globals: two modules on two threads never meet.
 */
#ifndef CIRC_IR_MODULE_H
#define CIRC_IR_MODULE_H

#include "base/pool.h"
#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/op.h"

/* Is what some version of clang printed wrong put right? REPAIR_AUTO: where the text proves that clang printed it. */
typedef enum RepairMode { REPAIR_NONE, REPAIR_AUTO, REPAIR_CLANG } RepairMode;

/* Spellings that tell when a text was printed. */
typedef enum DatedSpelling {
#define DATED(id, ...) DATED_##id,
#include "ir/dated.def"
	DATED_COUNT
} DatedSpelling;

/* What a module may grow to on the way to code: kilobytes of text can ask for gigabytes. */
typedef struct ModuleBudget {
	uint64_t copied_ops; /* that cleanups are copied to, for the paths of exceptions */
	uint64_t data;       /* bytes of variables and constants that are not all zero */
	uint64_t
	    constant_parts; /* numbers, addresses and aggregates in constants, each as often as it is there */
} ModuleBudget;
enum { BUDGET_COPIED_OPS = 250000, BUDGET_DATA = 1 << 28, BUDGET_CONSTANT_PARTS = 1 << 24 };

struct CircModule {
	Arena arena, scratch;
	Pool pool;    /* blocks, and ops that define no symbol */
	Pool symbols; /* the ops that do: they outlive the bodies of functions */
	IrOp *erased; /* chained by `prev` */
	NameTable names;
	TypeTable types;
	AttrTable attrs;
	Name *name;                /* `module @name`, or NULL */
	IrNamedAttr *module_attrs; /* `module attributes {…}` */
	uint32_t nmodule_attrs;
	Loc attrs_loc;             /* of their dictionary in the text; errors about them are told there */
	IrRegion body;             /* one block: the top-level ops */
	uint32_t nvalues, nblocks; /* ids given out so far */
	bool made
	    [OP_COUNT]; /* has there ever been an op of that kind? Passes that look for a few need not walk then */
	bool settled, cxx_exceptions; /* the latter as it was before the first pass */
	RepairMode repair;            /* what repair/repair.h is to do; whoever makes the module says it */
	bool repair_each;             /* a remark for each repair, not one for all of them */
	bool repaired;                /* it has been through there */
	Str eh_table; /* of lift/runtime.h, for another language's exceptions; empty: none. Whoever makes the module says it */
	uint32_t dated;        /* spellings of the text that tell its time: bits 1 << DATED_… */
	bool padding_untold;   /* some record has a MARK_UNTOLD */
	uint32_t judged_names; /* verify/attribute_name.c: how many of `names` have been reported already */
	/* By the verifier, of all ops there are: passes change nothing that a warning is about. */
	bool warned;
	ModuleBudget budget;
	uint64_t copied_ops; /* of it */
	VEC(struct IrScope) scopes;
	PtrMap sources; /* ir/debug_source.h */
	PtrMap numbers; /* stem of ir_free_name() → the last number behind it */
	Source source;  /* the text it was read from; text.data NULL for a built one */
	IrType *simple[TYPE_KIND_COUNT];
	IrType *s32, *u32, *u64, *s64, *u8, *voidp; /* the frequent ones */
	IrType *size, *difference; /* std::size_t and std::ptrdiff_t: integers as wide as addresses */
	const struct OpShape *shapes[OP_COUNT]; /* of ir/constraint.h; NULL: not cut yet */
	struct ApiState *api; /* of the public interface (src/api); NULL for modules that it did not make */
};

IrModule *ir_module_create(void); /* NULL when memory is exhausted */
void ir_module_destroy(IrModule *m);
/* Where arena exhaustion goes from now on; NULL: abort. Returns the former guard. */
OomGuard *ir_module_guard(IrModule *m, OomGuard *guard);

static inline IrBlock *ir_module_block(const IrModule *m)
{
	return m->body.first;
}

static inline Name *ir_name(IrModule *m, Str s)
{
	return name_intern(&m->names, s);
}

/* Bytes of an address on the target: 8, or 4. Layouts that are known already are worked out again. */
void ir_module_set_address_size(IrModule *m, uint32_t bytes);
static inline uint32_t ir_module_address_size(const IrModule *m)
{
	return m->size->width / 8;
}

/* The interned name of a row of names.def. */
Name *ir_known_name(const IrModule *m, NameId id);

const IrAttr *ir_module_attr(const IrModule *m, NameId name);
int ir_module_lang(const IrModule *m); /* cir.lang: LANG_C and so on; -1: it does not say */
/* Does `cir.lowering_lang_options` say that the option is on, or off? It may say neither. */
bool ir_module_option_is(const IrModule *m, const char *option, bool on);
/* C++ compiled without exceptions marks all of its functions nothrow, neither throws nor catches nor
 * cleans up on unwinding, names no personality, and may be linked without the library that has one. */
bool ir_module_has_cxx_exceptions(const IrModule *m);
/* Keeps the answer: what passes make tells nothing of what the front end had. */
void ir_module_settle_exceptions(IrModule *m);
void ir_module_set_attr(IrModule *m, Name *name, const IrAttr *value); /* value NULL: remove */

/* The op that defines @name: a cir.func or cir.global, or NULL. */
static inline IrOp *ir_symbol(const Name *name)
{
	return name ? name->symbol : NULL;
}
/* Enters a top-level op into the symbol table. False when its name is taken. */
bool ir_symbol_define(IrOp *op);
void ir_symbol_undefine(IrOp *op);
Name *ir_symbol_name(const IrOp *op); /* sym_name */
/* A name that no symbol has: `stem`, else with the first number behind it, ".1", that is free.
 * Takes constant time over many calls. */
Name *ir_free_name(IrModule *m, Str stem);
/* Of a variable's guard: _ZGV and the encoding of its name (Itanium C++ ABI 5.1.5.1). A name that is not
 * mangled is that of a variable of the global namespace. */
Name *ir_guard_name(IrModule *m, const Name *variable);

/* Functions and globals. */
IrType *ir_func_type(const IrOp *func);
static inline bool ir_func_is_declaration(const IrOp *func)
{
	return !func->regions[0].first;
}
/* Of a block, for its address; not for structured CIR. */
bool ir_func_has_label(const IrModule *m, const IrOp *func);
IrType *ir_symbol_type(const IrOp *symbol); /* value type of a global, function type of a function */
Str ir_module_triple(const IrModule *m);    /* empty when the module names none */

/* The latest stage whose ops occur in the module: what its text is. Ops of every stage alone count as flat. */
Stage ir_module_stage(const IrModule *m);
/* The stages that admit every kind of op that the module has, or had once. */
unsigned ir_module_stages_of_all(const IrModule *m);

#endif
