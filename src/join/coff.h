/* join/coff.h: what the files of the COFF joiner share: the records of the format ("PE Format",
 * Microsoft) and what is known of the parts and of the result. Records are read where they stand, at any
 * address, on a little-endian machine.
 */
#ifndef CIRC_JOIN_COFF_H
#define CIRC_JOIN_COFF_H

#include "base/vec.h"
#include "join/format.h"

#define COFF_RECORD __attribute__((packed))

enum {
	COFF_X86_64 = 0x8664,
	COFF_BIG_VERSION = 2,
	COFF_SECTIONS_MAX = 65279, /* more need the large format */
	COFF_RELOCATIONS_MAX = 0xffff,

	COFF_CODE = 0x20,
	COFF_ZEROS = 0x80, /* IMAGE_SCN_CNT_UNINITIALIZED_DATA */
	COFF_COMDAT = 0x1000,
	COFF_ALIGN_SHIFT = 20, /* of the logarithm, and one */
	COFF_ALIGN_MASK = 0xf << COFF_ALIGN_SHIFT,
	COFF_MORE_RELOCATIONS = 0x1000000, /* IMAGE_SCN_LNK_NRELOC_OVFL */

	COFF_UNDEFINED = 0,
	COFF_ABSOLUTE = -1,
	COFF_DEBUG = -2,

	COFF_EXTERNAL = 2, /* storage classes */
	COFF_STATIC = 3,
	COFF_LABEL = 6,
	COFF_FILE = 103,
	COFF_WEAK = 105,

	COFF_FUNCTION = 0x20, /* type of a symbol */

	COFF_ASSOCIATIVE = 5, /* of a COMDAT: it goes with another section */
};

typedef struct COFF_RECORD CoffHeader {
	uint16_t machine, nsections;
	uint32_t time, symbols, nsymbols;
	uint16_t optional, flags;
} CoffHeader;

typedef struct COFF_RECORD CoffBigHeader {
	uint16_t zero, ones, version, machine;
	uint32_t time;
	uint8_t uuid[16];
	uint32_t unused[4];
	uint32_t nsections, symbols, nsymbols;
} CoffBigHeader;

typedef struct COFF_RECORD CoffSection {
	char name[8];
	uint32_t virtual_size, virtual_address, size, data, relocations, lines;
	uint16_t nrelocations, nlines;
	uint32_t flags;
} CoffSection;

typedef struct COFF_RECORD CoffRelocation {
	uint32_t address, symbol;
	uint16_t type;
} CoffRelocation;

/* A symbol's name: in the record, or zero and where it is in the string table. */
typedef struct COFF_RECORD CoffName {
	uint32_t zero, offset;
} CoffName;

typedef struct COFF_RECORD CoffSymbol {
	char name[8];
	uint32_t value;
	uint16_t section; /* to COFF_SECTIONS_MAX; above are the negative numbers */
	uint16_t type;
	uint8_t class, naux;
} CoffSymbol;

typedef struct COFF_RECORD CoffBigSymbol {
	char name[8];
	uint32_t value;
	int32_t section;
	uint16_t type;
	uint8_t class, naux;
} CoffBigSymbol;

typedef struct COFF_RECORD CoffSectionAux {
	uint32_t size;
	uint16_t nrelocations, nlines;
	uint32_t checksum;
	uint16_t number;
	uint8_t selection, unused;
	uint16_t number_high;
} CoffSectionAux;

typedef struct COFF_RECORD CoffWeakAux {
	uint32_t symbol, search;
} CoffWeakAux;

extern const uint8_t coff_big_uuid[16];

typedef struct CoffOutSymbol CoffOutSymbol;

/* A section of the result: a COMDAT, or all that are like it in the parts. */
typedef struct CoffOut {
	const Name *name;
	uint32_t flags; /* without alignment and COFF_MORE_RELOCATIONS */
	uint32_t align; /* as in the flags */
	uint32_t number;
	uint64_t size, nrelocations;
	uint64_t data, relocations; /* in the file */
	uint64_t relocated;         /* relocations written so far */
	uint32_t checksum;
	uint8_t selection;
	struct CoffOut *leader; /* of an associative COMDAT */
	CoffOutSymbol *symbol;
	struct CoffOut *next_of_name;
} CoffOut;

typedef struct CoffIn {
	const CoffSection *h;
	const Name *name;
	const char *data;
	const CoffRelocation *relocations;
	uint32_t nrelocations;
	uint32_t leader; /* of an associative COMDAT: number of its section, else 0 */
	uint8_t selection;
	bool defined; /* has a section symbol */
	bool left_out;
	const Name *key; /* of a COMDAT: the symbol it is chosen by */
	CoffOut *out;
	uint32_t shift;
} CoffIn;

typedef struct CoffInSymbol {
	const Name *name; /* NULL: this record belongs to the symbol before */
	uint32_t value;
	int32_t section;
	uint16_t type;
	uint8_t class, naux;
	bool defines_section;
	bool is_default;           /* of a weak external, and there for nothing else */
	struct CoffInSymbol *weak; /* COFF_WEAK: its default */
	uint32_t search;           /* COFF_WEAK */
	const char *aux;
	CoffOutSymbol *to; /* NULL: left out */
	uint32_t add;      /* `to` stands for a section, and the symbol is there in it */
} CoffInSymbol;

struct CoffOutSymbol {
	const Name *name;
	uint32_t value;
	int32_t section; /* unless there is `out` */
	CoffOut *out;
	uint16_t type;
	uint8_t class;
	Str file;                 /* COFF_FILE */
	const CoffInSymbol *weak; /* COFF_WEAK: one like it in a part */
	const Name *default_of;   /* the weak external that it is there for */
	uint32_t index;
};

typedef struct CoffPart {
	Str bytes, strings;
	bool big;
	CoffIn *sections; /* by number, from 1 */
	uint32_t nsections;
	CoffInSymbol *symbols;
	uint32_t nsymbols;
} CoffPart;

/* What a name stands for. */
typedef struct CoffMeaning {
	CoffOutSymbol *global, *absolute, *file;
	JoinLocal *locals;
	uint32_t offset; /* in the string table, 0: not yet */
	CoffOut *sections;
	bool comdat; /* one of that name is there */
} CoffMeaning;

typedef struct CoffJoin {
	Arena *mem;
	CoffPart *parts;
	uint32_t nparts;
	JoinPrefixes prefixes;
	NameTable names;
	VEC(CoffOut *) out; /* by number, from 0 */
	VEC(CoffOutSymbol *) symbols;
	StrBuf strings;
	char *bytes;
} CoffJoin;

const Name *coff_name(CoffJoin *j, Str text);

static inline CoffMeaning *coff_meaning(const Name *name)
{
	return name->symbol;
}

/* Each part's tables, checked. False: it is none of LLVM's objects for x86_64. */
bool coff_read(CoffJoin *j, CoffPart *part);

/* Symbols of the parts to those of the result; sections have their places. False: that cannot be. */
bool coff_join_symbols(CoffJoin *j);

JoinResult coff_write(CoffJoin *j, Str *object);

#endif
