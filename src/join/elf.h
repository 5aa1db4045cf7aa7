/* join/elf.h: what the files of the ELF joiner share: what is known of the parts and of the result. */
#ifndef CIRC_JOIN_ELF_H
#define CIRC_JOIN_ELF_H

#include "base/vec.h"
#include "join/format.h"

#include <elf.h>

enum { ELF_LEFT_OUT = INT32_MAX }; /* no number of a section or a symbol */

/* A section of the result: of one in a part, or of all that are like it. */
typedef struct ElfOut {
	Elf64_Shdr h; /* sh_link, sh_info: of the result, once all numbers are known */
	const Name *name;
	uint32_t number;
	uint32_t symbol; /* the section's own, or 0 */
	uint32_t other;  /* SHT_RELA: the section that is relocated; that one: its relocations, or 0 */
	struct ElfOut *next_of_name;
} ElfOut;

typedef struct ElfIn {
	const Elf64_Shdr *h;
	const char *name;
	uint32_t out; /* number in the result, ELF_LEFT_OUT, or 0: there is one for all parts */
	uint64_t shift;
} ElfIn;

typedef struct ElfPart {
	Str bytes;
	ElfIn *sections;
	uint32_t nsections;
	const Elf64_Sym *symbols;
	uint32_t nsymbols, symtab;
	const uint32_t *extended; /* SHT_SYMTAB_SHNDX, or NULL */
	uint64_t nextended;
	Str names;     /* of symbols */
	uint32_t *map; /* symbols to those of the result */
} ElfPart;

/* What a name stands for. */
typedef struct ElfMeaning {
	uint32_t global, file; /* symbols of the result, 0: none */
	uint32_t offset;       /* in the string table, 0: not yet */
	JoinLocal *locals;
	ElfOut *sections;
	bool group; /* one of that name is there */
} ElfMeaning;

/* A processor whose objects can be joined. */
typedef struct ElfMachine {
	uint16_t number;
	uint8_t nop_size;
	uint8_t nop[4];
} ElfMachine;

typedef struct ElfJoin {
	Arena *mem;
	const ElfMachine *machine; /* NULL: no part was read yet */
	ElfPart *parts;
	uint32_t nparts;
	JoinPrefixes prefixes;
	NameTable names;
	VEC(ElfOut *) out; /* by number */
	VEC(Elf64_Sym) symbols;
	VEC(uint32_t) symbol_sections; /* of each, as st_shndx has no room for all */
	VEC(const Name *) symbol_names;
	uint32_t nlocals;
	StrBuf strings;
	uint32_t symtab, extended, strtab; /* sections */
	char *bytes;
} ElfJoin;

const Name *elf_name(ElfJoin *j, Str text);

static inline ElfMeaning *elf_meaning(const Name *name)
{
	return name->symbol;
}

/* Each part's tables, checked. False: it is none of LLVM's objects for the processor of the parts before it. */
bool elf_read(ElfJoin *j, ElfPart *p);

/* NULL: they are not in the file, or not aligned. */
const void *elf_contents(const ElfPart *p, const Elf64_Shdr *h, uint64_t align);

/* The section of a symbol; 0: undefined, absolute, common. */
uint32_t elf_section_of(const ElfPart *p, uint32_t symbol);
const char *elf_symbol_text(const ElfPart *p, uint32_t symbol);

/* A section of the result with that name, empty. */
ElfOut *elf_add_section(ElfJoin *j, const char *name, const Elf64_Shdr *like);

/* Symbols of the parts to those of the result; sections have their places. False: that cannot be. */
bool elf_join_symbols(ElfJoin *j);

JoinResult elf_write(ElfJoin *j, Str *object);

#endif
