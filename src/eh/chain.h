/* eh/chain.h: frames that functions have in the thread's chain of frames, and tables of their landing pads; what eh/sjlj and eh/wasm share.
 * src/runtime/eh/sjlj/frame.h is what they write.
 *
 * Errors  a symbol of the module that stands in the way is reported; `ok` is false then.
 */
#ifndef CIRC_EH_CHAIN_H
#define CIRC_EH_CHAIN_H

#include "base/ptrmap.h"
#include "ir/libcall.h"

/* CircehFrame: which word is what. */
enum {
	CHAIN_OUTER = 0,
	CHAIN_PAD = 1,
	CHAIN_EXCEPTION = 2,
	CHAIN_SELECTOR = 3,
	CHAIN_LOCALS = 6, /* what filters are given */
};

/* Of one function. */
typedef struct EhChain {
	IrModule *m;
	Diags *d;
	Arena *mem;
	IrOp *func;
	IrValue *frame;     /* !cir.ptr<!cir.ptr<!void>>, its first word */
	IrValue *innermost; /* where the thread has its innermost frame */
	PtrMap selectors;   /* name of a clause → its selector in this function */
	uint32_t npads, nselectors;
	bool ok;
} EhChain;

extern const char chain_what[]; /* LibFn.what of its functions */

/* NULL: reported. */
IrOp *chain_call(EhChain *c, IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs);

/* Where the thread has its innermost frame: for what a function without a frame does. */
void chain_find(EhChain *c);
/* Of so many words, on the stack; not in the chain yet. */
void chain_make_frame(EhChain *c, uint32_t words);
/* The address of a word of it, and of itself as !cir.ptr<!void>. */
IrValue *chain_word(EhChain *c, IrBuilder *b, unsigned index);
IrValue *chain_frame(EhChain *c, IrBuilder *b);
/* The table of a pad into the frame. */
void chain_set_pad(EhChain *c, IrBuilder *b, Name *table);
/* The frame into the chain, and out of it by what the first returned. */
IrValue *chain_push(EhChain *c, IrBuilder *b);
void chain_pop(EhChain *c, IrBuilder *b, IrValue *outer);

/* The table of a pad, defined. */
Name *chain_define_pad(EhChain *c, const IrOp *inflight);
/* What the table gives for a clause, in place of cir.eh.typeid. */
void chain_lower_typeid(EhChain *c, IrOp *op);

/* An edge as it is. */
IrSuccSpec chain_edge(EhChain *c, const IrSucc *from);
/* Does the function have a landing pad? */
bool chain_lands(const IrOp *func);

#endif
