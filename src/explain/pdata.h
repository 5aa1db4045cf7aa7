/* explain/pdata.h: .pdata and what its entries point to: UNWIND_INFO of x86_64 (Microsoft, "x64 exception handling"), and .xdata records
 * of AArch64 ("ARM64 exception handling").
 *
 * An object has these tables in sections of any number, an image has one, and its header says where. What they point to is
 * given by relocations there, and by addresses relative to the image here: object_pointer() knows both.
 *
 *   errors  what is wrong is a warning with its place, and is left out */
#ifndef CIRC_EXPLAIN_PDATA_H
#define CIRC_EXPLAIN_PDATA_H

#include "base/vec.h"
#include "circ/explain.h"
#include "explain/object/object.h"

/* A function, a part of one, or a funclet. */
typedef struct PdataEntry {
	ObjectPlace begin;
	uint64_t size;
	ObjectPlace info; /* UNWIND_INFO, or an .xdata record */
	ObjectPlace at;   /* of the entry itself, for messages */
	uint32_t packed;  /* AArch64: packed unwind data, in place of `info`; 0: there is none */
} PdataEntry;

typedef VEC(PdataEntry) PdataVec;
typedef VEC(CircUnwindRow) UnwindRowVec;

enum { UNWIND_EXCEPTION_HANDLER = 1, UNWIND_TERMINATION_HANDLER = 2, UNWIND_CHAINED = 4 };

typedef struct UnwindInfo {
	unsigned version, flags, prolog;
	unsigned ncodes;                       /* AArch64: bytes */
	unsigned frame_register, frame_offset; /* 0: no frame register */
	ObjectPlace codes;
	/* AArch64: a word for each epilog; or, with has_last_epilog, one epilog at the end of the function, whose codes begin at epilog_index. */
	unsigned nepilogs, epilog_index;
	bool has_last_epilog;
	ObjectPlace epilogs;
	ObjectTarget handler; /* with a flag for a handler */
	ObjectPlace data;     /* what the handler reads */
	PdataEntry chained;   /* with UNWIND_CHAINED: goes on there */
} UnwindInfo;

/* All entries, ascending by place. */
void pdata_read(const ObjectFile *o, PdataVec *entries);

/* The entry that begins at a place, or that covers it; NULL: none. */
const PdataEntry *pdata_at(const PdataVec *entries, ObjectPlace place);
const PdataEntry *pdata_over(const PdataVec *entries, ObjectPlace place);

/* False: reported. */
bool unwind_info_read(const ObjectFile *o, const PdataEntry *entry, UnwindInfo *info);

/* Follows the chain to the information that is not chained, and its entry; false: reported. */
bool unwind_info_primary(const ObjectFile *o, PdataEntry *entry, UnwindInfo *info);

/* pdata_arm64.c: the same for AArch64. pdata_arm64_entry() is false for an empty entry, and for a wrong one, which it reports. */
bool pdata_arm64_entry(const ObjectFile *o, ObjectPlace at, PdataEntry *entry);
bool unwind_info_arm64(const ObjectFile *o, ObjectPlace at, UnwindInfo *info);

/* x86_64's unwind codes in the order of the code. function_size: epilogs are counted from its end. */
void unwind_rows(const ObjectFile *o, const UnwindInfo *info, uint64_t function_size, UnwindRowVec *rows);

#endif
