/* call/signature.h: what a calling convention makes of a function's type and of its attributes.
 *
 * Ownership  signatures live in the arena of the AbiSignatures, and as long as it.
 */
#ifndef CIRC_CALL_SIGNATURE_H
#define CIRC_CALL_SIGNATURE_H

#include "call/type_passing.h"
#include "target/target.h"

typedef struct AbiSignature {
	IrType *source, *type; /* function types */
	AbiPassing result, *params;
	AbiRegisters left; /* for the arguments that a variadic call has besides */
	bool behind_this;  /* PASS_ADDRESS, the result: the address is the second parameter, else the first */
	bool same;         /* as in the source, type and attributes */
} AbiSignature;

/* Does the address for the result stand behind n parameters of the source? */
static inline bool abi_sret_is_behind(const AbiSignature *sig, uint32_t n)
{
	return sig->result.how == PASS_ADDRESS && n == (sig->behind_this ? 1 : 0);
}

/* Attributes of parameters that the pass reads or writes. */
typedef enum AbiAttr {
	ABI_ATTR_ALIGN,
	ABI_ATTR_ALIGNSTACK,
	ABI_ATTR_BYVAL,
	ABI_ATTR_DEAD_ON_RETURN,
	ABI_ATTR_DEAD_ON_UNWIND,
	ABI_ATTR_INREG,
	ABI_ATTR_NEST,
	ABI_ATTR_NOALIAS,
	ABI_ATTR_NOUNDEF,
	ABI_ATTR_SIGNEXT,
	ABI_ATTR_SRET,
	ABI_ATTR_WRITABLE,
	ABI_ATTR_ZEROEXT,
	ABI_ATTR_COUNT
} AbiAttr;

typedef struct AbiSignatures {
	AbiTypes types;
	const AbiConvention *c, *method,
	    *wincall; /* the target's own, of member functions, and of `cc(x86_wincall)` */
	bool has_conventions;
	bool has_methods;  /* the target calls member functions otherwise */
	bool returns_this; /* AbiMachine */
	Name *attrs[ABI_ATTR_COUNT];
	bool said[ABI_ATTR_COUNT];             /* somewhere in the source */
	PtrMap by_func;                        /* IrOp of a function: its signature */
	PtrMap by_type, by_wintype, by_method; /* IrType of a function without such attributes */
} AbiSignatures;

void abi_signatures_init(AbiSignatures *s, IrModule *m, const AbiTarget *target, const char *features,
                         Arena *mem);

/* Of a function as the source has it; func itself may be rewritten since the first time it was asked for. */
const AbiSignature *abi_signature_of(AbiSignatures *s, const IrOp *func);
/* Of what a call through a pointer takes. */
const AbiSignature *abi_signature_of_call(AbiSignatures *s, const IrOp *call, IrType *source);
const AbiConvention *abi_convention_of(const AbiSignatures *s, const IrOp *op);

/* Has a signature what no lowered one has: parameters that are records or the like, a record with a name as result? */
bool abi_is_source_signature(const IrType *func);

/* The type of a result that comes back in registers, as LLVM has it: one piece, or a record of two. */
IrType *abi_pieces_type(AbiSignatures *s, const AbiPassing *p);

/* Attributes of the places of a signature, made from those of the source. */
typedef struct AbiPlaces {
	const IrAttr *args, *res; /* arg_attrs and res_attrs; NULL: none */
	const IrAttr *alloc_size; /* allocsize, with the numbers that its parameters have now; NULL: none */
	bool memory;              /* something goes in memory that the convention adds */
} AbiPlaces;

/* op: a function or a call of it; more: how the nmore arguments behind the parameters are
 * passed; their types are in types. */
AbiPlaces abi_place_attrs(AbiSignatures *s, const AbiSignature *sig, const IrOp *op, const AbiPassing *more,
                          IrType *const *types, uint32_t nmore);

#endif
