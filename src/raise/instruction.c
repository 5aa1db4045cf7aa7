/* The table of LLVM's instructions. */
#include "raise/raiser.h"

/* LLVM-C's numbers have gaps. */
static RaiseFn *const rows[] = {
    [LLVMRet] = raise_ret,
    [LLVMBr] = raise_br,
    [LLVMSwitch] = raise_switch,
    [LLVMIndirectBr] = raise_indirect_br,
    [LLVMInvoke] = raise_invoke,
    [LLVMUnreachable] = raise_unreachable,
    [LLVMFNeg] = raise_fneg,
    [LLVMAdd] = raise_binary,
    [LLVMFAdd] = raise_binary,
    [LLVMSub] = raise_binary,
    [LLVMFSub] = raise_binary,
    [LLVMMul] = raise_binary,
    [LLVMFMul] = raise_binary,
    [LLVMUDiv] = raise_binary,
    [LLVMSDiv] = raise_binary,
    [LLVMFDiv] = raise_binary,
    [LLVMURem] = raise_binary,
    [LLVMSRem] = raise_binary,
    [LLVMFRem] = raise_binary,
    [LLVMShl] = raise_binary,
    [LLVMLShr] = raise_binary,
    [LLVMAShr] = raise_binary,
    [LLVMAnd] = raise_binary,
    [LLVMOr] = raise_binary,
    [LLVMXor] = raise_binary,
    [LLVMAlloca] = raise_alloca,
    [LLVMLoad] = raise_load,
    [LLVMStore] = raise_store,
    [LLVMGetElementPtr] = raise_gep,
    [LLVMTrunc] = raise_convert,
    [LLVMZExt] = raise_convert,
    [LLVMSExt] = raise_convert,
    [LLVMFPToUI] = raise_convert,
    [LLVMFPToSI] = raise_convert,
    [LLVMUIToFP] = raise_convert,
    [LLVMSIToFP] = raise_convert,
    [LLVMFPTrunc] = raise_convert,
    [LLVMFPExt] = raise_convert,
    [LLVMPtrToInt] = raise_convert,
    [RAISE_PTR_TO_ADDR] = raise_convert,
    [LLVMIntToPtr] = raise_convert,
    [LLVMBitCast] = raise_convert,
    [LLVMAddrSpaceCast] = raise_convert,
    [LLVMICmp] = raise_compare,
    [LLVMFCmp] = raise_compare,
    [LLVMCall] = raise_call,
    [LLVMSelect] = raise_select,
    [LLVMExtractElement] = raise_extract_element,
    [LLVMInsertElement] = raise_insert_element,
    [LLVMShuffleVector] = raise_shuffle,
    [LLVMExtractValue] = raise_extract_value,
    [LLVMInsertValue] = raise_insert_value,
    [LLVMFreeze] = raise_freeze,
    [LLVMVAArg] = raise_va_arg,
    [LLVMFence] = raise_fence,
    [LLVMAtomicCmpXchg] = raise_cmpxchg,
    [LLVMAtomicRMW] = raise_rmw,
    [LLVMResume] = raise_resume,
    [LLVMLandingPad] = raise_landingpad,
};

void raise_instruction(Raise *r, LLVMValueRef v)
{
	unsigned code = LLVMGetInstructionOpcode(v);
	RaiseFn *raise = code < ARRAY_LEN(rows) ? rows[code] : NULL;
	if (raise)
		raise(r, v);
	else
		raise_error(r, "has no counterpart in CIR");
}
