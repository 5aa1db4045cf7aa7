/* emit/zero_checks.c: from
 *
 * 	%zero = icmp eq i32 %b, 0
 * 	br i1 %zero, label %raise, label %on, !circ.zero_check
 *   on:
 * 	%q = sdiv i32 %a, %b
 *
 * to a division that says where the thread goes on if it traps, as LLVM's maps of null checks do:
 *
 * 	%d = callbr { i32, i32 } asm "cltd; idivl $3; …", "={ax},=&{dx},0,r,!i"(i32 %a, i32 %b) to label %on [label %raise]
 *
 * This comes behind LLVM's optimiser, which sees a check and a division as any others: it folds both for constants, moves them out of loops, and
 * drops checks that others dominate.
 */
#include "emit/zero_checks.h"

#include "emit/division_machine.h"
#include "target/target.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

typedef struct Check {
	const DivisionMachine *machine;
	LLVMValueRef branch, compare, divisor;
	LLVMBasicBlockRef raise, on;
	LLVMValueRef division; /* the first of `on` */
} Check;

/* Of the processors whose divisions trap (AbiMachine.division_faults). */
static const DivisionMachine *machine_of(LLVMModuleRef module)
{
	static const DivisionMachine *const machines[PROCESSOR_COUNT] = {
	    [PROCESSOR_X86_64] = &division_x86_64,
	};
	const AbiTarget *target = abi_target(str_of(LLVMGetTarget(module)));
	return target ? machines[target->machine->processor] : NULL;
}

static const DivisionRow *row_of(const Check *c, LLVMTypeRef type)
{
	const DivisionMachine *m = c->machine;
	for (size_t i = 0; LLVMGetTypeKind(type) == LLVMIntegerTypeKind && i < m->nrows; i++)
		if (m->rows[i].width == LLVMGetIntTypeWidth(type))
			return &m->rows[i];
	return NULL;
}

/* ---- what is folded ---- */

static bool read_compare(Check *c)
{
	if (!LLVMIsABranchInst(c->branch) || !LLVMIsConditional(c->branch))
		return false;
	c->compare = LLVMIsAICmpInst(LLVMGetCondition(c->branch));
	if (!c->compare || !LLVMIsNull(LLVMGetOperand(c->compare, 1)))
		return false;
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(c->compare);
	if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
		return false;
	unsigned raise = predicate == LLVMIntEQ ? 0 : 1;
	c->divisor = LLVMGetOperand(c->compare, 0);
	c->raise = LLVMGetSuccessor(c->branch, raise);
	c->on = LLVMGetSuccessor(c->branch, 1 - raise);
	return c->raise != c->on;
}

static bool is_division(LLVMOpcode op)
{
	return op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
}

static bool is_signed(LLVMValueRef division)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(division);
	return op == LLVMSDiv || op == LLVMSRem;
}

/* May it come before the division, where that traps? */
static bool is_harmless(LLVMOpcode op)
{
	switch (op) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMICmp:
	case LLVMSelect:
	case LLVMGetElementPtr:
		return true;
	default:
		return false;
	}
}

static bool find_division(Check *c)
{
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(c->on));
	if (!use || LLVMGetNextUse(use)) /* it has other predecessors */
		return false;
	LLVMValueRef i = LLVMGetFirstInstruction(c->on);
	while (i && is_harmless(LLVMGetInstructionOpcode(i)))
		i = LLVMGetNextInstruction(i);
	if (!i || !is_division(LLVMGetInstructionOpcode(i)) || LLVMGetOperand(i, 1) != c->divisor)
		return false;
	c->division = i;
	return row_of(c, LLVMTypeOf(i)) != NULL;
}

/* ---- folding ---- */

static void move_harmless(const Check *c, LLVMBuilderRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(c->on), next; i != c->division; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(b, i);
	}
}

/* The map is one that LLVM would write: of one function, here the instruction itself, with one access. */
static LLVMValueRef build_callbr(const Check *c, LLVMBuilderRef b)
{
	const DivisionRow *row = row_of(c, LLVMTypeOf(c->division));
	bool sign = is_signed(c->division);
	char text[512];
	int n = snprintf(text, sizeof text,
	                 "%s\n.Lcirc_zero${:uid}:\n\t%s%s\n\t.pushsection\t.llvm_faultmaps,\"a\",@progbits\n"
	                 "\t.byte 1, 0, 0, 0\n\t.long 1\n\t.quad .Lcirc_zero${:uid}\n\t.long 1, 0\n"
	                 "\t.long 1, 0, ${4:l}-.Lcirc_zero${:uid}\n\t.popsection",
	                 sign ? row->signed_extend : row->unsigned_extend,
	                 sign ? row->signed_divide : row->unsigned_divide, row->end);
	const char *constraints = c->machine->constraints;
	LLVMTypeRef type = LLVMTypeOf(c->division), both[] = {type, type};
	LLVMValueRef args[] = {LLVMGetOperand(c->division, 0), c->divisor};
	LLVMTypeRef result = LLVMStructTypeInContext(LLVMGetTypeContext(type), both, ARRAY_LEN(both), false);
	LLVMTypeRef function = LLVMFunctionType(result, both, ARRAY_LEN(both), false);
	LLVMValueRef callee = LLVMGetInlineAsm(function, text, (size_t)n, constraints, strlen(constraints),
	                                       true, false, LLVMInlineAsmDialectATT, false);
	LLVMBasicBlockRef raise = c->raise;
	return LLVMBuildCallBr(b, function, callee, c->on, &raise, 1, args, ARRAY_LEN(args), NULL, 0, "");
}

/* Quotient and remainder come from one instruction. */
static void replace_divisions(const Check *c, LLVMBuilderRef b, LLVMValueRef both)
{
	LLVMValueRef dividend = LLVMGetOperand(c->division, 0);
	bool sign = is_signed(c->division);
	LLVMPositionBuilderBefore(b, c->division);
	LLVMValueRef results[] = {LLVMBuildExtractValue(b, both, 0, ""),
	                          LLVMBuildExtractValue(b, both, 1, "")};
	for (LLVMValueRef i = c->division, next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMOpcode op = LLVMGetInstructionOpcode(i);
		if (!is_division(op) || is_signed(i) != sign || LLVMGetOperand(i, 0) != dividend ||
		    LLVMGetOperand(i, 1) != c->divisor)
			continue;
		LLVMReplaceAllUsesWith(i, results[op == LLVMSRem || op == LLVMURem]);
		LLVMInstructionEraseFromParent(i);
	}
}

static void fold(Check *c, LLVMBuilderRef b)
{
	if (!read_compare(c) || !find_division(c))
		return;
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(c->division);
	LLVMPositionBuilderBefore(b, c->branch);
	move_harmless(c, b);
	LLVMValueRef made = build_callbr(c, b);
	if (place)
		LLVMInstructionSetDebugLoc(made, place);
	LLVMInstructionEraseFromParent(c->branch);
	if (!LLVMGetFirstUse(c->compare))
		LLVMInstructionEraseFromParent(c->compare);
	replace_divisions(c, b, made);
}

void zero_checks_fold(LLVMModuleRef module)
{
	const DivisionMachine *machine = machine_of(module);
	if (!machine)
		return;
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned kind = LLVMGetMDKindIDInContext(context, ZERO_CHECK, sizeof ZERO_CHECK - 1);
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
			if (last && LLVMGetMetadata(last, kind))
				fold(&(Check){.machine = machine, .branch = last}, builder);
		}
	LLVMDisposeBuilder(builder);
}
