/* call/callconv_internal.h: what the files of the calling-convention pass share; private to call/callconv*.c.
 *
 * callconv.c               the module: order of the work
 * callconv_function.c      the inside of a function: parameters and returns
 * callconv_call.c          calls
 * callconv_musttail.c      guaranteed tail calls
 * callconv_block_args.c    objects that arrive along several edges
 * callconv_same_object.c   variables that are one object with others, or with the result
 * callconv_result_place.c  can results be made where they are stored?
 * callconv_memory.c        values in memory, and their pieces
 *
 * Records are values in CIR and memory in LLVM. Where a value is loaded, or stored, right where it is passed,
 * the memory itself is used; elsewhere it goes through a slot of its own, as clang's "coerce" allocas.
 */
#ifndef CIRC_CALL_CALLCONV_INTERNAL_H
#define CIRC_CALL_CALLCONV_INTERNAL_H

#include "call/callconv.h"
#include "call/signature.h"
#include "ir/build.h"
#include "ir/debug_source.h"

typedef struct Rewrite {
	IrModule *m;
	AbiSignatures s;
	Diags *d;
	/* the function at hand */
	IrOp *func;
	const AbiSignature *sig;
	IrSource *source;
	IrValue *sret; /* where its result goes; NULL: it returns a value, or nothing */
	unsigned far;  /* how many ops rewrite_is_left_alone() may yet look at beyond those near by */
	bool changed, ok;
} Rewrite;

/* callconv_memory.c */

/* A slot of the function at hand, in its entry block. */
IrValue *rewrite_slot(Rewrite *r, IrType *t, uint32_t align, Loc loc);
IrValue *rewrite_cast(IrBuilder *b, IrValue *ptr, IrType *pointee);
/* An access of another type than the memory was declared with. */
IrValue *rewrite_load(IrBuilder *b, IrValue *ptr, IrType *t, uint64_t align);
void rewrite_store(IrBuilder *b, IrValue *v, IrValue *ptr, uint64_t align);
void rewrite_copy(IrBuilder *b, IrValue *from, IrValue *to, uint64_t from_align, uint64_t to_align);

/* The pieces of a value of type t in memory, and back. align: of the memory */
void rewrite_load_pieces(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *ptr,
                         uint64_t align, IrValue **pieces);
void rewrite_store_pieces(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *const *pieces,
                          IrValue *ptr, uint64_t align);
/* All pieces as the one value that a function returns. */
IrValue *rewrite_load_whole(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *ptr,
                            uint64_t align);
void rewrite_store_whole(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *whole,
                         IrValue *ptr, uint64_t align);

/* Where a value comes from or goes to: the load that made it, the store that is all its
 * use. NULL: neither, or not plain. */
IrOp *rewrite_source(const IrValue *v);
IrOp *rewrite_sink(const IrValue *v);
uint64_t rewrite_access_align(const IrOp *access, IrType *t);
/* Does nothing between the two, in one block, write memory? false, too, when that takes long to find out. */
bool rewrite_is_quiet(const IrOp *from, const IrOp *to);
/* Has the op an effect, and an operand that is the address of the memory, or computed from it? true, too, when that takes
 * long to find out; so below. */
bool rewrite_touches(const IrOp *op, const IrValue *memory);
/* Does nothing between the two, in one block, touch what the first loads? Objects with an identity are what they are where they
 * are: destructors of others may run before a return. false, too, when too many of a function are far from each other. */
bool rewrite_is_left_alone(Rewrite *r, const IrOp *source, const IrOp *to);
/* Can objects at the two addresses be one? */
bool rewrite_may_overlap(const Rewrite *r, const IrValue *a, const IrValue *b);
/* Refuses an object with an identity that has been elsewhere, and is to be `done`: "passed", "returned". */
void rewrite_check_new(Rewrite *r, Loc loc, const IrValue *v, const char *done);
/* Only reads, as far as one can see in as many uses. */
bool rewrite_only_loads(const IrValue *v, unsigned *budget);
bool rewrite_is_slot(const IrValue *ptr);
void rewrite_move_slot(const Rewrite *r, IrValue *slot); /* to the front of the function */
uint64_t rewrite_slot_align(const IrValue *slot);
/* Can memory that somebody else provides take the slot's place? */
bool rewrite_is_replaceable(const IrValue *slot, const IrType *type, uint64_t align);
void rewrite_drop_marks(const IrValue *variable); /* of its lifetime */
void rewrite_replace_slot(Rewrite *r, IrValue *slot, IrValue *memory);
/* Erases what has no uses and no effect: a load whose pieces are loaded instead. */
void rewrite_drop(IrOp *op);
IrValue *rewrite_undef(IrBuilder *b, IrType *t);
/* What the convention puts in memory, the callee reads or writes there, whatever the source says that it does to memory. */
void rewrite_widen_effects(IrModule *m, IrOp *op);
/* Replaces the op's attributes arg_attrs, res_attrs and allocsize; what it says of memory is
 * widened to what the places need. */
void rewrite_set_places(Rewrite *r, IrOp *op, AbiPlaces places);

/* callconv_block_args.c */
void rewrite_joins(Rewrite *r, IrOp *func);
/* callconv_result_place.c */
/* NULL: the object that the call gives can be made in the memory that the sink stores it to; what the address needs is
 * moved in front of the call. Otherwise why not. */
const char *rewrite_place(const Rewrite *r, IrOp *call, const IrOp *sink, IrValue *memory);
/* Does the op neither read nor write memory, nor depend on the floating point environment, nor leave the block? */
bool rewrite_is_harmless(const IrOp *op);
/* callconv_function.c */
void rewrite_func(Rewrite *r, IrOp *func);
/* callconv_same_object.c */
void rewrite_share(Rewrite *r);
/* callconv_musttail.c */
/* Refuses arguments and results that this call cannot hand on, whose signature may stay as it is. */
void rewrite_tail_check(Rewrite *r, const IrOp *call, const AbiSignature *sig);
/* The caller's own memory that v, which goes in memory as operand `at`, was loaded from; refuses what is not. */
IrValue *rewrite_tail_own(Rewrite *r, const IrOp *call, IrValue *v, uint32_t at);
/* The result of the call, which stands in front of the old one, is that of the function, in whichever way both are passed. */
void rewrite_tail_return(Rewrite *r, IrOp *call);
/* callconv_call.c */
/* Returns what stands for the call now. */
IrOp *rewrite_call(Rewrite *r, IrOp *call);

#endif
