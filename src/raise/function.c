/* Bodies. Blocks are filled in reverse postorder, so that every value is there before it is used; blocks that cannot be
 * reached are left out, but for those whose address is taken. A phi is an argument of its block, which each edge brings. */
#include "raise/raiser.h"

typedef VEC(LLVMBasicBlockRef) BlockList;

typedef struct Visit {
	LLVMBasicBlockRef block;
	unsigned next;
} Visit;

static RaiseBlock *meet(Raise *r, LLVMBasicBlockRef b)
{
	RaiseBlock *block = arena_new(&r->body, RaiseBlock);
	block->llvm = b;
	block->block = ir_block_create(r->m, (Loc){0});
	ptrmap_put(&r->body, &r->blocks, b, block);
	return block;
}

/* In postorder. */
static void number(Raise *r, LLVMBasicBlockRef entry, BlockList *order)
{
	VEC(Visit) stack = {0};
	meet(r, entry);
	vec_push(&r->body, &stack, ((Visit){entry, 0}));
	while (stack.len) {
		Visit *v = &stack.data[stack.len - 1];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
		if (v->next == LLVMGetNumSuccessors(end)) {
			vec_push(&r->body, order, v->block);
			stack.len--;
			continue;
		}
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
		if (!ptrmap_get(&r->blocks, to)) {
			meet(r, to);
			vec_push(&r->body, &stack, ((Visit){to, 0}));
		}
	}
}

/* In the order of LLVM's list. */
static void append_blocks(Raise *r, LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		RaiseBlock *block = ptrmap_get(&r->blocks, b);
		bool entry = b == LLVMGetEntryBasicBlock(f);
		if (!block && ptrmap_get(&r->labels, b))
			block = meet(r, b);
		if (block && !entry)
			ir_block_append(&r->func->regions[0], block->block);
	}
}

/* What an invoke brings is in memory's form: nothing can be cast between it and the phi. */
static bool has_invoked(LLVMValueRef phi)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMIsAInvokeInst(LLVMGetIncomingValue(phi, i)))
			return true;
	return false;
}

static void raise_phis(Raise *r, LLVMBasicBlockRef b)
{
	for (LLVMValueRef phi = LLVMGetFirstInstruction(b); phi && LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi)) {
		r->instruction = phi;
		IrType *t = raise_type(r, LLVMTypeOf(phi));
		if (t == r->bool_type && has_invoked(phi))
			t = r->i1;
		if (!t)
			return;
		raise_result(r, ir_block_add_arg(r->m, raise_block(r, b), t));
		for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
			RaiseBlock *from = ptrmap_get(&r->blocks, LLVMGetIncomingBlock(phi, i));
			if (!from || from->last_phi == phi) /* several edges bring the same */
				continue;
			from->last_phi = phi;
			vec_push(&r->body, &from->inputs, ((PhiInput){b, LLVMGetIncomingValue(phi, i)}));
		}
	}
}

static void label(Raise *r, LLVMBasicBlockRef b)
{
	const IrAttr *name = ptrmap_get(&r->labels, b);
	if (name) {
		IrOp *op = raise_op(r, OP_LABEL, NULL, NULL, 0);
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_label), name);
	}
}

static void fill(Raise *r, LLVMBasicBlockRef b)
{
	r->b = ir_at_end(r->m, raise_block(r, b), (Loc){0});
	label(r, b);
	for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && !r->failed; v = LLVMGetNextInstruction(v)) {
		r->instruction = v;
		if (LLVMIsAPHINode(v))
			continue;
		r->b.loc = raise_place(r, v);
		raise_instruction(r, v);
	}
}

/* Nothing comes there: only the address counts. */
static void fill_unreached(Raise *r, LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		RaiseBlock *block = ptrmap_get(&r->blocks, b);
		if (!block || block->block->first)
			continue;
		r->b = ir_at_end(r->m, block->block, (Loc){0});
		label(r, b);
		raise_op(r, OP_UNREACHABLE, NULL, NULL, 0);
	}
}

static void set_personality(Raise *r, LLVMValueRef f)
{
	if (!LLVMHasPersonalityFn(f))
		return;
	LLVMValueRef personality = LLVMGetPersonalityFn(f);
	if (LLVMIsAGlobalValue(personality) && !LLVMIsAGlobalVariable(personality))
		ir_op_set_attr(r->m, r->func, ir_known_name(r->m, NAME_personality),
		               ir_attr_symbol(r->m, raise_symbol_name(r, personality)));
	else
		raise_error(r, "has a personality that is not a function");
}

void raise_body(Raise *r, LLVMValueRef f, IrOp *func)
{
	BlockList order = {0};
	r->function = f;
	r->func = func;
	r->values = r->blocks = r->pairs = (PtrMap){0};
	set_personality(r, f);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
	number(r, entry, &order);
	IrBlock *first = raise_block(r, entry);
	ir_block_append(&func->regions[0], first);
	for (uint32_t i = 0; i < ir_func_type(func)->nmembers; i++)
		ptrmap_put(&r->body, &r->values, LLVMGetParam(f, i),
		           ir_block_add_arg(r->m, first, ir_func_type(func)->members[i]));
	append_blocks(r, f);
	for (uint32_t i = order.len; i-- > 0 && !r->failed;)
		raise_phis(r, order.data[i]);
	for (uint32_t i = order.len; i-- > 0 && !r->failed;)
		fill(r, order.data[i]);
	if (!r->failed)
		fill_unreached(r, f);
	r->function = r->instruction = NULL;
}
