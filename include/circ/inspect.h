/* circ/inspect.h: walking a module. The rules at the head of circ/circ.h hold for every function here.
 *
 * Nothing here fails: what is not there, NULL, and an index out of range give NULL, 0 or false, and no
 * diagnostic. Functions that hand out blocks take the module, which keeps account of them.
 */
#ifndef CIRC_INSPECT_H
#define CIRC_INSPECT_H

#include "circ/attr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The block that holds the functions and globals. */
CIRC_API CircBlock *circ_module_body(CircModule *module);

/* Blocks of a region and ops of a block, in order; NULL at the end. */
CIRC_API CircBlock *circ_region_first_block(CircModule *module, CircRegion *region);
CIRC_API CircBlock *circ_block_next(CircModule *module, CircBlock *block);
CIRC_API CircOp *circ_block_first_op(CircBlock *block);
CIRC_API CircOp *circ_block_last_op(CircBlock *block);
CIRC_API CircOp *circ_op_next(CircOp *op);
CIRC_API CircOp *circ_op_prev(CircOp *op);
CIRC_API CircRegion *circ_block_region(CircBlock *block);
CIRC_API size_t circ_block_nargs(const CircBlock *block);
CIRC_API CircValue *circ_block_arg(const CircBlock *block, size_t index);

CIRC_API const char *circ_op_mnemonic(const CircOp *op); /* static */
CIRC_API bool circ_op_is_terminator(const CircOp *op);
CIRC_API CircBlock *circ_op_block(CircModule *module, CircOp *op);
/* The op whose region holds it; NULL at the top. */
CIRC_API CircOp *circ_op_parent(CircModule *module, CircOp *op);
CIRC_API size_t circ_op_nresults(const CircOp *op);
CIRC_API CircValue *circ_op_result(const CircOp *op, size_t index);
/* Without the arguments of successors. */
CIRC_API size_t circ_op_noperands(const CircOp *op);
CIRC_API CircValue *circ_op_operand(CircModule *module, const CircOp *op, size_t index);
CIRC_API size_t circ_op_nregions(const CircOp *op);
CIRC_API CircRegion *circ_op_region(CircOp *op, size_t index);
CIRC_API size_t circ_op_nsuccessors(const CircOp *op);
CIRC_API CircBlock *circ_op_successor(CircModule *module, const CircOp *op, size_t index);
CIRC_API const CircAttr *circ_op_attr(CircModule *module, const CircOp *op, const char *name);
/* Of a function or global; borrowed from the module. len may be NULL. */
CIRC_API const char *circ_op_symbol_name(const CircOp *op, size_t *len);
/* The value type of a global, the function type of a function. */
CIRC_API CircType *circ_op_symbol_type(const CircOp *op);
/* Could executing it unwind? Knows the nothrow marks of the op and of its callee. */
CIRC_API bool circ_op_may_throw(const CircOp *op);

CIRC_API CircType *circ_value_type(const CircValue *value);
CIRC_API bool circ_value_is_used(const CircValue *value);

#ifdef __cplusplus
}
#endif

#endif
