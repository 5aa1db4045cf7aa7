/* emit/llvm_gaps/asm_unwind.h: what landing pads of inline assembly read.
 *
 * LLVM's code generator takes care of landing pads where a call unwinds, but not where inline assembly does: a value that the pad reads may come
 * to stand behind the assembly, in the same block. It happens
 *
 * - when a constant of a phi of the pad is made (SelectionDAG, at the end of the block);
 * - when an instruction is sunk into the block (MachineSink), or copied there for a phi of the pad (PHIElimination, behind the last use of what it
 *   copies), and is then scheduled over the assembly, which only labels bound (MachineScheduler);
 * - when a value is spilled, reloaded or copied at the end of the block, since the place before which that must be done is the last call of the
 *   block, and there is none (InsertPointAnalysis).
 *
 * Hence two things stand in front of each such invoke: an empty assembly for each operand, whose result becomes the operand, so that no
 * value from before it is used after it, and for what the block makes for a phi of the pad; and a stack map, which all of them take for a call and which has no code. Linkers leave its
 * section out (emit/fault_maps.c).
 */
#ifndef CIRC_EMIT_LLVM_GAPS_ASM_UNWIND_H
#define CIRC_EMIT_LLVM_GAPS_ASM_UNWIND_H

#include <llvm-c/Types.h>

/* Behind the optimiser. Invokes whose unwind edge enters a landing pad: funclets find their values in memory. */
void asm_unwind_prepare(LLVMModuleRef module);

#endif
