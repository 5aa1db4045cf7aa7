/* call/type_passing.h: how a parameter or a result is passed; one file per calling convention.
 *
 * sysv_x86_64.c   System V ABI, AMD64 supplement, 3.2.3     win64.c   Microsoft's x64 calling convention
 * aapcs64.c       Procedure Call Standard for the Arm 64-bit Architecture; Apple's and Microsoft's variants
 * wasm32.c        Basic C ABI of WebAssembly
 * type_passing.c  what all ask of types
 *
 * What the module specifies of a record comes first: its entries in cir.record_layouts and cir.record_traits. A record without
 * is a plain aggregate of C: it goes by address only if it has a virtual pointer, or contains a record that goes by address;
 * a last member that is an array without elements has no bound; no member is _Atomic. Older texts may mean something
 * else: call/guess.
 *
 * The answers are those of clang, where compilers differ, down to the types that carry the bytes: what LLVM
 * is given is then what it is tested with.
 *
 * Ownership  AbiTypes borrows the module and the arena, which must outlive it. Types that
 *            are made belong to the module.
 * Units      sizes, alignments and offsets in bytes.
 */
#ifndef CIRC_CALL_TYPE_PASSING_H
#define CIRC_CALL_TYPE_PASSING_H

#include "base/ptrmap.h"
#include "call/guess/guess.h"
#include "ir/module.h"
#include "target/target.h"

typedef enum AbiPass {
	PASS_AS_IS,    /* a value of its own type */
	PASS_EXTENDED, /* the same, widened to 32 bits by who makes it: zeroext, signext */
	PASS_PIECES,   /* one or two scalars that hold its bytes */
	PASS_BYVAL,    /* parameters: a copy among the arguments in memory */
	PASS_ADDRESS, /* parameters: address of an object that is the callee's; results: of where to make it */
	PASS_NOTHING, /* no bytes that mean anything */
	PASS_THIS,    /* results: the source has none, and the first parameter is given back */
} AbiPass;

typedef struct AbiPassing {
	AbiPass how : 8;
	/* PASS_PIECES: offset of the first piece; a second one follows at 8, or at 16 */
	uint8_t npieces, offset;
	uint8_t ints, floats; /* registers that it needs */
	bool
	    among_params; /* PASS_ADDRESS, results: the address goes as a parameter does; else where LLVM has a place of its own for it */
	uint32_t
	    align; /* PASS_BYVAL, PASS_ADDRESS: of the object; PASS_PIECES: in memory; 0: that of the pieces' type */
	IrType *pieces[2];
} AbiPassing;

typedef struct AbiRegisters {
	uint8_t ints, floats; /* still free */
	bool variadic;        /* of a function with an ellipsis */
} AbiRegisters;

typedef struct AbiTypes {
	IrModule *m;
	Arena *mem;
	PtrMap layouts; /* Name of a record: its #cir.record_layout */
	PtrMap traits;  /* Name of a record: what cir.record_traits has, a dictionary */
	AbiGuesses guess;
	PtrMap by_address;      /* record type: answers given */
	PtrMap atomic;          /* record type that is taken to have _Atomic members: an access to one */
	PtrMap classes[2];      /* the same, of sysv_x86_64.c; by untold_is_padding */
	PtrMap contents[2];     /* the same, of aapcs64.c */
	uint32_t vector_size;   /* of the widest vector register */
	bool untold_is_padding; /* MARK_UNTOLD; else it is data */
	bool bounds_arrays; /* an array without elements at the end is `a[0]`; else `a[]`, if nothing tells */
	bool keeps_width;   /* the signature is lowered, or says which small integers are widened */
	AbiCallConv call_conv; /* the target's, whatever one function has */
	bool msvc;             /* its C++ is Microsoft's */
} AbiTypes;

/* What va_arg reads (va_arg.c, va_arg_aapcs64.c, va_arg_buffer.c). */
typedef enum AbiList {
	ABI_LIST_SYSV,
	ABI_LIST_SLOTS,
	ABI_LIST_AAPCS64,
	ABI_LIST_BUFFER,
	ABI_LIST_COUNT
} AbiList;

typedef struct AbiConvention {
	AbiRegisters registers;
	AbiList list;
	bool win64;
	bool widens; /* small integers, by who makes them: signatures say so, or show that they are lowered */
	bool atomic_in_memory; /* records with members that are _Atomic go there */
	bool behind_this;      /* the address for a record that is returned is the second parameter */
	AbiPassing (*result)(AbiTypes *types, IrType *t);
	/* free: what the parameters before it left. Takes what this one needs. named: not
	 * one of a variadic function's rest */
	AbiPassing (*param)(AbiTypes *types, IrType *t, AbiRegisters *free, bool named);
	/* Does a value of t go the same way, whatever a MARK_UNTOLD in it is? NULL: only its size counts */
	bool (*is_told)(AbiTypes *types, IrType *t);
} AbiConvention;

extern const AbiConvention abi_sysv_x86_64, abi_win64, abi_win64_method, abi_wasm32;
extern const AbiConvention abi_aapcs64, abi_aapcs64_apple, abi_aapcs64_windows, abi_aapcs64_windows_method;

/* features: LLVM's list for the target machine, or NULL; what the module's functions say goes before it. */
void abi_types_init(AbiTypes *types, IrModule *m, Arena *mem, const char *features);

static inline bool abi_is_aggregate(const IrType *t)
{
	return t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
}

/* Of the C++ type: `alignas` counts, which the layout of the record alone does not show. t is sized. */
uint32_t abi_type_align(AbiTypes *types, IrType *t);
/* A record whose copies its own functions make: it has an address, and goes by it (Itanium C++ ABI 3.1.2.3). */
bool abi_goes_by_address(AbiTypes *types, IrType *t);
/* Has the records of AbiGuesses.copied go by address. */
void abi_doubt_copies(AbiTypes *types, const PtrMap *copied);
/* Is a member with no type of its own for it a unit of bit-fields? */
bool abi_is_unit(const AbiTypes *types, const IrType *record, uint32_t i);
/* A parameter of the record's #cir.record_layout: RECORD_LAYOUT_… NULL: there is none. */
const IrAttr *abi_record_layout(const AbiTypes *types, const IrType *record, unsigned param);
/* AAPCS64, 5.9.5: up to four members of one floating-point or short-vector type (aapcs64.c). */
bool abi_is_homogeneous(AbiTypes *types, IrType *t);
/* What the module's cir.record_traits says of a record, true or false: aggregate, homogeneous, flexible or atomic. NULL: nothing. */
const IrAttr *abi_record_trait(const AbiTypes *types, const IrType *record, NameId trait);
/* Ends in an array without a bound. */
bool abi_is_flexible(const AbiTypes *types, const IrType *t);
/* The module says that it holds nothing, though it may have members: arrays without elements, unnamed bit-fields. */
bool abi_is_told_empty(const AbiTypes *types, const IrType *t);
/* A vector of elements that LLVM packs in memory and widens in registers. */
bool abi_is_odd_vector(const IrType *t);
/* The scalar at *offset of a type, or that before it; *offset becomes the one within it. NULL: none. */
IrType *abi_scalar_at(AbiTypes *types, IrType *t, uint64_t *offset);
/* Are [start, end), in bits, padding and nothing else? fields: bit-fields are something else. */
bool abi_is_padding(const AbiTypes *types, IrType *t, uint64_t start, uint64_t end, bool fields);
/* A member that holds data: neither padding nor without bytes. */
bool abi_member_counts(IrType *record, uint32_t i);
/* !u8i, !u16i, … for `size` bytes. */
IrType *abi_int_of_size(AbiTypes *types, uint64_t size);

#endif
