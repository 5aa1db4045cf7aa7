/* eh/microsoft/funclet_dump.c: one line a pad, in the order in which the walk found them; its
 * blocks, as the printer numbers them:
 *
 * 	@f
 * 	  ^bb2: cleanup within none, exit ^bb3; ^bb2 ^bb5
 * 	  ^bb3: dispatch within none, exit caller
 * 	  ^bb4: catch @_ZTIi within none; ^bb4
 */
#include "eh/microsoft/funclet_plan.h"
#include "eh/token_flow.h"
#include "ir/spell.h"

typedef struct Dump {
	const FuncletPlan *p;
	Arena *mem;
	StrBuf *out;
	PtrMap numbers; /* IrBlock → number plus 1 */
} Dump;

static void number_blocks(Dump *d)
{
	uintptr_t n = 0;
	IR_FOR_BLOCKS (b, &d->p->func->regions[0])
		ptrmap_put(d->mem, &d->numbers, b, (void *)++n);
}

static void put_block(Dump *d, const IrBlock *b)
{
	buf_printf(d->mem, d->out, "^bb%u", (unsigned)(uintptr_t)ptrmap_get(&d->numbers, b) - 1);
}

static void put_kind(Dump *d, const FuncletPad *pad)
{
	static const char *const names[] = {[FUNCLET_CLEANUP] = "cleanup",
	                                    [FUNCLET_DISPATCH] = "dispatch",
	                                    [FUNCLET_TERMINATE] = "terminate"};
	if (pad->kind != FUNCLET_HANDLER) {
		buf_put(d->mem, d->out, str_of(names[pad->kind]));
	} else if (pad->clause < abi_dispatch_ncatch(pad->op)) {
		buf_put(d->mem, d->out, STR("catch "));
		spell_symbol(d->mem, d->out, ir_op_attr(pad->op, NAME_catch_types)->elems[pad->clause]->name);
	} else {
		buf_put(d->mem, d->out, STR("catch_all"));
	}
}

static void put_exit(Dump *d, const FuncletPad *pad)
{
	if (pad->kind == FUNCLET_HANDLER || !pad->leaves)
		return;
	buf_put(d->mem, d->out, STR(", exit "));
	if (pad->exit)
		put_block(d, pad->exit->block);
	else
		buf_put(d->mem, d->out, STR("caller"));
}

/* blocks: of the pad, in the order of the text. */
static void put_pad(Dump *d, const FuncletPad *pad, IrBlock *const *blocks, uint32_t n)
{
	buf_put(d->mem, d->out, STR("  "));
	put_block(d, pad->block);
	buf_put(d->mem, d->out, STR(": "));
	put_kind(d, pad);
	buf_put(d->mem, d->out, STR(" within "));
	if (pad->parent)
		put_block(d, pad->parent->block);
	else
		buf_put(d->mem, d->out, STR("none"));
	put_exit(d, pad);
	for (uint32_t i = 0; i < n; i++) {
		buf_put(d->mem, d->out, i ? STR(" ") : STR("; "));
		put_block(d, blocks[i]);
	}
	buf_char(d->mem, d->out, '\n');
}

typedef VEC(IrBlock *) Blocks;

void funclet_plan_dump(const FuncletPlan *p, Arena *mem, StrBuf *out)
{
	Dump d = {.p = p, .mem = mem, .out = out};
	number_blocks(&d);
	Blocks *blocks = arena_array(mem, Blocks, p->pads.len);
	IR_FOR_BLOCKS (b, &p->func->regions[0]) {
		const FuncletNode *n = ptrmap_get(&p->of_block, b);
		if (n && n->pad)
			vec_push(mem, &blocks[n->pad->id], b);
	}
	spell_symbol(mem, out, ir_symbol_name(p->func));
	buf_char(mem, out, '\n');
	for (uint32_t i = 0; i < p->pads.len; i++)
		if (p->pads.data[i]->kind != FUNCLET_FORWARD)
			put_pad(&d, p->pads.data[i], blocks[i].data, blocks[i].len);
}
