/* explain/object/object.h: an object file, shared library or program as the readers of tables see it: sections, symbols,
 * relocations, and what a pointer in it points to. ELF and COFF look the same from here.
 *
 *   ownership  lives in an Arena and borrows the file's bytes
 *   errors     false, NULL: reported, with section and offset. Nothing that a file says is believed before it is checked
 *
 * A pointer is read where it stands. In a file that is not linked a relocation says what it points to; in an image its value
 * does, or a dynamic relocation. Either way the answer is a place, a symbol, or both. */
#ifndef CIRC_EXPLAIN_OBJECT_OBJECT_H
#define CIRC_EXPLAIN_OBJECT_OBJECT_H

#include "base/arena.h"
#include "base/diag.h"

#define OBJECT_NONE UINT32_MAX /* no section, no symbol */

typedef enum ObjectFormat { OBJECT_ELF, OBJECT_COFF } ObjectFormat;
typedef enum ObjectMachine { OBJECT_X86_64, OBJECT_AARCH64, OBJECT_OTHER_MACHINE } ObjectMachine;

typedef enum ObjectRelocKind {
	OBJECT_RELOC_ABSOLUTE, /* the address */
	OBJECT_RELOC_RELATIVE, /* the distance from where it stands */
	OBJECT_RELOC_IMAGE,    /* COFF: the distance from the image's begin */
	OBJECT_RELOC_OTHER,    /* of code, TLS, …: what it points to is known, the formula is not needed */
} ObjectRelocKind;

typedef struct ObjectReloc {
	uint64_t offset;    /* in its section */
	int64_t addend;     /* COFF: what stands in the place, less 4 and more for REL32 */
	uint32_t symbol;    /* or OBJECT_NONE: the addend is an address of the image */
	unsigned kind : 8;  /* ObjectRelocKind */
	unsigned size : 8;  /* bytes that it fills */
	unsigned type : 16; /* the format's own number, for readers of code */
} ObjectReloc;

typedef struct ObjectSection {
	Str name;
	uint64_t address;     /* in the image; not linked: 0 */
	uint64_t size;        /* in memory */
	Str bytes;            /* in the file: shorter than `size`, or none, where the rest is zero */
	uint64_t file_offset; /* for messages */
	bool code, loaded, compressed;
	const ObjectReloc *relocs; /* ascending by offset; to be asked for by object_relocs() */
	size_t nrelocs;
	bool relocs_read; /* `relocs` is final: no need for ObjectFile.read_relocs */
} ObjectSection;

typedef struct ObjectSymbol {
	Str name;
	uint32_t section; /* OBJECT_NONE: not defined here, or absolute */
	uint64_t offset;  /* in the section */
	uint64_t size;    /* 0: unknown */
	bool function, global, defined;
} ObjectSymbol;

/* A place in a section. section OBJECT_NONE: nowhere. */
typedef struct ObjectPlace {
	uint32_t section;
	uint64_t offset;
} ObjectPlace;

/* What a pointer points to: a symbol that is not defined here has no place; a place may have no symbol. */
typedef struct ObjectTarget {
	uint32_t symbol;
	ObjectPlace place;
	bool is_null;
} ObjectTarget;

/* How many warnings there were; only the first OBJECT_WARNINGS are shown. */
enum { OBJECT_WARNINGS = 50 };

typedef struct ObjectFile ObjectFile;
struct ObjectFile {
	ObjectFormat format;
	ObjectMachine machine;
	bool linked;    /* sections have addresses */
	uint64_t image; /* COFF: the preferred base; addresses here have it added */
	const char *name;
	Str bytes;
	ObjectSection *sections;
	uint32_t nsections;
	const ObjectSymbol *symbols;
	uint32_t nsymbols;
	const uint32_t *by_place; /* defined symbols with names, by section, offset, functions first */
	uint32_t nby_place;
	const uint32_t *by_address; /* linked: loaded sections, ascending */
	uint32_t nby_address;
	/* Reads the relocations of a section when they are first asked for, so that those of sections without tables cost
	 * nothing. NULL: they were read when the file was opened. */
	void (*read_relocs)(const ObjectFile *o, uint32_t section);
	const struct ElfFile *elf; /* for object/elf.c */
	unsigned *warnings;        /* how many so far */
	Arena *mem;
	Diags *d;
};

/* Is it a binary that object_open() should see? By its first bytes; what is refused by its kind counts as well. */
bool object_is_known(Str bytes);
/* Is it of a format that is read here? */
bool object_is_readable(Str bytes);

/* Recognizes the format. False: it is no object that circ reads; reported (an archive, another machine, a 32-bit one, …). */
bool object_open(ObjectFile *o, Str bytes, const char *name, Arena *mem, Diags *d);

/* For object_open(), by format. */
bool object_open_elf(ObjectFile *o); /* object/elf.c */
/* Of an image, by its program header PT_GNU_EH_FRAME: where `.eh_frame` begins, in whatever section, and how many
 * FDEs it has (less than UINT64_MAX, where that is not said). */
bool object_elf_eh_frame(const ObjectFile *o, ObjectPlace *place, uint64_t *nfdes);
bool object_open_coff(ObjectFile *o); /* object/coff.c */

/* For them, once sections and symbols are there: by_place and by_address. */
void object_index(ObjectFile *o);

/* The file cannot be read at all: an error at the file. Returns false. */
bool object_error(const ObjectFile *o, const char *fmt, ...) BASE_PRINTF(2, 3);

/* Says which sections that are loaded share bytes of the file. They are read all the same. */
void object_report_overlaps(const ObjectFile *o);

/* A warning "FILE: SECTION+0xOFFSET: …"; section OBJECT_NONE: "FILE: …". */
void object_warning(const ObjectFile *o, ObjectPlace at, const char *fmt, ...) BASE_PRINTF(3, 4);

/* The first section of that name at or after `from`; OBJECT_NONE: none. */
uint32_t object_section(const ObjectFile *o, const char *name, uint32_t from);

/* The place of an address of an image; section OBJECT_NONE: outside of all. */
ObjectPlace object_place_of(const ObjectFile *o, uint64_t address);
uint64_t object_address(const ObjectFile *o, ObjectPlace place); /* of the image, or the offset */

/* The symbol that begins at a place, functions first, or the last that begins before it and reaches over it; OBJECT_NONE: none. */
uint32_t object_symbol_at(const ObjectFile *o, ObjectPlace place);
/* The one of code of `size` bytes, where the file tells sizes: an empty function begins where the next does. */
uint32_t object_symbol_of(const ObjectFile *o, ObjectPlace place, uint64_t size);
uint32_t object_symbol_over(const ObjectFile *o, ObjectPlace place);

/* All of a section, ascending by offset. */
const ObjectReloc *object_relocs(const ObjectFile *o, uint32_t section, size_t *n);
/* The index of the first at or after an offset. */
size_t object_reloc_from(const ObjectReloc *relocs, size_t n, uint64_t offset);

/* The relocation of the bytes at a place; NULL: none. */
const ObjectReloc *object_reloc_at(const ObjectFile *o, ObjectPlace place);

/* Follows a relocation. */
ObjectTarget object_reloc_target(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at);

/* Reads `size` bytes, little endian, at a place that exists (zero where the file has none); false: outside. */
bool object_read(const ObjectFile *o, ObjectPlace at, unsigned size, uint64_t *value);

/* What a pointer of `size` bytes at a place points to. kind: how an image has it. False: outside of its section. */
bool object_pointer(const ObjectFile *o, ObjectPlace at, unsigned size, ObjectRelocKind kind,
                    ObjectTarget *target);

#endif
