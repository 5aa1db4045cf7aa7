/* api/api.h: what the files of the public interface share.
 *
 * Every public function that can fail has the same frame:
 *
 * 	ApiCall c;
 * 	if (!api_begin(&c, module, __func__))
 * 		return NULL;
 * 	if (setjmp(c.guard.env)) {
 * 		api_out_of_memory(&c);
 * 		return NULL;
 * 	}
 * 	... checks with api_*; the work of src/ir ...
 * 	api_end(&c);
 * 	return result;
 *
 * Handles of the embedder are checked before anything is read through them: types and attributes are looked
 * up in the interning tables of the module; blocks are listed here when they are handed out, and ops, regions
 * and values are known by the block they are in. A pass empties the list.
 */
#ifndef CIRC_API_API_H
#define CIRC_API_API_H

#include "base/vec.h"
#include "circ/circ.h"
#include "ir/build.h"

#include <setjmp.h>

typedef VEC(uint16_t) Depths; /* of nesting, by id; 0: not computed */

/* The part of a module that only the public interface needs. */
typedef struct ApiState {
	Diags d;
	DiagMemory said;       /* of d */
	bool broken;           /* a pass or an allocation failed in the middle */
	char *text;            /* malloc'ed; that it was read from, or NULL */
	VEC(IrBlock *) blocks; /* handed out, by id; NULL: not */
	Depths type_depth, attr_depth;
	NameTable mnemonics; /* ids are OpKinds; cap 0: not filled yet */
} ApiState;

typedef struct ApiCall {
	IrModule *m;
	ApiState *api;
	const char *function; /* that the embedder called */
	Loc loc;
	OomGuard guard, *former;
	ArenaMark scratch; /* given back at the end */
} ApiCall;

struct CircBuilder {
	IrModule *m;
	IrBuilder at; /* block NULL: no place yet */
};

bool api_begin(ApiCall *c, CircModule *m, const char *function);
void api_end(ApiCall *c);
void api_out_of_memory(ApiCall *c);
/* The same where the module was only read. */
void api_out_of_memory_for_copy(ApiCall *c);

/* The call may warn: not again of what was warned of, unless the module has changed since. */
void api_expect_warnings(ApiCall *c);

/* `FUNCTION: …`. Returns false. */
bool api_error(ApiCall *c, const char *fmt, ...) BASE_PRINTF(2, 3);

/* Checks. what: the parameter's name. They report what is wrong. */
bool api_given(ApiCall *c, const void *p, const char *what);
/* `text` of `len` bytes, as the parser takes: asked before it is copied */
bool api_text(ApiCall *c, const char *text, size_t len);
/* fits 32 bits; NULL only for none */
bool api_count(ApiCall *c, size_t n, const void *array, const char *what);
bool api_type(ApiCall *c, const IrType *t, const char *what);
/* what a value can have, tokens excepted */
bool api_value_type(ApiCall *c, const IrType *t, const char *what);
bool api_types(ApiCall *c, IrType *const *types, size_t n, const char *what);
bool api_attr(ApiCall *c, const IrAttr *a, const char *what);
bool api_attrs(ApiCall *c, const IrAttr *const *attrs, size_t n, const char *what);
bool api_block(ApiCall *c, const IrBlock *b, const char *what);
bool api_op(ApiCall *c, const IrOp *op, const char *what);
bool api_region(ApiCall *c, const IrRegion *r, const char *what);
bool api_value(ApiCall *c, const IrValue *v, const char *what);
bool api_values(ApiCall *c, IrValue *const *v, size_t n, const char *what);
bool api_symbol(ApiCall *c, const IrOp *op, OpKind kind, const char *what); /* a function, or a global */

/* Nesting of a new type or attribute over its parts; false: too deep. */
bool api_type_fits_over(ApiCall *c, const IrType *part);
bool api_attr_fits_over(ApiCall *c, const IrAttr *part);

/* The block may be handed out. NULL is passed on, and comes when there is no memory. */
IrBlock *api_hand_out(IrModule *m, IrBlock *b);
bool api_is_ours(const IrModule *m, const IrBlock *b);
bool api_is_our_op(const IrModule *m, const IrOp *op);
bool api_is_our_value(const IrModule *m, const IrValue *v);
bool api_is_our_region(const IrModule *m, const IrRegion *r);
/* Ends all handles of blocks, and of what is in them, except those of the module's own block. */
void api_forget_blocks(IrModule *m);
void api_forget_regions(IrModule *m, const IrOp *op);

/* The row of an op by its mnemonic; OP_COUNT when there is none. */
OpKind api_find_op(ApiCall *c, const char *mnemonic);

/* For messages: in the scratch arena. */
const char *api_type_str(ApiCall *c, const IrType *t);

/* Does what a constructor filled in, but for elements, make sense? */
typedef bool ApiAttrCheck(ApiCall *c, const IrAttr *key);
bool api_check_type(ApiCall *c, const IrAttr *key); /* of this module */

/* The work of public functions that others build on; `function` is the one that the embedder called. */
const IrAttr *api_make_enum(const char *function, CircModule *m, const char *enumeration, const char *word);
const IrAttr *api_make_symbol(const char *function, CircModule *m, const char *name);
const IrAttr *api_make_attr(const char *function, CircModule *m, const IrAttr *key, ApiAttrCheck *check);
const IrAttr *api_make_list(const char *function, CircModule *m, IrAttr key, const CircAttr *const *elems,
                            size_t n, ApiAttrCheck *check);
/* ir_free_name(); NULL: no memory */
const char *api_free_name(const char *function, CircModule *m, const char *stem);
IrOp *api_make_op(const char *function, CircBuilder *b, const CircOpSpec *spec);

#endif
