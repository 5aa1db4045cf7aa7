#include "emit/llvm_gaps/label_distance.h"

#include "base/base.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

static const char list[] = "circ.label_distances";

/* The address of a block, or of a function: what the lowering gives a label in no block. */
static bool is_place(LLVMValueRef v)
{
	if (!LLVMIsAConstantExpr(v) || LLVMGetConstOpcode(v) != LLVMPtrToInt)
		return false;
	LLVMValueRef of = LLVMGetOperand(v, 0);
	return LLVMIsABlockAddress(of) || LLVMIsAGlobalValue(of);
}

static void make_zero(LLVMValueRef distance)
{
	if (LLVMIsAConstantExpr(distance))
		LLVMReplaceAllUsesWith(distance, LLVMConstNull(LLVMTypeOf(distance)));
}

/* In an initialiser the address of what is gone may have been folded to its number. */
static void settle(LLVMValueRef distance)
{
	if (!distance || !LLVMIsAConstantExpr(distance) || LLVMGetConstOpcode(distance) != LLVMSub)
		return; /* a number already */
	LLVMValueRef one = LLVMConstInt(LLVMTypeOf(distance), 1, false);
	LLVMValueRef first = LLVMGetOperand(distance, 0), second = LLVMGetOperand(distance, 1);
	bool has_first = is_place(first), has_second = is_place(second);
	if (has_first && has_second)
		return;
	make_zero(LLVMConstSub(has_first ? first : one, has_second ? second : one));
	make_zero(distance);
}

void emit_settle_label_distances(LLVMModuleRef module)
{
	unsigned n = LLVMGetNamedMetadataNumOperands(module, list);
	LLVMValueRef *nodes = n ? calloc(n, sizeof *nodes) : NULL;
	if (!nodes)
		return;
	LLVMGetNamedMetadataOperands(module, list, nodes);
	for (unsigned i = 0; i < n; i++) { /* all before the first is changed: that drops nodes */
		LLVMValueRef distance = NULL;
		if (LLVMGetMDNodeNumOperands(nodes[i]) == 1)
			LLVMGetMDNodeOperands(nodes[i], &distance);
		nodes[i] = distance;
	}
	for (unsigned i = 0; i < n; i++)
		settle(nodes[i]);
	free(nodes);
}
