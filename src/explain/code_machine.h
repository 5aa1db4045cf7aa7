/* explain/code_machine.h: what code_calls.c asks of instructions, one row per machine. */
#ifndef CIRC_EXPLAIN_CODE_MACHINE_H
#define CIRC_EXPLAIN_CODE_MACHINE_H

#include "explain/object/object.h"

/* Where a call or a jump goes to. */
typedef struct CodeTarget {
	uint64_t address;
	bool is_slot; /* to what the slot there holds */
} CodeTarget;

typedef struct CodeMachine {
	/* Does the instruction whose last four bytes are relocated call? */
	bool (*is_call)(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at);
	/* Code that jumps through a slot, as linkers' stubs do. False: other code. */
	bool (*jump)(const ObjectFile *o, ObjectPlace at, CodeTarget *to);
	/* The call that ends there. False: none does. */
	bool (*call_before)(const ObjectFile *o, ObjectPlace end, CodeTarget *to);
	/* Bytes of a direct call that ends there, by what stands before its last four. */
	unsigned (*call_size)(const ObjectFile *o, ObjectPlace end);
	/* Bytes of a call, and of an instruction that does nothing but move, that begins there. 0: another does. */
	unsigned (*call_length)(const ObjectFile *o, ObjectPlace at);
	unsigned (*move_length)(const ObjectFile *o, ObjectPlace at);
	unsigned distance_from; /* distances count from so many bytes behind what is relocated */
	unsigned call_min;      /* bytes of the shortest call */
	unsigned step;          /* instructions begin at multiples of it */
	/* Windows looks for the address of the call in its tables; for other machines it looks for the return address. */
	bool looks_up_call;
} CodeMachine;

extern const CodeMachine code_x86_64, code_aarch64;

/* That of the file. */
const CodeMachine *code_machine(const ObjectFile *o);

#endif
