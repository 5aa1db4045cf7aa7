/* Functions marked circ.may_fault: a fault at any instruction of them is an exception that their callers see. */
#include "lower/lowerer.h"

#include "ir/eh_runtime.h"

/* LLVM infers that what has no call does not unwind, and makes plain calls of it; an inlined one would fault elsewhere. The linker
 * defines where the section begins and ends (ELF), or sorts it by what follows the dollar (COFF). */
void lower_may_fault(Lower *e, LLVMValueRef function, const IrOp *func)
{
	static const char noinline[] = "noinline",
	                  mark[] = "circ-may-fault"; /* emit/llvm_gaps/scope_ranges.h */
	if (!ir_op_has(func, NAME_circ_may_fault))
		return;
	unsigned kind = LLVMGetEnumAttributeKindForName(noinline, sizeof noinline - 1);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(e->context, kind, 0));
	if (e->microsoft)
		LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		                        LLVMCreateStringAttribute(e->context, mark, sizeof mark - 1, "", 0));
	else
		LLVMSetSection(function, e->coff ? ".circmf$m" : "circ_may_fault");
}

/* Tables of C++ have no entry for an instruction that is no call, which means std::terminate() on ELF. */
static bool is_passed(Lower *e, const IrOp *func)
{
	const Name *personality = ir_op_symbol(func, NAME_personality);
	if (e->target->machine->faults_end_program) {
		lower_error(e, ": has 'circ.may_fault', but on target '%s' faults are no exceptions",
		            e->target->name);
		return false;
	}
	if (e->microsoft || !personality || ir_is_circ_personality(personality) ||
	    strncmp(personality->text, "__circ_", 7) == 0)
		return true;
	lower_error(e,
	            ": a function of C++ with cleanups or handlers of its own cannot have 'circ.may_fault'; "
	            "move what may fault to a function without them, or to a 'cir.try async'");
	return false;
}

void lower_may_fault_entry(Lower *e, const IrOp *func)
{
	if (!ir_op_has(func, NAME_circ_may_fault) || !is_passed(e, func))
		return;
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
	CallSite c = {.type = type};
	c.callee = LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, true);
	lower_call_site(e, &c);
}
