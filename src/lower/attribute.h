/* lower/attribute.h: attributes of LLVM on functions and calls. Private to src/lower.
 *
 * attribute.c         what every function and call gets, and how
 * attribute_named.c   what one says by name
 * attribute_flags.c   what the module's flags say of every function
 * attribute_memory.c  which memory it reads and writes
 * attribute_param.c   parameters and results
 */
#ifndef CIRC_LOWER_ATTRIBUTE_H
#define CIRC_LOWER_ATTRIBUTE_H

#include "lower/lowerer.h"

/* Attributes of LLVM, by name; the number of each is asked for once. */
typedef enum EnumAttr {
#define LLVM_ATTR(name) LLVM_##name,
#include "lower/attributes.def"
	LLVM_ATTR_COUNT
} EnumAttr;
/* What attributes are put on: a function or a call. */
typedef struct Holder {
	LLVMValueRef v;
	bool is_call;
	bool own; /* the callee is defined in the module */
} Holder;

static const LLVMAttributeIndex ATTRIBUTE_OF_FUNCTION = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

LLVMAttributeRef attribute_valued(const Lower *e, EnumAttr a, uint64_t value);
LLVMAttributeRef attribute_unit(const Lower *e, EnumAttr a);
void attribute_add(Holder h, unsigned index, LLVMAttributeRef a);
bool attribute_has(const Lower *e, Holder h, EnumAttr a); /* of the function or call itself */

/* attribute_named.c */
void attribute_add_named(Lower *e, Holder h, const IrOp *op);
/* Of a function that is compiled as it stands, without what that does not change: an attribute takes LLVM as long as
 * reading two ops takes circ. */
void attribute_add_needed(Lower *e, Holder h, const IrOp *func);
void attribute_add_of_call(Lower *e, Holder h, const IrOp *call);

/* LLVM's own of that name: a unit, a number or a type. NULL: this version has none, or it was reported. */
LLVMAttributeRef attribute_by_name(Lower *e, const char *name, const IrAttr *a);

/* attribute_flags.c; of a function that is defined */
void attribute_add_protection(const Lower *e, Holder h);

/* attribute_memory.c */
void attribute_add_memory_effects(const Lower *e, Holder h, const IrAttr *a);
/* The older way to say the same. It does not promise `nothrow`; of `argmem`, which is MSVC's __declspec(noalias), not
 * that the call returns either. */
void attribute_add_side_effect(const Lower *e, Holder h, const IrAttr *a);

/* attribute_param.c */
void attribute_init_params(Lower *e);
/* One parameter or result: booleans are passed as 0 or 1 in a whole register (cir-reference 2.1). dict: or NULL */
void attribute_add_place(Lower *e, Holder h, unsigned index, const IrType *t, const IrAttr *dict);

#endif
