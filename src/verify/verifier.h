/* verify/verifier.h: what the files of the verifier share; private to src/verify.
 *
 * verify.c          the walk: stages, dominance, every op against its row, then its verify_<name>
 * verify/op.c       the checks that a row of ops.def spells out
 * verify/cfg.c      blocks, terminators, edges, and which block unwinding may enter
 * verify/type.c     types in positions
 * verify/attr.c     constants
 * verify/attribute_name.c  names that resemble a known one
 * verify/record_layout.c  what the module says of records
 * verify/param_attribute.c    parameter and result attributes
 * verify/value.c verify/math.c verify/atomic.c verify/builtin.c verify/vector.c verify/memory.c
 * verify/record.c verify/call.c verify/symbol_name.c verify/symbol.c verify/dynamic_init.c verify/member.c
 * verify/branch.c verify/structured.c verify/try.c verify/array.c verify/annotation.c
 * verify/variadic.c verify/eh.c verify/itanium_landing.c verify/llvm.c
 * verify/microsoft_pad.c verify/type_info.c verify/circ_eh.c verify/exception_type.c verify/eh_runtime.c      rules of single ops, by topic
 * verify/cleanup_path.c    catches and cleanups of flat CIR are opened and ended on every path
 * verify/funclet.c  the pads of the Microsoft form are a tree that its tables can say
 *
 * Order      an op's row is checked before its verify_<name>, which may rely on it; a function's ops before
 *            the rules about the whole function, which run only on a function without errors.
 * Unreachable blocks are exempt from dominance and from the rules about paths, as in
 * MLIR; passes leave them out.
 */
#ifndef CIRC_VERIFY_VERIFIER_H
#define CIRC_VERIFY_VERIFIER_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/constraint.h"
#include "ir/spell.h"
#include "verify/verify.h"

typedef VEC(const IrOp *) OpList;

/* verify/param_attribute.c: attributes that a parameter or result of that type may have, whatever else the function is. */
typedef struct FittingDict {
	const IrAttr *dict; /* NULL: none yet */
	const IrType *type;
	bool is_result;
} FittingDict;

enum { FITTING_DICTS = 128 };

/* What ops ask of the regions around them. */
typedef enum Nearest {
	NEAREST_BREAK,
	NEAREST_CONTINUE,
	NEAREST_CASE,
	NEAREST_OBSTACLE,
	NEAREST_RETURNING,
	NEAREST_UNWINDING,
	NEAREST_CATCH,
	NEAREST_ABNORMAL,
	NEAREST_ASYNC,
	NEARESTS
} Nearest;

typedef struct Verifier {
	IrModule *m;
	Diags *d;
	Arena *arena; /* scratch; given back after each function */
	Stage stage;
	uint8_t *type_state;   /* by IrType.id: memo of verifier_type_fits */
	uint8_t *attr_checked; /* by IrAttr.id: known to be a valid constant */
	uint32_t distances;    /* checked: they are valid in one global alone */
	uint8_t *seen;         /* by IrValue.id: its definition has been walked */
	uint8_t *open;         /* by IrBlock.id: dominates the place being walked, or is around it */
	uint8_t *around;       /* by IrBlock.id of a region's first block: the region is being walked */
	uint32_t *place;       /* by IrBlock.id: in the dominator tree of its region */
	uint32_t *mark;        /* by IrBlock.id: zero between ops, for the op that needs it */
	const IrOp *symbol;    /* the top-level op being walked */
	const IrOp *async_in;  /* verify/try.c: … if it has a `cir.try async` */
	OpList labels, gotos;  /* cir.label of the function */
	const IrOp *labelled;  /* verify/attr.c: the function whose labels are in */
	PtrMap label_of;       /* name → cir.label */
	PtrMap cleanup_of;     /* ir/nearest_region.h: cleanup regions around labels */
	PtrMap empty_records;  /* those that the module says hold nothing */
	OpList scopes;         /* ops that begin or end a catch or a cleanup */
	OpList pads;           /* catchswitch, catchpad, cleanuppad */
	PtrMap open_catches;   /* verify/try.c: handler → as far as its catch is known to be open */
	PtrMap enterable;      /* cleanup scopes of the function that jumps may go into */
	bool closed;           /* a region of the symbol is left by its end only (verify/region_exit.c) */
	IrNamedAttr
	    fitting_text[16]; /* verify/text_attribute.c: by Name.id, one that passed; functions share them */
	FittingDict fitting_dicts[FITTING_DICTS];
	const IrOp *escaping,
	    *escape;     /* verify/circ_eh.c: the function asked about last, and its circ.localescape */
	uint8_t *judged; /* verify/attribute_name.c: by Name.id, the holders that it was looked up for */
	uint8_t *judged_dicts; /* verify/attribute_name.c: by IrAttr.id, of parameters */
	uint32_t nlooked_up;   /* verify/attribute_name.c */
	uint8_t *param_rows;   /* verify/param_attribute.c: by Name.id, from 1 */

	PtrMap nearest[NEARESTS]; /* ir/nearest_region.h: of the symbol being walked */
} Verifier;

/* At the op: "'cir.x' op " and the text, a verb and what follows; or, where the op is not the subject,
 * "'cir.x' op" and the text ": " and a sentence. */
void verifier_error(Verifier *v, const IrOp *op, const char *fmt, ...) BASE_PRINTF(3, 4);
void verifier_note(Verifier *v, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
/* About an op, the whole text; not where the module was verified before, and only passes have changed ops since. */
void verifier_warning(Verifier *v, Loc loc, const char *fmt, ...) BASE_PRINTF(3, 4);
const char *verifier_type(const Verifier *v, const IrType *t); /* its text, for messages */

/* verify/op.c: counts, types and attributes of the row. */
bool verifier_check_row(Verifier *v, const IrOp *op);

/* verify/async.c: of any op. */
void verifier_check_async(Verifier *v, const IrOp *op);
/* Of a function that is marked circ.may_fault; reports. */
bool verifier_check_may_fault(Verifier *v, const IrOp *func);

/* verify/cfg.c */
void verifier_check_block(Verifier *v, const IrBlock *b);
void verifier_check_edges(Verifier *v, const IrOp *op);
/* Is this edge taken by unwinding? */
bool verifier_unwinds(const IrSucc *s);
/* The op that makes a block one that unwinding enters, or NULL. */
const IrOp *verifier_landing(const IrBlock *b);
/* First op of a block that is not the entry; reports. */
bool verifier_check_landing(Verifier *v, const IrOp *op);
/* verify/itanium_landing.c: its function has a personality with landing pads; reports. */
bool verifier_check_landing_personality(Verifier *v, const IrOp *op);

/* verify/attribute_name.c: warnings. */
void verifier_check_attr_names(Verifier *v, const IrOp *op);
void verifier_check_module_names(Verifier *v);

/* verify/record_layout.c */
void verifier_check_layouts(Verifier *v);
void verifier_check_raise(Verifier *v); /* the module's circ.raise */
/* Has the module said that record is empty, and is member something? */
bool verifier_holds_nothing(const Verifier *v, const IrType *record, const IrType *member);
/* verify/type.c: may a value, or memory, be of this type? Sized, and valid inside. Tokens are values. */
bool verifier_type_fits(Verifier *v, const IrType *t);
/* The same, and not a token; reports. what: "result #0", … */
bool verifier_check_storage(Verifier *v, const IrOp *op, const IrType *t, const char *what);
/* Attribute `name` of op, an alignment: absent or a power of two that LLVM can take. */
bool verifier_check_align(Verifier *v, const IrOp *op, NameId name);

/* verify/attr.c: a constant of that type, as an initializer or of cir.const. */
bool verifier_check_constant(Verifier *v, const IrOp *op, const IrAttr *a);

/* verify/param_attribute.c: arg_attrs and res_attrs of a function or call. */
void verifier_param_rows(Verifier *v);         /* once for the module */
const char *verifier_param_attr(unsigned row); /* its name; NULL: there are no more */
void verifier_check_param_attrs(Verifier *v, const IrOp *op, IrType *const *params, uint32_t nparams,
                                const IrType *result);
/* verify/symbol.c: has it a type, of its kind? */
bool verifier_check_symbol_type(Verifier *v, const IrOp *op);
/* Attributes of a function or call that LLVM refuses together. */
/* The attribute, where op has it, is a word of the enumeration. Rows of ops.def say so of most. */
/* Reports that an attribute is no word of an enumeration: false. */
bool verifier_not_word(Verifier *v, const IrOp *op, const Name *name, EnumClass c);
bool verifier_check_enum(Verifier *v, const IrOp *op, NameId name, EnumClass c);
bool verifier_check_conflicts(Verifier *v, const IrOp *op);
/* verify/symbol_name.c: the name of a symbol, its section's and its comdat's. */
/* verify/asm.c: of an op with both texts */
bool verifier_check_template(Verifier *v, const IrOp *op);
/* verify/asm_constraint.c: the same, and whether the values fit the registers */
bool verifier_check_constraints(Verifier *v, const IrOp *op);
bool verifier_check_name(Verifier *v, const IrOp *op);
bool verifier_is_reserved(const Name *name); /* LLVM's own */
bool verifier_is_used_list(const IrOp *op);  /* llvm.used, llvm.compiler.used */
/* verify/annotation.c: of a function, a global or an alloca. */
bool verifier_check_annotations(Verifier *v, const IrOp *op);
/* verify/attribute_kind.c: the kinds of attributes of a function or call, and fast math's flags of an op. */
bool verifier_check_traits(Verifier *v, const IrOp *op);
bool verifier_check_fastmath(Verifier *v, const IrOp *op);
/* verify/text_attribute.c: what a function says to LLVM in LLVM's own words. */
bool verifier_check_text_attrs(Verifier *v, const IrOp *op);
const char *verifier_text_attr(unsigned row); /* its name; NULL: there are no more */

/* verify/atomic.c: bits of a type that atomic accesses take: a power of two of at least
 * 8; reports if t is none. */
bool verifier_check_atomic_type(Verifier *v, const IrOp *op, const IrType *t);
/* verify/math.c: the attribute `fenv`. */
void verifier_check_fenv(Verifier *v, const IrOp *op);
/* verify/call.c: the cir.func of that name, or NULL. */
const IrOp *verifier_func(const Name *name);
/* verify/symbol.c: the name must be that of a global (or function); reports. */
bool verifier_is_kernel(const IrOp *func);
/* "; did you mean '@x'?", of the symbols of that kind (OP_COUNT: of any), or "". */
const char *verifier_similar_symbol(Verifier *v, const Name *name, OpKind kind);
bool verifier_check_symbol(Verifier *v, const IrOp *op, const Name *name, bool functions_too);
/* verify/eh_runtime.c: has the symbol being walked exceptions of circ's runtime? The second reports that `what` needs them. */
bool verifier_is_circ(const Verifier *v);
bool verifier_check_circ(Verifier *v, const IrOp *op, const char *what);
bool verifier_is_cxx_personality(const Name *name);
bool verifier_check_runtime(Verifier *v, const IrOp *func); /* the personality of a function; reports */
/* The name is what functions of circ's runtime throw and catch; the second reports that others do not. */
bool verifier_check_circ_type(Verifier *v, const IrOp *op, const Name *name);
/* verify/exception_type.c: what exception types extend, of all of them; reports. */
bool verifier_check_exception_types(Verifier *v);
void verifier_check_thrown(Verifier *v, const IrOp *op); /* a throw of circ's runtime, with an object */
/* entries: handler_types of a cir.try or catch_types of a dispatch. In functions of circ's runtime no type stands there twice;
 * reports. Warns of handlers of exception types that never run, in those of C++ as well. */
bool verifier_check_order(Verifier *v, const IrOp *op, const IrAttr *entries);
/* verify/type_info.c: nothing shows that the symbol is no type info; reports. */
bool verifier_check_type_info(Verifier *v, const IrOp *op, const Name *name);

/* Rules about a whole function; needs an OP_FUNC with a body and without errors. */
void verifier_check_labels(Verifier *v);
void verifier_check_exits(Verifier *v); /* structured: verify/region_exit.c */
void verifier_check_scopes(Verifier *v);
void verifier_check_funclets(Verifier *v);

/* verify/region_exit.c: regions that are left by their ends only: cleanups, and handlers that go on unwinding. */
bool verifier_is_cleanup_region(const IrRegion *r);
bool verifier_is_closed(const IrRegion *r);
bool verifier_is_exit_region(
    const IrRegion *r); /* a cleanup, or the finally of a cir.try: runs on the ways out of another one */
void verifier_report_leaving(Verifier *v, const IrOp *op, const IrRegion *closed);
/* verify/try.c: an unwind, filter or unexpected region of a cir.try? */
bool verifier_goes_on_unwinding(const IrRegion *r);
/* The filter of a `when`? It is a function of its own, which only its end leaves. */
bool verifier_is_filter(const IrRegion *r);
/* Structured: begin stands where an exception is caught; reports. Is op inside of a catch? */
bool verifier_check_handler(Verifier *v, const IrOp *begin);
bool verifier_in_catch(Verifier *v, const IrOp *op);
/* Structured: a cir.begin_catch has one end, in a place where every exit passes it. */
void verifier_check_catch(Verifier *v, const IrOp *begin);

/* The personality of the function an op stands in, as far as it matters here. */
typedef enum Personality {
	PERSONALITY_NONE,
	PERSONALITY_LANDING,
	PERSONALITY_FUNCLET,
	PERSONALITY_FILTER, /* of structured exceptions: pads, too, but a catch is a filter */
	PERSONALITY_OTHER
} Personality;
Personality verifier_personality(const IrOp *func);

typedef void VerifyFn(Verifier *v, const IrOp *op);
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format)                \
	VerifyFn verify_##verify;
#include "ir/ops.def"

#endif
