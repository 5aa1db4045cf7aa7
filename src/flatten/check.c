/* flatten/check.c: circ.check, a branch to cold code that raises; from
 *
 * 	circ.check null %ok
 *
 * to
 *
 * 	cir.brcond %ok ^on, ^cold {circ.null_check}
 *   ^cold:                                           at the end of the function
 * 	cir.try_call @circ_raise(0) ^dead, ^unwind      or cir.call, where nothing unwinds
 *   ^dead:
 * 	cir.unreachable
 *
 * Checks of a kind that unwind to the same place share that code, unless the text says where in the source they are: then a trace
 * has to name the line, and each has its own, which LLVM must not merge. Code that is shared has no place at all.
 */
#include "flatten/internal.h"

#include "ir/libcall.h"
#include "ir/raise.h"

struct Raise {
	IrBlock *block;
	IrOp *call;
	const IrValue *token; /* of the handler or cleanup around */
};

static const LibFn circ_raise = {.name = "circ_raise",
                                 .type = "vi",
                                 .noreturn = true,
                                 .what = "function of circ's runtime that 'circ.check' calls"};

static void append_later(Flatten *f, IrBlock *b)
{
	vec_push(f->mem, &f->cold_blocks, b);
}

/* NULL: reported. */
static IrOp *build_call(Flatten *f, IrBuilder *b, unsigned kind, IrOp *own, const IrSuccSpec *edges)
{
	if (own)
		return libfn_build_call(b, own, NULL, 0, edges);
	IrOp *func = libfn_require(f->m, &circ_raise, b->loc, f->d);
	IrValue *argument = func ? ir_build_const_int(b, f->m->s32, kind) : NULL;
	return func ? libfn_build_call(b, func, &argument, 1, edges) : NULL;
}

/* The runtime's function does not return. That of a language must not, and is not believed: what follows its call is never run. */
static void end_cold(IrBuilder *b, IrOp *own)
{
	ir_build(b, own ? OP_TRAP : OP_UNREACHABLE, NULL, NULL, 0);
}

static Raise make_raise(Flatten *f, const IrOp *op, unsigned kind)
{
	IrOp *own = ir_module_raise(f->m, kind);
	IrBlock *unwind = own && ir_op_is_nothrow(own) ? NULL : eh_unwind_block(f, op);
	IrBlock *cold = flatten_block(f, op), *dead = unwind ? flatten_block(f, op) : NULL;
	IrSuccSpec edges[] = {{.dest = dead}, {.dest = unwind}};
	IrBuilder b = ir_at_end(f->m, cold, op->loc);
	IrOp *call = build_call(f, &b, kind, own, unwind ? edges : NULL);
	append_later(f, cold);
	if (dead && call) {
		append_later(f, dead);
		b = ir_at_end(f->m, dead, op->loc);
	}
	end_cold(&b, own);
	if (call)
		ir_set_flag(f->m, call, NAME_cold);
	f->failed = f->failed || !call;
	return (Raise){.block = cold, .call = call, .token = f->token};
}

/* Of code that several checks have come to. */
static void forget_place(IrBlock *b)
{
	IR_FOR_OPS (op, b) {
		op->loc = (Loc){0};
		if (op->kind == OP_TRY_CALL)
			forget_place(op->succs[0].dest);
	}
}

static IrBlock *raise_block(Flatten *f, const IrOp *op, unsigned kind)
{
	if (op->loc.info) {
		Raise own = make_raise(f, op, kind);
		if (own.call)
			ir_set_flag(f->m, own.call, NAME_nomerge);
		return own.block;
	}
	if (!f->eh->raises)
		f->eh->raises = arena_array(f->mem, Raise, CHECK_KINDS);
	Raise *shared = &f->eh->raises[kind];
	if (!shared->block || shared->token != f->token)
		*shared = make_raise(f, op, kind);
	else
		forget_place(shared->block);
	return shared->block;
}

void flatten_check(Flatten *f, IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, CHECK_NULL);
	IrBlock *on = flatten_block(f, op);
	IrBuilder b = flatten_here(f, op);
	IrOp *branch = ir_build_brcond(&b, ir_operand(op, 0), (IrSuccSpec){.dest = on},
	                               (IrSuccSpec){.dest = raise_block(f, op, kind)});
	if (kind == CHECK_NULL)
		ir_set_flag(f->m, branch, NAME_circ_null_check);
	if (kind == CHECK_ZERO)
		ir_set_flag(f->m, branch, NAME_circ_zero_check);
	f->at = NULL;
	flatten_place(f, on);
	ir_op_erase(op);
}

void flatten_place_cold(Flatten *f)
{
	for (uint32_t i = 0; i < f->cold_blocks.len; i++)
		ir_block_append(f->out, f->cold_blocks.data[i]);
}
