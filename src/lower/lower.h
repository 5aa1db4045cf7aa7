/* lower/lower.h: ABI CIR to LLVM IR, one to one.
 *
 *   needs      a module that passed ir_verify at STAGE_ITANIUM or STAGE_MICROSOFT
 *   ownership  the LLVM module belongs to the caller (LLVMDisposeModule) and lives in `context`; nothing of
 *              it points into the IrModule, which may be destroyed before code is generated
 *   errors     NULL: reported with a place (an op that has no lowering yet, a type without a size, …)
 *   threads    parts of one module may be lowered at once, each in a context and with a Diags of its own
 */
#ifndef CIRC_LOWER_LOWER_H
#define CIRC_LOWER_LOWER_H

#include "base/prefix_map.h"
#include "ir/module.h"
#include "lower/split.h"

#include <llvm-c/Types.h>

typedef struct LowerOptions {
	const char *triple;      /* NULL: the module's own, else the host's */
	const char *data_layout; /* of the target machine; NULL: LLVM's for the triple */
	bool pic;                /* sets the module's PIC level */
	bool pie;
	/* For the process that is running. What the module only declares, or another module may define instead, can be out of a relative address's reach;
	 * and an address of a thread-local variable is always one of llvm.threadlocal.address, also where LLVM IR that was read has the variable itself. */
	bool in_process;
	bool far_parts;      /* … and so can what other parts define */
	bool consume;        /* bodies go as they are lowered; the module is good for nothing afterwards */
	bool frame_pointers; /* ELF: every function keeps one, as clang has it at -O0 */
	unsigned debug;      /* version of DWARF for debuggers (CodeView has none), 0: nothing */
	bool optimized;      /* … and what they are told of the code */
	bool op_numbers; /* with `debug`: the line of code is its op's Loc.pos, and nothing else is told */
	bool
	    code_only; /* no optimizer will see the module: what only those read is left out, and pad_slots.c is at work */
	bool plain_cpu;  /* the machine that makes the code has no features of its own */
	bool tail_calls; /* that machine has guaranteed tail calls (musttail) */
	/* code will be made: assembly and intrinsics have their place with them (emit/source_place.h) */
	bool places;
	const PrefixMaps *prefix_maps; /* of names of files; NULL: none */
	const LowerSplit *split; /* NULL: the whole module; else `part` of it, and never with `consume` */
	uint32_t part;
} LowerOptions;

LLVMModuleRef lower_module(IrModule *m, LLVMContextRef context, const LowerOptions *options, Diags *d);

#endif
