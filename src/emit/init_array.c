#include "emit/init_array.h"
#include "emit/emit.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

/* Whoever defines the variable calls its constructor. */
static bool is_elsewhere(LLVMValueRef variable)
{
	return LLVMIsDeclaration(variable) || LLVMGetLinkage(variable) == LLVMAvailableExternallyLinkage;
}

/* One row of a list: { priority, function, variable }. What belongs to a variable goes where that goes: the linker may
 * take another module's (LLVM Language Reference, "The llvm.global_ctors Global Variable"). */
static void place(LLVMModuleRef module, LLVMValueRef row, const char *section)
{
	enum { PRIORITY_DEFAULT = 65535 };
	char name[64];
	LLVMValueRef function = LLVMGetOperand(row, 1);
	uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0));
	if (priority == PRIORITY_DEFAULT)
		snprintf(name, sizeof name, "%s", section);
	else
		snprintf(name, sizeof name, "%s.%" PRIu64, section, priority);
	LLVMValueRef variable = LLVMIsAGlobalVariable(LLVMGetOperand(row, 2));
	if (variable && is_elsewhere(variable))
		return;
	LLVMValueRef pointer = LLVMAddGlobal(module, LLVMTypeOf(function), "");
	LLVMSetInitializer(pointer, function);
	LLVMSetLinkage(pointer, LLVMPrivateLinkage);
	LLVMSetSection(pointer, name);
	LLVMSetAlignment(pointer, LLVMPointerSize(LLVMGetModuleDataLayout(module)));
	if (variable && LLVMGetComdat(variable))
		LLVMSetComdat(pointer, LLVMGetComdat(variable));
}

static void place_all(LLVMModuleRef module, const char *list_name, const char *section)
{
	LLVMValueRef list = LLVMGetNamedGlobal(module, list_name);
	LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
	if (!rows)
		return;
	for (unsigned i = 0, n = LLVMIsAConstantArray(rows) ? (unsigned)LLVMGetNumOperands(rows) : 0; i < n;
	     i++) {
		LLVMValueRef row = LLVMGetOperand(rows, i);
		if (LLVMIsAConstantStruct(row) && !LLVMIsNull(LLVMGetOperand(row, 1)))
			place(module, row, section);
	}
	LLVMDeleteGlobal(list);
}

void emit_init_arrays(LLVMModuleRef module)
{
	const AbiTarget *target = abi_target(str_of(LLVMGetTarget(module)));
	if (target && target->object != ABI_OBJECT_ELF)
		return;
	place_all(module, "llvm.global_ctors", ".init_array");
	place_all(module, "llvm.global_dtors", ".fini_array");
}
