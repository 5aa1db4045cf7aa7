/* lower/lowerer.h: what the files of the lowering share; private to src/lower.
 *
 * lower.c       the module: order of the work, module flags, constructor lists
 * type.c        types, as values and in memory          const.c const_record.c   attributes to constants
 * global.c      variables, aliases                      func.c attribute*.c      functions
 *               and their attributes
 * split_part.c  what is different in a part of a module
 * body.c        blocks, phis                            intrinsic.c              LLVM's intrinsics
 * edge.c label.c  edges between blocks, labels          error.c                  what is reported
 * source_place.c  places for errors
 * debug*.c      what debuggers are told
 * op_fenv.c     floating point with an environment
 * null_check.c  null checks that become faults
 * op.c          one lowering per row of ops.def, from op_*.c
 *
 * Memory     Side tables are indexed by the dense ids of the IR and live in e->arena. The
 *            IR is only read: no type or attribute is made.
 * Two forms  A value lives in registers as lower_type() and in memory, records and arrays as
 *            lower_memory_type(); they differ for !cir.bool (i1, i8) and for _BitInt (iN, padded).
 *            lower_to_memory() and lower_from_memory() are the doors.
 * Errors     reported at the op (or symbol) being lowered; functions that can fail return NULL. The rest of
 *            the function is left out then, and lower_module() returns no module.
 */
#ifndef CIRC_LOWER_LOWERER_H
#define CIRC_LOWER_LOWERER_H

#include "base/lines.h"
#include "base/ptrmap.h"
#include "base/vec.h"
#include "lower/lower.h"
#include "target/target.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* The intrinsics of LLVM that are called, by intrinsic.c. */
typedef enum Intrinsic {
#define INTRINSIC(id, name) INTRINSIC_##id,
#include "lower/intrinsics.def"
	INTRINSIC_COUNT
} Intrinsic;

enum { OVERLOADS_MAX = 3 };

/* A declaration, for the types it was last asked for. */
typedef struct IntrinsicDecl {
	unsigned id; /* LLVM's; 0: not looked up yet */
	bool overloaded;
	LLVMTypeRef overloads[OVERLOADS_MAX];
	LLVMTypeRef type;
	LLVMValueRef function;
} IntrinsicDecl;

enum { TEXT_ATTRS = 16 };

/* What clang says of a target on every function: the CPU, and what it has and is tuned for anyway. */
typedef enum PlainCpu { PLAIN_NOTHING, PLAIN_CPU, PLAIN_IMPLIED } PlainCpu;

/* An attribute of functions that is text. */
typedef struct TextAttribute {
	const Name *name, *value;
	LLVMAttributeRef attr; /* NULL: not yet */
	PlainCpu plain;
	unsigned machine; /* which of Machine.asked it is, from 1 */
} TextAttribute;

/* CPU, features, tuning that a function asks for. */
typedef struct Machine {
	LLVMAttributeRef asked[3];
} Machine;

/* nounwind.c: a function that unwinds only if a callee does; callers: 1 + the index of the first call of it, 0: none */
typedef struct LowerQuiet {
	LLVMValueRef function;
	uint32_t callers;
	bool unwinds;
} LowerQuiet;
/* caller: an index of those; next: of the calls of the same callee, as `callers` */
typedef struct LowerCall {
	LLVMValueRef callee;
	uint32_t caller, next;
} LowerCall;

typedef struct Lower {
	IrModule *m;
	const LowerOptions *options;
	Diags *d;
	Arena *arena;   /* until the module is done */
	Arena *scratch; /* released in reverse order, at the latest behind each symbol */
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef b;
	LLVMTargetDataRef data;
	unsigned llvm_major;
	Str annotation_file_text;     /* the last file that annotations were from, */
	LLVMValueRef annotation_file; /* and its name in LLVM; NULL: none yet */
	uint64_t data_size;      /* of the variables so far that objects hold the bytes of, and of padding */
	unsigned zero_align;     /* the largest of variables so far that objects hold no bytes of */
	uint64_t constant_parts; /* constant_parts.c: so far */
	PtrMap parts_of;         /* constant_parts.c: aggregates in aggregates → their parts */
	bool whole;              /* raised from LLVM IR, which has said all: nothing is added */
	const AbiTarget *target; /* an unknown one: the host's */
	bool coff;               /* the object format */
	bool microsoft;          /* the C++ ABI */
	bool folds_null_checks;  /* null_check.c */

	/* by id; NULL or 0: not yet */
	LLVMTypeRef *types, *memory_types; /* IrType.id */
	uint32_t *leaves;                  /* IrType.id: scalars in it, saturating */
	uint16_t *nesting;                 /* IrType.id: records and arrays inside each other */
	LLVMValueRef *constants;           /* IrAttr.id: as values */
	LLVMTypeRef *constant_types;       /* IrAttr.id: of aggregates */
	LLVMValueRef *annotation_texts;    /* Name.id; NULL: none was asked for */
	LLVMValueRef *symbols;             /* Name.id */
	/* split_part.c: declares a symbol that was not met yet; NULL: there is none, or it was reported. Passed in, since
	 * declarations have constants, and constants name symbols. */
	LLVMValueRef (*declare)(struct Lower *e, const Name *name);
	bool *methods;             /* Name.id: a pointer to a member holds the function's address */
	VEC(const IrOp *) copied;  /* symbols of other parts, to be defined here, too */
	bool copying;              /* they are being defined */
	uint32_t copied_ops;       /* … of functions among them, for the optimiser to inline */
	LLVMValueRef *values;      /* IrValue.id */
	LLVMBasicBlockRef *blocks; /* IrBlock.id */
	uint32_t *npreds;          /* IrBlock.id: edges from reachable blocks */
	LLVMValueRef *pads;        /* IrBlock.id: the funclet pad it belongs to */
	const IrSucc **edges;      /* IrBlock.id: first direct edge of the last op that goes there */

	/* the frequent ones */
	LLVMTypeRef i1, i8, i32, i64, ptr, landing; /* landing: { ptr, i32 } */
	LLVMTypeRef word;                           /* the integer that an address fits in */
	IntrinsicDecl intrinsics[INTRINSIC_COUNT];
	unsigned *enum_kinds;           /* attribute.c */
	LLVMAttributeRef *enum_attrs;   /* attribute.c: those without a value */
	LLVMAttributeRef frame_pointer; /* attribute.c: of functions of which nothing is said; NULL: none */
	LLVMAttributeRef tables[3];     /* attribute.c: uwtable, by TableKind */
	TextAttribute *text_attrs;      /* attribute_named.c: the last ones, by Name.id modulo TEXT_ATTRS */
	uint8_t *param_rows;            /* attribute_param.c: by Name.id */
	uint8_t *spare_dicts;           /* attribute_param.c: by IrAttr.id */
	bool forbids;                   /* attribute.c: a function may say that calls of it are errors */
	PtrMap labels;                  /* label.c: ATTR_STRING of a label's function and name */
	VEC(LLVMBasicBlockRef) label_blocks; /* whose address was taken */
	VEC(LLVMValueRef) operands;          /* scratch of the op being lowered */
	VEC(LowerQuiet) quiet;               /* nounwind.c: functions that unwind if a callee does */
	VEC(LowerCall) calls;                /* … and of which callees */
	uint32_t quiet_calls;                /* … those of functions before this one */

	Lines lines;
	uint64_t nplaces;    /* written down */
	Machine machine;     /* attribute_named.c: of the function whose attributes are added */
	Machine noted;       /* func.c: of the last function that asks for any */
	struct Debug *debug; /* NULL: nothing is told to debuggers */

	/* op_asm.c: of LLVM's, to be given back when our memory runs out meanwhile */
	char *held_text;
	LLVMModuleRef trial;

	const IrOp *op; /* being lowered: an op, function or global; NULL: the module */
	const IrOp *func;
	LLVMValueRef function;
	LLVMValueRef pad;   /* the funclet pad the current block is in, or NULL */
	PtrMap pad_slots;   /* pad_slots.c: IrValue → the alloca that holds it; of the function at hand */
	uint32_t *pad_walk; /* IrBlock.id: the last walk that came there; NULL: none yet */
	uint32_t pad_walks;
	PtrMap cleanup_catches; /* wasm_catch.c: the IrBlock of a pad → its catchswitch */
	bool unwinds;           /* nounwind.c: an exception may leave the function, whatever its callees do */
	unsigned depth;         /* of type.c's recursion */
} Lower;

/* op_asm.c: what it held when memory ran out. */
void lower_asm_release(Lower *e);
/* source_place.c: what emit/source_place.h reads. */
LLVMMetadataRef lower_place_node(Lower *e, Loc loc);
/* The same as !circ.place of a call. */
LLVMValueRef lower_note_place(Lower *e, const IrOp *op, LLVMValueRef call);

/* "'cir.x' op " and the text, at e->op. */
void lower_error(Lower *e, const char *fmt, ...) BASE_PRINTF(2, 3);
/* The text of a type, for messages. */
const char *lower_spell(Lower *e, const IrType *t);

/* type.c. NULL: no such type in LLVM; reported. */
LLVMTypeRef lower_type(Lower *e, IrType *t);
LLVMTypeRef lower_memory_type(Lower *e, IrType *t);
/* What a pointer is stepped by: i8 for !cir.void and functions. */
LLVMTypeRef lower_step_type(Lower *e, IrType *pointee);
/* The target has pointers of that address space; reports. */
bool lower_check_space(Lower *e, unsigned space);
/* A type whose values may be computed with: not too large for LLVM's registers; reports. */
bool lower_check_value(Lower *e, IrType *t);
LLVMTypeRef lower_int_type(const Lower *e, uint64_t bits);
/* The low bits of v. */
LLVMValueRef lower_int(LLVMTypeRef type, uint64_t v);
/* The same in every lane, of a vector. */
LLVMValueRef lower_splat_int(Lower *e, LLVMTypeRef type, uint64_t v);
/* As it is loaded and stored: the memory type, but an integer where that is an array of words. */
LLVMTypeRef lower_access_type(Lower *e, IrType *t);
LLVMValueRef lower_to_access(Lower *e, LLVMValueRef v, IrType *t);
LLVMValueRef lower_from_access(Lower *e, LLVMValueRef v, IrType *t);
/* An integer of any width to i64 or the like, by its signedness. */
LLVMValueRef lower_resize(Lower *e, LLVMValueRef v, bool is_signed, LLVMTypeRef to);
/* A pointer to a member is in the form of the target's C++ ABI; reports. */
bool lower_check_member_form(Lower *e, const IrType *t);
/* Between the form of registers and that of a record's fields. */
LLVMValueRef lower_to_memory(Lower *e, LLVMValueRef v, IrType *t);
LLVMValueRef lower_from_memory(Lower *e, LLVMValueRef v, IrType *t);

/* const.c. NULL: reported. */
LLVMValueRef lower_constant(Lower *e,
                            const IrAttr *a); /* as a value; its type is the type's memory type or another
                                                         * of the same bytes, for records and arrays */
LLVMValueRef lower_memory_constant(Lower *e, const IrAttr *a);
/* of lower_memory_constant(), without making it */
LLVMTypeRef lower_constant_type(Lower *e, const IrAttr *a);
LLVMValueRef lower_address(Lower *e, const Name *symbol, uint64_t offset);
/* An address in a thread-local variable, which is no constant: where the running thread has it. */
LLVMValueRef lower_thread_address(Lower *e, const IrAttr *a);
/* constant_parts.c: counts those of a constant that is about to be lowered for a variable or an op; false: too many, reported. */
bool lower_count_parts(Lower *e, const IrAttr *constant);
/* const_record.c */
LLVMValueRef lower_aggregate_constant(Lower *e, const IrAttr *a);
LLVMTypeRef lower_aggregate_type(Lower *e, const IrAttr *a);
/* A nameless variable that holds a constant. */
LLVMValueRef lower_constant_slot(Lower *e, LLVMValueRef constant, IrType *t);
/* Not more bytes than an object is given; reports. */
bool lower_check_initializer(Lower *e, LLVMValueRef init, IrType *t);

/* may_fault.c: of a function marked circ.may_fault; the second in its entry block. */
void lower_may_fault(Lower *e, LLVMValueRef function, const IrOp *func);
void lower_may_fault_entry(Lower *e, const IrOp *func);

/* op_async.c: an op without edges that may fault all the same (NAME_async). False: it is none. */
bool lower_async(Lower *e, const IrOp *op);

/* op_eh.c: do cleanups and catch-alls of C++ see exceptions of the system (--eh=async)? */
bool lower_sees_structured_exceptions(const Lower *e);

/* split_part_name.c */
bool lower_is_own(const Lower *e, const IrOp *symbol);
bool lower_is_foreign(const Lower *e, const IrOp *symbol); /* another part defines it */
bool lower_part_is_dso_local(const Lower *e, const IrOp *symbol);
LLVMLinkage lower_part_linkage(const Lower *e, const IrOp *symbol, LLVMLinkage linkage);
const char *lower_part_name(Lower *e, const IrOp *symbol); /* as LLVM is to know the symbol */
/* split_part.c: what a whole module has nothing of */
LLVMValueRef lower_part_symbol(Lower *e, const Name *name);
void lower_part_finish(Lower *e);

/* global.c */
void lower_declare_global(Lower *e, const IrOp *global);
void lower_define_global(Lower *e, const IrOp *global);
void lower_alias(Lower *e, const IrOp *symbol);
void lower_linkage(Lower *e, LLVMValueRef v, const IrOp *symbol, bool definition);
LLVMValueRef lower_symbol(Lower *e, const Name *name); /* NULL: reported */
/* The definition behind aliases; the verifier has seen that there is one. */
const IrOp *lower_aliased(const IrOp *symbol);
/* The module's own function or variable of that name; NULL: it has none. */
LLVMValueRef lower_find_symbol(Lower *e, const char *name);
void lower_section(Lower *e, LLVMValueRef v, const IrOp *symbol);
/* May it be in its section? value NULL: a function. Reports. */
void lower_check_zero_section(Lower *e, const IrOp *symbol, LLVMValueRef value);
/* dll.c. Is the symbol one of another image? */
bool lower_imports(const IrOp *symbol);
/* After linkage and visibility. */
void lower_dll(Lower *e, LLVMValueRef v, const IrOp *symbol, bool definition);
/* Of a definition, in front of it; false: reported, it is more than objects may hold. */
bool lower_count_padding(Lower *e, LLVMValueRef v);
/* Of a stack slot or an access; of a symbol, which object files limit. 0: as it is */
bool lower_check_align(Lower *e, uint64_t align); /* false: reported, it is more than LLVM-C can say */
void lower_alignment(Lower *e, LLVMValueRef v, uint64_t align);
void lower_symbol_alignment(Lower *e, LLVMValueRef v, uint64_t align);

/* func.c, body.c */
void lower_declare_function(Lower *e, const IrOp *func);
void lower_define_function(Lower *e, const IrOp *func);
void lower_body(Lower *e, LLVMValueRef function, const IrOp *func);

/* attribute.c */
void lower_attributes_init(Lower *e);
void lower_function_attributes(Lower *e, LLVMValueRef function, const IrOp *func);
void lower_call_attributes(Lower *e, LLVMValueRef call, const IrOp *op);
/* Of a call of the C library's function `name` that op became: with `nobuiltins` it is any function to LLVM. */
void lower_library_attributes(Lower *e, LLVMValueRef call, const IrOp *op, const char *name);
/* The function being lowered depends on the floating point environment. */
void lower_mark_strictfp(Lower *e);

/* null_check.c: whether they are folded; of a branch; the function that runs at the beginning or the end, NULL: none does. */
void lower_null_checks_begin(Lower *e);
void lower_null_check(Lower *e, const IrOp *op, LLVMValueRef branch);
LLVMValueRef lower_fault_maps(Lower *e, bool begin);

/* edge.c: the block to branch to, for edge s of the op being lowered; feeds the phis there. May be a new
 * block on the edge, always when split. */
LLVMBasicBlockRef lower_edge(Lower *e, const IrSucc *s);
LLVMBasicBlockRef lower_split_edge(Lower *e, const IrSucc *s);
/* label.c: the block of a label, for its address; NULL: there is none. function: that of `func` in LLVM */
LLVMBasicBlockRef lower_label_block(Lower *e, const Name *func, LLVMValueRef function, const IrAttr *label);
void lower_finish_labels(Lower *e);

/* op_math.c: the kind of a rounding op's function on the target; of any other op, its own. */
OpKind lower_rounding(const Lower *e, const IrOp *op);

/* intrinsic.c: a call, which never unwinds. overloads: the types that LLVM derives its name from. NULL: this
 * LLVM has no such intrinsic; reported. */
LLVMValueRef lower_intrinsic(Lower *e, Intrinsic id, LLVMTypeRef *overloads, unsigned noverloads,
                             LLVMValueRef *args, unsigned nargs);

/* A call without arguments that unwinds out of a pad. */
void lower_intrinsic_in_pad(Lower *e, Intrinsic id);

/* op_fenv.c: an op with the attribute `fenv`; false: it is the same in every environment. */
bool lower_constrained(Lower *e, const IrOp *op);

/* llvm.assume, with an operand bundle. */
void lower_assume_bundle(Lower *e, LLVMValueRef condition, const char *tag, LLVMValueRef *args,
                         unsigned nargs);

/* op_call.c: every call and invoke, with the bundle of the pad it is in. */
typedef struct CallSite {
	LLVMTypeRef type;
	LLVMValueRef callee;
	LLVMValueRef *args;
	uint32_t nargs;
	LLVMBasicBlockRef normal, unwind; /* NULL: a call */
	bool nothrow;                     /* as the module says; LLVM may know it of the callee, too */
} CallSite;
LLVMValueRef lower_call_site(Lower *e, const CallSite *c);
/* nounwind.c: around a body, for each call in it, and when all bodies are there */
void lower_nounwind_begin(Lower *e, const IrOp *func);
void lower_nounwind_call(Lower *e, const CallSite *c);
void lower_nounwind_end(Lower *e);
void lower_nounwind_finish(Lower *e);
/* Of a function or a call, as LLVM numbers them. */
unsigned lower_calling_conv(const Lower *e, const IrOp *op);

/* const.c: the address of a symbol as a value; of a thread-local variable, where the running thread has it. NULL: reported. */
LLVMValueRef lower_symbol_address(Lower *e, const Name *name);
/* The same, in a function: see LowerOptions.in_process. */
LLVMValueRef lower_symbol_address_here(Lower *e, const Name *name);
/* op_mem.c: stack memory that lives as long as the function. */
LLVMValueRef lower_slot(Lower *e, LLVMTypeRef type, uint64_t align, const char *name);

/* op_atomic.c: the order that attribute `name` gives, and the scope. */
LLVMAtomicOrdering lower_ordering(const IrOp *op, NameId name);
bool lower_single_thread(const IrOp *op);

/* op_math.c: is there the function of C's library that LLVM calls for the op, if it calls one? Reports. */
bool lower_has_function(Lower *e, const IrOp *op);
/* IEEE 754-2019 maximum and minimum, of every format. */
LLVMValueRef lower_maximum(Lower *e, bool max, LLVMValueRef a, LLVMValueRef b, const IrType *t);
/* op_mingw.c: the op in other ways; false: it is as everywhere. */
bool lower_for_mingw(Lower *e, const IrOp *op);

/* op_cast.c: part i of a complex number, and a complex number of two parts; values. NULL: reported. */
LLVMValueRef lower_complex_parts(Lower *e, LLVMValueRef v, const IrType *complex, unsigned i);
LLVMValueRef lower_make_complex(Lower *e, LLVMValueRef re, LLVMValueRef im, IrType *complex);

/* op_arith.c: values of type t, or vectors of them. */
LLVMValueRef lower_compare(Lower *e, unsigned kind, const IrType *t, LLVMValueRef a, LLVMValueRef b);

/* op_cast.c: between integers, booleans and floating point, also lane by lane. */
LLVMValueRef lower_convert(Lower *e, LLVMValueRef v, const IrType *from, IrType *to);

/* source_place.c: what the module is called, without folders; and any other file, as outputs may name it. */
const char *lower_module_name(const Lower *e);
Str lower_file_name(const Lower *e, Str path);

/* annotation.c: of all symbols; of a slot of the function at hand. */
void lower_annotations(Lower *e);
void lower_slot_annotations(Lower *e, const IrOp *alloca, LLVMValueRef slot);

/* module_flags.c */
void lower_module_flags(const Lower *e);

/* op_member.c: pointers to member functions. */
LLVMValueRef lower_is_null_method(Lower *e, LLVMValueRef method);
LLVMValueRef lower_compare_methods(Lower *e, LLVMValueRef a, LLVMValueRef b, bool equal);

/* op.c */
typedef void LowerFn(Lower *e, const IrOp *op);
#define OP(id, name, stages, flags, regions, succs, operands, results, verify, lower, format)                \
	LowerFn lower_##lower;
#include "ir/ops.def"
void lower_op(Lower *e, const IrOp *op);

/* pad_slots.c, when there are blocks */
void lower_make_pad_slots(Lower *e, const IrOp *func);
void lower_store_pad(Lower *e, const IrOp *pad);
static inline LLVMValueRef lower_pad_slot(const Lower *e, const IrValue *v)
{
	return e->pad_slots.len ? ptrmap_get(&e->pad_slots, v) : NULL;
}

static inline LLVMValueRef lower_value(const Lower *e, const IrValue *v)
{
	LLVMValueRef slot = lower_pad_slot(e, v);
	if (slot)
		return LLVMBuildLoad2(e->b, LLVMGetAllocatedType(slot), slot, "");
	CHECK(e->values[v->id]);
	return e->values[v->id];
}

static inline LLVMValueRef lower_operand(const Lower *e, const IrOp *op, uint32_t i)
{
	return lower_value(e, ir_operand(op, i));
}

static inline void lower_result(Lower *e, const IrOp *op, LLVMValueRef v)
{
	e->values[op->results[0].id] = v;
}

#endif
