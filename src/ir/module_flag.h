/* ir/module_flag.h: flags of LLVM's modules which code generators read and that front ends set: the module's `circ.flags`, a dictionary. */
#ifndef CIRC_IR_MODULE_FLAG_H
#define CIRC_IR_MODULE_FLAG_H

#include "ir/attr.h"

typedef struct ModuleFlag {
	const char *name;
	unsigned behavior; /* LLVM's number of what becomes of it when modules are linked; clang's */
	bool is_text;      /* else an integer of 32 bits */
} ModuleFlag;

/* NULL: none that circ hands on. */
const ModuleFlag *ir_module_flag(Str name);

/* Is it a dictionary of such flags, each with a value of its kind? */
bool ir_are_module_flags(const IrAttr *a);

#endif
