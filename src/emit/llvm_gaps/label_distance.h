/* emit/llvm_gaps/label_distance.h: distances of labels that an optimiser has dropped.
 *
 * The address of a label that nothing jumps to is 1 once its block is gone. A distance from there is nothing that an
 * object can say: LLVM ends the process for ELF, and crashes for COFF. But then nobody can go there
 * either, and any number will do: it becomes 0.
 *
 * The lowering lists the distances, so that no initialiser need be searched:
 *
 * 	!circ.label_distances = !{!0, …}      !0 = !{i64 sub (i64 ptrtoint (ptr blockaddress(@f, %a) to i64), …)}
 */
#ifndef CIRC_EMIT_LLVM_GAPS_LABEL_DISTANCE_H
#define CIRC_EMIT_LLVM_GAPS_LABEL_DISTANCE_H

#include <llvm-c/Types.h>

/* After the last pass of the optimiser, before the code generator. Cost: distances. */
void emit_settle_label_distances(LLVMModuleRef module);

#endif
