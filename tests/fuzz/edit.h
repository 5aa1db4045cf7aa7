/* edit.h: random changes of a module that was read, for the mutator. Its operations stay well formed enough
 * to be printed in the generic form; whether what is printed still verifies is for the caller to see. One
 * change a module: tables of it may be stale afterwards.
 *
 * Each change returns false when the module has nothing for it to change.
 */
#ifndef CIRC_FUZZ_EDIT_H
#define CIRC_FUZZ_EDIT_H

#include "ir/module.h"

typedef struct Edit {
	IrModule *m;
	Arena *arena; /* scratch; not the module's */
	uint64_t random;
} Edit;

bool edit_random(Edit *e);

/* edit_op.c */
bool edit_delete(Edit *e);
bool edit_double(Edit *e);
bool edit_move(Edit *e);
bool edit_copy(Edit *e);
bool edit_operand(Edit *e);
bool edit_successor(Edit *e);
bool edit_function(Edit *e);

/* edit_flow.c */
bool edit_wrap(Edit *e);
bool edit_unwrap(Edit *e);
bool edit_leave(Edit *e);
bool edit_swap_regions(Edit *e);
bool edit_call(Edit *e);
bool edit_split(Edit *e);

/* edit_attr.c */
bool edit_attribute(Edit *e);
bool edit_attribute_from_elsewhere(Edit *e);
bool edit_attribute_everywhere(Edit *e);
bool edit_type(Edit *e);
bool edit_type_everywhere(Edit *e);

/* edit_name.c */
bool edit_type_info(Edit *e);

/* pick.c: choices. */
uint32_t pick_below(Edit *e, uint32_t n); /* 0 … n - 1; n is not 0 */
static inline bool pick_one_in(Edit *e, uint32_t n)
{
	return pick_below(e, n) == 0;
}
/* Any op that `wanted` takes, of all regions; NULL: there is none. wanted NULL: any. */
IrOp *pick_op(Edit *e, bool (*wanted)(const IrOp *op));
bool pick_is_inner(const IrOp *op);    /* not at the top level of the module */
bool pick_is_middle(const IrOp *op);   /* … and ends no block */
bool pick_is_function(const IrOp *op); /* with a name and a signature: what does not verify may lack them */
IrOp *pick_function_of(IrOp *op);      /* the top-level op that it is in, or NULL */
/* A value of the type that is defined before `at`, in its function; else a new constant. */
IrValue *pick_value(Edit *e, IrOp *at, IrType *type);
IrType *pick_type(Edit *e);
Name *pick_symbol(Edit *e); /* NULL: the module defines none */

/* Uses of its results become those of other values, then it goes. */
void edit_erase(Edit *e, IrOp *op);
/* It and all behind it in its block. */
void edit_erase_rest(Edit *e, IrOp *op);
/* A copy in front of `at`, whose operands are visible there. */
IrOp *edit_clone(Edit *e, const IrOp *op, IrOp *at);

#endif
