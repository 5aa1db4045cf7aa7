/* raise/raiser.h: what the files of src/raise share; private to it.
 *
 * Types      LLVM's iN is !cir.int<s, N>, ptr is !cir.ptr<!cir.void>, i1 as a value is !cir.bool, but in memory, in
 *            aggregates and in signatures !cir.int<u, 1>: there CIR has other rules for !cir.bool. raise_type() is the
 *            form of values, raise_memory_type() the other. Casts between forms make no code.
 * Values     raise_use() gives an operand in the form that an op wants. Constants are made where they are used.
 * Errors     reported by raise_error() at r->instruction; then r->failed is set, and the work ends.
 */
#ifndef CIRC_RAISE_RAISER_H
#define CIRC_RAISE_RAISER_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/build.h"
#include "raise/raise.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* What LLVM-C has no getter for, of the symbols in the order of their kind. */
typedef struct Header {
	bool dso_local;
	Name *comdat; /* NULL: none, or that of its own name */
} Header;

typedef VEC(Header) HeaderList;

/* A value that an edge brings to a phi of `to`. */
typedef struct PhiInput {
	LLVMBasicBlockRef to;
	LLVMValueRef value;
} PhiInput;

typedef VEC(PhiInput) PhiInputs;

typedef struct RaiseBlock {
	LLVMBasicBlockRef llvm;
	IrBlock *block;
	PhiInputs inputs;      /* that this block gives to its successors, in the order of their phis */
	LLVMValueRef last_phi; /* that got one */
	LLVMValueRef edge_of;  /* the last terminator that goes here, and its edge */
	IrSuccSpec edge;
} RaiseBlock;

/* What takes a landing pad apart gets. */
typedef struct RaisePair {
	IrValue *parts[2];
} RaisePair;

typedef struct RaiseAttributes RaiseAttributes; /* attribute.c */

typedef struct Raise {
	IrModule *m;
	Diags *d;
	Arena *arena; /* until the module is done */
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMTargetDataRef data;
	bool failed;
	uint64_t lost; /* hints that have no form: bits 1 << LOST_… */

	PtrMap types, memory_types; /* LLVMTypeRef → IrType */
	PtrMap names;               /* LLVMValueRef of a symbol → Name */
	PtrMap constants;           /* LLVMValueRef → IrAttr, in memory's form */
	PtrMap files, places;       /* of debug metadata: DIFile → Str, DILocation → LocInfo */
	PtrMap labels;              /* LLVMBasicBlockRef whose address is taken → ATTR_STRING */
	unsigned nlabels;
	HeaderList functions, globals, aliases, ifuncs;
	IrType *i1, *bool_type, *ptr;
	const char *kind_names[256]; /* attribute.c: by LLVM's number; NULL: not looked up yet */
	RaiseAttributes *place_attributes, *own_attributes; /* lists that were met; NULL: none yet */

	/* of the function at hand */
	LLVMValueRef function, instruction;
	IrOp *func;
	PtrMap values; /* LLVMValueRef → IrValue */
	PtrMap pairs;  /* of a landing pad → RaisePair */
	PtrMap blocks; /* LLVMBasicBlockRef → RaiseBlock */
	Arena body;    /* until the function is done */
	IrBuilder b;
} Raise;

/* Hints to the optimizer that no op has a form for. */
typedef enum Lost {
	LOST_METADATA,
	LOST_BUNDLE,
	LOST_RANGE,
	LOST_NOTAIL,
	LOST_DEBUG,
	LOST_LINKER_OPTIONS,
	LOST_CODE_MODEL,
	LOST_COUNT
} Lost;

/* ptrtoaddr is ptrtoint that lets no pointer be made of it again: what is not said is safe. LLVM 22 has it first. */
enum { RAISE_PTR_TO_ADDR = 69 }; /* LLVMPtrToAddr */

static inline LLVMOpcode raise_opcode(LLVMOpcode code)
{
	return (unsigned)code == RAISE_PTR_TO_ADDR ? LLVMPtrToInt : code;
}

/* message.c */
void raise_error(Raise *r, const char *fmt, ...) BASE_PRINTF(2, 3);
void raise_lose(Raise *r, Lost what);
void raise_tell_lost(Raise *r);

/* place.c; without a place: of none */
Loc raise_function_place(Raise *r, LLVMValueRef f);
Loc raise_place(Raise *r, LLVMValueRef v);

/* module_flags.c */
void raise_module_flags(Raise *r);

/* header.c */
bool raise_read_headers(Raise *r); /* labels are known */

/* type.c; NULL: reported */
IrType *raise_type(Raise *r, LLVMTypeRef type);
IrType *raise_memory_type(Raise *r, LLVMTypeRef type);

/* constant.c: in memory's form; NULL: reported. */
const IrAttr *raise_constant(Raise *r, LLVMValueRef v);
/* Of a type that raise_type() gives, or the same with another sign. */
const IrAttr *raise_scalar(Raise *r, LLVMValueRef v, IrType *t);
const IrAttr *raise_label(Raise *r, LLVMBasicBlockRef block);

/* symbol_name.c */
Name *raise_symbol_name(Raise *r, LLVMValueRef v);
/* global.c */
void raise_declare_symbols(Raise *r);
void raise_define_globals(Raise *r);
void raise_define_aliases(Raise *r);

/* attribute.c */
void raise_function_attributes(Raise *r, IrOp *func, LLVMValueRef f);
void raise_call_attributes(Raise *r, IrOp *call, LLVMValueRef v);
const IrAttr *raise_conv(Raise *r, unsigned conv); /* NULL: C's */

/* function.c */
void raise_body(Raise *r, LLVMValueRef f, IrOp *func);
/* edge.c */
IrBlock *raise_block(Raise *r, LLVMBasicBlockRef b);
/* The edge to `to`, from the block at hand. The arguments live as long as the body. */
IrSuccSpec raise_edge(Raise *r, LLVMBasicBlockRef to);

/* value.c */
IrValue *raise_use(Raise *r, LLVMValueRef v); /* as raise_type() of its type */
IrValue *raise_use_as(Raise *r, LLVMValueRef v, IrType *t);
IrValue *raise_use_in_memory(Raise *r, LLVMValueRef v); /* as raise_memory_type() */
IrValue *raise_cast(Raise *r, IrValue *v, IrType *t);   /* between forms of one type */
void raise_result(Raise *r, IrValue *v);                /* of the instruction; any form */
/* An op whose attributes and edges are given, at the end of the block at hand. */
IrOp *raise_op(Raise *r, OpKind kind, IrType *result, IrValue *const *operands, uint32_t n);
void raise_flag(Raise *r, IrOp *op, NameId name, bool on);
void raise_fast_math(Raise *r, IrOp *op, LLVMValueRef v); /* op_arith.c */
void raise_align(Raise *r, IrOp *op, LLVMValueRef v);     /* of a slot or an access */
void raise_int(Raise *r, IrOp *op, NameId name, uint64_t value);

/* instruction.c and op_*.c */
void raise_instruction(Raise *r, LLVMValueRef v);
typedef void RaiseFn(Raise *r, LLVMValueRef v);
RaiseFn raise_binary, raise_fneg, raise_compare, raise_convert, raise_select, raise_freeze;
RaiseFn raise_alloca, raise_load, raise_store, raise_gep, raise_fence, raise_rmw, raise_cmpxchg, raise_va_arg;
RaiseFn raise_extract_value, raise_insert_value, raise_extract_element, raise_insert_element, raise_shuffle;
RaiseFn raise_ret, raise_br, raise_switch, raise_indirect_br, raise_unreachable;
RaiseFn raise_call, raise_invoke, raise_landingpad, raise_resume, raise_none;

static inline void *raise_array(Arena *a, size_t size, uint32_t n)
{
	return arena_alloc_n(a, n ? n : 1, size, _Alignof(max_align_t));
}

#endif
