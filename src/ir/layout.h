/* ir/layout.h: sizes, alignments and member offsets (cir-reference 2.1 to 2.5), for addresses of the size that
 * the module says. In bytes. A type has a layout when it is sized: not void, a function, an incomplete record or a token. */
#ifndef CIRC_IR_LAYOUT_H
#define CIRC_IR_LAYOUT_H

#include "ir/type.h"

bool ir_type_sized(const IrType *t);
/* A record that is not complete, and a function type that takes or returns one. */
bool ir_is_incomplete(const IrType *t);
bool ir_signature_incomplete(const IrType *func);
/* t must be sized. */
uint64_t ir_type_size(IrType *t);
uint32_t ir_type_align(IrType *t);
uint64_t ir_record_offset(IrType *record, uint32_t member);
/* The same where the end of the member before it is known. */
uint64_t ir_record_offset_after(const IrType *record, uint32_t member, uint64_t end);
/* Up to the end of the last member that is no padding: what `skip_tail_padding` copies. A member of a derived class, or
 * one behind a [[no_unique_address]] field, may stand in what follows. */
uint64_t ir_record_data_size(IrType *record);
/* union: index of the member that gives it its LLVM type; UINT32_MAX for an empty one. */
uint32_t ir_union_storage(IrType *record);
/* The LLVM field of a member: members before it less the zero-width bit-fields, which have none. */
uint32_t ir_record_field(const IrType *record, uint32_t member);
/* Do the fields of a !cir.bitfield that begins at that bit of its record leave the gaps that the System V ABI asks for?
 * None crosses a boundary of its declared type, unless it is packed; the text says widths only. */
bool ir_bitfields_have_gaps(const IrType *unit, uint64_t begin);
/* The bit where field i begins, if that before it ends at `bit`. */
uint64_t ir_bitfield_at(const IrType *unit, bool gaps, uint32_t i, uint64_t bit);

#endif
