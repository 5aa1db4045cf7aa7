/* explain/object/coff.h: what the readers of COFF share (Microsoft's "PE Format"). Fields are little endian.
 *
 * Symbols keep the numbers of the file: those of auxiliary records stay there, nameless and undefined. */
#ifndef CIRC_EXPLAIN_OBJECT_COFF_H
#define CIRC_EXPLAIN_OBJECT_COFF_H

#include "explain/object/object.h"

enum {
	COFF_MACHINE_I386 = 0x14c,
	COFF_MACHINE_ARMNT = 0x1c4,
	COFF_MACHINE_AMD64 = 0x8664,
	COFF_MACHINE_ARM64 = 0xaa64,
	COFF_MACHINE_ARM64EC = 0xa641,
	COFF_MACHINE_ARM64X = 0xa64e,
};

/* Directories of an image. */
enum { COFF_EXPORTS = 0, COFF_IMPORTS = 1, COFF_EXCEPTIONS = 3, COFF_NDIRECTORIES = 16 };

typedef struct CoffDirectory {
	uint64_t rva, size;
} CoffDirectory;

typedef struct Coff {
	ObjectFile *o;
	ObjectSection *sections;
	ObjectSymbol *symbols;
	uint32_t nsections, nsymbols;
	uint64_t sections_at, symbols_at; /* offsets in the file */
	unsigned symbol_size;             /* 18, or 20 of a big object */
	Str strings; /* the string table, with its length; offsets count from its begin */
	CoffDirectory directories[COFF_NDIRECTORIES];
	/* Of sections and of relocations, what has not been given out yet: many may point to one place, and would make work that is
	 * no longer linear in the file. */
	uint64_t bytes_left, relocs_left;
} Coff;

#define NO_PLACE ((ObjectPlace){OBJECT_NONE, 0})

/* The value of bytes that are there. */
static inline uint64_t coff_word(Str bytes, uint64_t at, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = size; i-- > 0;)
		value = value << 8 | (uint8_t)bytes.data[at + i];
	return value;
}

static inline bool coff_has(Str bytes, uint64_t at, uint64_t size)
{
	return at <= bytes.len && size <= bytes.len - at;
}

/* Reads the headers alone; false: reported. */
bool coff_read_headers(Coff *c, ObjectFile *o);

/* coff_symbols.c */
void coff_find_strings(Coff *c);
Str coff_long_name(const Coff *c, uint64_t offset); /* of the string table; none: there is no such name */
void coff_read_symbols(Coff *c);

/* coff_reloc.c: of a file that is not linked */
void coff_read_relocs(Coff *c);

/* coff_image.c: adds symbols for what an image exports, under its name, and for what it imports, as __imp_NAME at the place that
 * holds its address. The sections of the image have been set. */
void coff_read_exports_and_imports(Coff *c);

/* The end of a range of code, which the 4 bytes at `at` point to; it begins at `begin`. In an image it may be the end of the
 * section, or one byte behind: no place that object_pointer() finds. section OBJECT_NONE: it is nowhere. The caller checks the offset. */
ObjectPlace coff_range_end(const ObjectFile *o, ObjectPlace at, ObjectPlace begin);

/* The exception directory of an image, by its address; size 0: none. */
CoffDirectory coff_exception_directory(const ObjectFile *o);

#endif
