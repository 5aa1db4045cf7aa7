/* ir/build.h: making ops at a place; what passes and the API use instead of IrOpSpec by hand.
 *
 * A builder is a value: copy it to remember a place.
 */
#ifndef CIRC_IR_BUILD_H
#define CIRC_IR_BUILD_H

#include "ir/module.h"

typedef struct IrBuilder {
	IrModule *m;
	IrBlock *block;
	IrOp *before; /* NULL: at the end of block */
	Loc loc;      /* given to every op made */
} IrBuilder;

IrBuilder ir_at_end(IrModule *m, IrBlock *b, Loc loc);
IrBuilder ir_before(IrModule *m, IrOp *op); /* takes the op's location */

/* Creates spec's op at the place; spec->loc is taken from the builder. */
IrOp *ir_build_spec(IrBuilder *b, const IrOpSpec *spec);
/* An op without successors and attributes; result NULL for none. */
IrOp *ir_build(IrBuilder *b, OpKind kind, IrType *result, IrValue *const *operands, uint32_t n);
IrOp *ir_build_br(IrBuilder *b, IrBlock *dest, IrValue *const *args, uint32_t nargs);
IrOp *ir_build_brcond(IrBuilder *b, IrValue *cond, IrSuccSpec then_edge, IrSuccSpec else_edge);
IrValue *ir_build_const(IrBuilder *b, const IrAttr *value);
IrValue *ir_build_const_int(IrBuilder *b, IrType *type, uint64_t value);
IrValue *ir_build_cast(IrBuilder *b, unsigned kind, IrValue *v, IrType *to);
IrValue *ir_build_cmp(IrBuilder *b, unsigned kind, IrValue *lhs, IrValue *rhs);
IrValue *ir_build_alloca(IrBuilder *b, IrType *type, Str name, uint64_t align);
IrValue *ir_build_load(IrBuilder *b, IrValue *ptr);
void ir_build_store(IrBuilder *b, IrValue *v, IrValue *ptr);
/* Direct call; result void when `result` is NULL or !cir.void. */
IrOp *ir_build_call(IrBuilder *b, Name *callee, IrType *result, IrValue *const *args, uint32_t nargs);
void ir_set_flag(IrModule *m, IrOp *op, NameId name); /* unit attribute */
void ir_set_enum(IrModule *m, IrOp *op, NameId name, EnumClass c, unsigned word);
/* The address of a global or function, as a pointer to its type. */
IrValue *ir_build_get_global(IrBuilder *b, Name *symbol);
/* A cast between pointer types that makes no code, or the value itself. */
IrValue *ir_build_bitcast(IrBuilder *b, IrValue *v, IrType *to);

/* Structured ops. operand and result may be NULL; the regions are empty. */
IrOp *ir_build_regions(IrBuilder *b, OpKind kind, IrValue *operand, IrType *result, uint32_t nregions);
IrBuilder ir_in_region(const IrBuilder *b, IrRegion *r); /* at the end of a new block at its end */
void ir_build_yield(IrBuilder *b, IrValue *v);           /* v may be NULL */

/* A function at the end of the module, external, without a body. The name must be free. */
IrOp *ir_func_create(IrModule *m, Name *name, IrType *type, Loc loc);
/* A new internal function, NAME.what, for code that was in `whole`: made for the same CPU, and optimised as
 * much. */
IrOp *ir_func_create_part(IrModule *m, const IrOp *whole, const char *what, IrType *type, Loc loc);
/* The function of that name, declared with `type` when new. */
IrOp *ir_func_declare(IrModule *m, Str name, IrType *type);
IrBlock *ir_func_add_entry(IrModule *m, IrOp *func); /* entry block with the parameters as arguments */
/* A global at the end of the module, external, without an initializer. The name must be free. */
IrOp *ir_global_create(IrModule *m, Name *name, IrType *type, Loc loc);

#endif
