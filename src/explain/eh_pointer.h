/* explain/eh_pointer.h: encoded pointers of `.eh_frame` and of language-specific data (LSB 5.0 Core, 10.5.1). */
#ifndef CIRC_EXPLAIN_EH_POINTER_H
#define CIRC_EXPLAIN_EH_POINTER_H

#include "explain/bytes.h"
#include "explain/object/object.h"

enum {
	EH_PE_ABSPTR = 0x00,
	EH_PE_ULEB128 = 0x01,
	EH_PE_UDATA2 = 0x02,
	EH_PE_UDATA4 = 0x03,
	EH_PE_UDATA8 = 0x04,
	EH_PE_SIGNED = 0x08,
	EH_PE_SLEB128 = 0x09,
	EH_PE_SDATA2 = 0x0a,
	EH_PE_SDATA4 = 0x0b,
	EH_PE_SDATA8 = 0x0c,
	EH_PE_FORMAT = 0x0f,
	EH_PE_PCREL = 0x10,
	EH_PE_TEXTREL = 0x20,
	EH_PE_DATAREL = 0x30,
	EH_PE_FUNCREL = 0x40,
	EH_PE_ALIGNED = 0x50,
	EH_PE_APPLICATION = 0x70,
	EH_PE_INDIRECT = 0x80,
	EH_PE_OMIT = 0xff,
};

/* Bytes of a format that has a fixed size; 0: LEB128 or no format. */
unsigned eh_pointer_size(unsigned encoding);

/* A number by the format alone, as lengths and call sites have it. */
uint64_t eh_pointer_number(Bytes *b, unsigned encoding);

/* Reads a pointer at b->at of `section`, through relocations and DW.ref.* variables. function: what DW_EH_PE_funcrel counts
 * from. A null pointer has is_null. What fails sets b->failed. */
ObjectTarget eh_pointer(const ObjectFile *o, uint32_t section, Bytes *b, unsigned encoding,
                        ObjectPlace function);

#endif
