/* join/format.h: what join/join.h is made of: a joiner for each object format, and what they share.
 * Memory is mem's, and returns to nobody singly; the result is malloc'ed. */
#ifndef CIRC_JOIN_FORMAT_H
#define CIRC_JOIN_FORMAT_H

#include "base/arena.h"
#include "base/name.h"
#include "join/join.h"

typedef JoinResult Joiner(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Arena *mem,
                          Str *object);

Joiner join_elf;  /* join/elf.c */
Joiner join_coff; /* join/coff.c */

/* Instructions that do nothing fill what stands between the functions of two parts, as in assemblers. */
enum { JOIN_X86_NOP = 0x90 };

/* `size` bytes of a file; NULL: it is shorter. */
const char *join_at(Str file, uint64_t offset, uint64_t size);

/* The string at an offset of a table; NULL: it has no end. */
const char *join_string(Str table, uint64_t offset);

/* align: a power of two */
uint64_t join_align(uint64_t offset, uint64_t align);

/* A name with `size` zero bytes of its own behind Name.symbol: what the joiner knows of it. */
const Name *join_name(NameTable *names, Str text, size_t size);

/* A local symbol of a name. */
typedef struct JoinLocal {
	uint32_t part, symbol;
	struct JoinLocal *next;
} JoinLocal;

void join_add_local(JoinLocal **locals, Arena *mem, uint32_t part, uint32_t symbol);

/* NULL: the part has none. */
const JoinLocal *join_find_local(const JoinLocal *locals, uint32_t part);

/* Does it say that it is local to another part? Then of which, and what it is called there. */
bool join_is_of_part(Str text, Str prefix, uint32_t *part, Str *name);

#endif
