/* explain/eh_frame.h: `.eh_frame`, which says how frames are unwound, and by whose tables (LSB 5.0 Core, 10.6.1;
 * DWARF 5, 6.4). */
#ifndef CIRC_EXPLAIN_EH_FRAME_H
#define CIRC_EXPLAIN_EH_FRAME_H

#include "base/vec.h"
#include "explain/bytes.h"
#include "explain/object/object.h"

typedef struct EhCie {
	uint64_t offset; /* in the section */
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register;
	unsigned version, pointer_encoding, lsda_encoding;
	bool has_sizes;     /* augmentation data have a length ('z') */
	bool signal, key_b; /* key_b: AArch64 signs return addresses with key B */
	bool valid;         /* not valid: reported; its FDEs are left out */
	bool has_personality;
	ObjectTarget personality;
	Bytes instructions;
} EhCie;

typedef struct EhFde {
	const EhCie *cie;
	ObjectPlace at;    /* of its length field */
	ObjectPlace begin; /* of the code; section OBJECT_NONE: not known */
	uint64_t size;
	bool has_lsda;
	ObjectPlace lsda;
	Bytes instructions;
} EhFde;

typedef void EhVisit(void *user, const EhFde *fde);

/* Reads a section, or an image's segment from where its table begins, and calls `visit` for each FDE. In a section a length
 * of zero ends one object's part of the table, and the next one's follows; in a segment it is the end, as are `most` FDEs.
 * most: UINT64_MAX in a section. */
void eh_frame_read(const ObjectFile *o, ObjectPlace from, uint64_t most, EhVisit *visit, void *user);

#endif
