/* explain/object/elf.c: ELF64, little endian, of x86-64 and AArch64 (System V ABI, chapters 4 and 5, and the processors'
 * supplements).
 *
 * The index of a section is ELF's own. Symbols are those of .symtab, then those of .dynsym. An image without section
 * headers has its segments for sections. Relocations are converted for the sections that tables ask for: the debug
 * information of a large object has most of them, and nobody reads those. */
#include "explain/object/object.h"

#include "base/vec.h"

#include <inttypes.h>
#include <stdlib.h>

enum { EHDR = 64, SHDR = 64, PHDR = 56, SYM = 24, RELA = 24, DYN = 16 }; /* sizes of ELF's structures */
enum { ET_REL = 1, ET_EXEC = 2, ET_DYN = 3 };
enum { EM_X86_64 = 62, EM_AARCH64 = 183 };
enum {
	SHT_SYMTAB = 2,
	SHT_RELA = 4,
	SHT_NOBITS = 8,
	SHT_DYNSYM = 11,
	SHT_SYMTAB_SHNDX = 18,
	SHT_CREL = 0x40000014
};
enum { SHF_ALLOC = 2, SHF_EXECINSTR = 4, SHF_TLS = 0x400, SHF_COMPRESSED = 0x800 };
enum { SHN_LORESERVE = 0xff00, SHN_XINDEX = 0xffff };
enum { STT_FUNC = 2, STT_FILE = 4, STT_TLS = 6, STT_GNU_IFUNC = 10 };
enum { PT_LOAD = 1, PT_DYNAMIC = 2, PT_GNU_EH_FRAME = 0x6474e550, PF_X = 1 };
enum {
	DT_PLTRELSZ = 2,
	DT_STRTAB = 5,
	DT_SYMTAB = 6,
	DT_RELA = 7,
	DT_RELASZ = 8,
	DT_STRSZ = 10,
	DT_JMPREL = 23
};

typedef struct RelaTable {
	Str bytes;
	uint32_t base; /* of its symbol table in ObjectFile.symbols */
	uint32_t next; /* another one of the same section: 1 + index; 0: none */
} RelaTable;

typedef struct ElfFile {
	VEC(RelaTable) tables;
	uint32_t *first; /* of a section, not linked: 1 + index in `tables`; 0: none. */
	uint64_t eh_frame_hdr;
	bool has_eh_frame_hdr;
} ElfFile;

typedef struct Elf {
	ObjectFile *o;
	ElfFile *file;
	const char *data;
	uint64_t size, shoff, phoff;
	uint32_t nsections, nsegments, shentsize, phentsize, names;
	uint32_t symtab, dynsym;           /* sections; 0: none */
	uint32_t symtab_base, dynsym_base; /* in ObjectFile.symbols */
} Elf;

static uint64_t get(const char *at, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)(unsigned char)at[i] << 8 * i;
	return value;
}

static bool within(uint64_t size, uint64_t offset, uint64_t need)
{
	return offset <= size && need <= size - offset;
}

typedef struct RelocType {
	uint16_t type;
	uint8_t kind, size;
} RelocType;

/* The types that stand in tables and data; all others are of code. */
static const RelocType x86_64_types[] = {
    {1, OBJECT_RELOC_ABSOLUTE, 8},  /* 64 */
    {2, OBJECT_RELOC_RELATIVE, 4},  /* PC32 */
    {4, OBJECT_RELOC_RELATIVE, 4},  /* PLT32 */
    {6, OBJECT_RELOC_ABSOLUTE, 8},  /* GLOB_DAT */
    {7, OBJECT_RELOC_ABSOLUTE, 8},  /* JUMP_SLOT */
    {8, OBJECT_RELOC_ABSOLUTE, 8},  /* RELATIVE */
    {10, OBJECT_RELOC_ABSOLUTE, 4}, /* 32 */
    {11, OBJECT_RELOC_ABSOLUTE, 4}, /* 32S */
    {24, OBJECT_RELOC_RELATIVE, 8}, /* PC64 */
};
static const RelocType aarch64_types[] = {
    {257, OBJECT_RELOC_ABSOLUTE, 8},  /* ABS64 */
    {258, OBJECT_RELOC_ABSOLUTE, 4},  /* ABS32 */
    {260, OBJECT_RELOC_RELATIVE, 8},  /* PREL64 */
    {261, OBJECT_RELOC_RELATIVE, 4},  /* PREL32 */
    {314, OBJECT_RELOC_RELATIVE, 4},  /* PLT32 */
    {1025, OBJECT_RELOC_ABSOLUTE, 8}, /* GLOB_DAT */
    {1026, OBJECT_RELOC_ABSOLUTE, 8}, /* JUMP_SLOT */
    {1027, OBJECT_RELOC_ABSOLUTE, 8}, /* RELATIVE */
};

/* By ObjectMachine. */
typedef struct ElfMachine {
	uint16_t number; /* e_machine */
	uint16_t ntypes;
	const RelocType *types;
	bool has_mapping_symbols; /* ELF for the Arm 64-bit Architecture, 5.5.4 */
} ElfMachine;
static const ElfMachine machines[] = {
    [OBJECT_X86_64] = {EM_X86_64, ARRAY_LEN(x86_64_types), x86_64_types, false},
    [OBJECT_AARCH64] = {EM_AARCH64, ARRAY_LEN(aarch64_types), aarch64_types, true},
};

static ObjectMachine machine_of(unsigned number)
{
	unsigned i = 0;
	while (i < ARRAY_LEN(machines) && machines[i].number != number)
		i++;
	return i < ARRAY_LEN(machines) ? (ObjectMachine)i : OBJECT_OTHER_MACHINE;
}

/* Headers */

static bool read_header(Elf *elf)
{
	ObjectFile *o = elf->o;
	const char *p = elf->data;
	if (elf->size < 16)
		return object_error(o, "is cut off: %" PRIu64 " bytes; expected an ELF header of %d",
		                    elf->size, EHDR);
	if (p[4] != 2)
		return object_error(o, "is a 32-bit object; expected a 64-bit one (ELF class 2, found %u)",
		                    (unsigned char)p[4]);
	if (p[5] != 1)
		return object_error(
		    o, "is big-endian; expected a little-endian object (ELF data encoding 1, found %u)",
		    (unsigned char)p[5]);
	if (elf->size < EHDR)
		return object_error(o, "is cut off: %" PRIu64 " bytes; expected an ELF header of %d",
		                    elf->size, EHDR);
	unsigned type = (unsigned)get(p + 16, 2), machine = (unsigned)get(p + 18, 2);
	ObjectMachine known = machine_of(machine);
	if (known == OBJECT_OTHER_MACHINE)
		return object_error(
		    o, "is for another machine; expected x86-64 (62) or AArch64 (183), found ELF machine %u",
		    machine);
	if (type < ET_REL || type > ET_DYN)
		return object_error(
		    o, "is not an object, library or program; expected ELF type 1, 2 or 3, found %u", type);
	o->machine = known;
	o->linked = type != ET_REL;
	elf->phoff = get(p + 32, 8);
	elf->shoff = get(p + 40, 8);
	elf->phentsize = (uint32_t)get(p + 54, 2);
	elf->nsegments = (uint32_t)get(p + 56, 2);
	elf->shentsize = (uint32_t)get(p + 58, 2);
	elf->nsections = (uint32_t)get(p + 60, 2);
	elf->names = (uint32_t)get(p + 62, 2);
	return true;
}

/* Numbers that do not fit the header stand in the first section header (System V ABI, "ELF Header"). */
static bool find_sections(Elf *elf)
{
	const ObjectPlace none = {OBJECT_NONE, 0};
	if (!elf->shoff) {
		elf->nsections = 0;
		return elf->o->linked || object_error(elf->o, "has no sections");
	}
	bool ok = elf->shentsize >= SHDR && within(elf->size, elf->shoff, elf->shentsize);
	uint64_t n = elf->nsections;
	if (ok && !n)
		n = get(elf->data + elf->shoff + 32, 8);
	if (ok && elf->names == SHN_XINDEX)
		elf->names = (uint32_t)get(elf->data + elf->shoff + 40, 4);
	ok = ok && n <= elf->size / elf->shentsize && within(elf->size, elf->shoff, n * elf->shentsize);
	elf->nsections = ok ? (uint32_t)n : 0;
	if (ok)
		return true;
	if (!elf->o->linked)
		return object_error(
		    elf->o, "section headers at offset 0x%" PRIx64 " reach beyond the end of the file",
		    elf->shoff);
	object_warning(elf->o, none,
	               "section headers at offset 0x%" PRIx64 " reach beyond the end of the file",
	               elf->shoff);
	return true;
}

static const char *section_header(const Elf *elf, uint32_t i)
{
	return elf->data + elf->shoff + (uint64_t)i * elf->shentsize;
}

static Str text_at(Str table, uint64_t offset)
{
	if (offset >= table.len)
		return (Str){"", 0};
	const char *at = table.data + offset, *end = memchr(at, '\0', table.len - offset);
	return (Str){at, end ? (size_t)(end - at) : (size_t)(table.len - offset)};
}

/* What of a range lies in the file. */
static Str clipped(const Elf *elf, uint64_t offset, uint64_t size)
{
	if (offset > elf->size)
		return (Str){"", 0};
	uint64_t room = elf->size - offset;
	return (Str){elf->data + offset, size < room ? (size_t)size : (size_t)room};
}

static void read_section(Elf *elf, uint32_t i)
{
	ObjectSection *s = &elf->o->sections[i];
	const char *h = section_header(elf, i);
	uint64_t flags = get(h + 8, 8);
	uint32_t type = (uint32_t)get(h + 4, 4);
	s->code = flags & SHF_EXECINSTR;
	s->loaded = (flags & SHF_ALLOC) && !((flags & SHF_TLS) && type == SHT_NOBITS);
	s->compressed = flags & SHF_COMPRESSED;
	s->address = elf->o->linked ? get(h + 16, 8) : 0;
	s->file_offset = get(h + 24, 8);
	s->size = get(h + 32, 8);
	if (type != SHT_NOBITS && i)
		s->bytes = clipped(elf, s->file_offset, s->size);
}

static void read_sections(Elf *elf)
{
	ObjectFile *o = elf->o;
	o->nsections = elf->nsections;
	o->sections = arena_array(o->mem, ObjectSection, o->nsections);
	for (uint32_t i = 0; i < o->nsections; i++)
		read_section(elf, i);
	Str names = elf->names < o->nsections ? o->sections[elf->names].bytes : (Str){"", 0};
	for (uint32_t i = 0; i < o->nsections; i++) {
		ObjectSection *s = &o->sections[i];
		const char *h = section_header(elf, i);
		uint32_t type = (uint32_t)get(h + 4, 4);
		s->name = text_at(names, get(h, 4));
		if (type == SHT_SYMTAB && !elf->symtab)
			elf->symtab = i;
		else if (type == SHT_DYNSYM && !elf->dynsym)
			elf->dynsym = i;
		if (i && type != SHT_NOBITS && s->bytes.len < s->size)
			object_warning(o, (ObjectPlace){i, s->bytes.len},
			               "section reaches beyond the end of the file: 0x%" PRIx64
			               " bytes, found 0x%zx",
			               s->size, s->bytes.len);
	}
}

/* Symbols */

static bool is_mapping_symbol(Str name)
{
	return name.len >= 2 && name.data[0] == '$' && (name.data[1] == 'x' || name.data[1] == 'd') &&
	       (name.len == 2 || name.data[2] == '.');
}

typedef struct SymbolTable {
	Str symbols, names, extended; /* extended: of SHT_SYMTAB_SHNDX */
} SymbolTable;

static void read_symbol(const Elf *elf, const SymbolTable *t, uint32_t i, ObjectSymbol *s)
{
	const ObjectFile *o = elf->o;
	const char *p = t->symbols.data + (size_t)i * SYM;
	unsigned info = (unsigned char)p[4], type = info & 15;
	uint32_t section = (uint32_t)get(p + 6, 2);
	uint64_t value = get(p + 8, 8);
	s->name = text_at(t->names, get(p, 4));
	if (machines[o->machine].has_mapping_symbols && is_mapping_symbol(s->name))
		s->name.len = 0;
	s->size = get(p + 16, 8);
	s->function = type == STT_FUNC || type == STT_GNU_IFUNC;
	s->global = info >> 4;
	s->section = OBJECT_NONE;
	s->defined = section != 0;
	if (section == SHN_XINDEX)
		section = within(t->extended.len, (uint64_t)i * 4, 4)
		              ? (uint32_t)get(t->extended.data + (size_t)i * 4, 4)
		              : 0;
	else if (section >= SHN_LORESERVE)
		section = 0;
	if (!section || section >= o->nsections || type == STT_TLS || type == STT_FILE)
		return;
	s->section = section;
	s->offset = value - o->sections[section].address;
}

static uint32_t link_of(const Elf *elf, uint32_t section)
{
	return (uint32_t)get(section_header(elf, section) + 40, 4);
}

static SymbolTable table_of(const Elf *elf, uint32_t section)
{
	const ObjectFile *o = elf->o;
	SymbolTable t = {0};
	if (!section)
		return t;
	uint32_t names = link_of(elf, section);
	t.symbols = o->sections[section].bytes;
	if (names < o->nsections)
		t.names = o->sections[names].bytes;
	for (uint32_t i = 0; i < o->nsections; i++)
		if (get(section_header(elf, i) + 4, 4) == SHT_SYMTAB_SHNDX && link_of(elf, i) == section)
			t.extended = o->sections[i].bytes;
	return t;
}

static void read_symbols(Elf *elf, const SymbolTable *symtab, const SymbolTable *dynsym)
{
	ObjectFile *o = elf->o;
	uint64_t n = symtab->symbols.len / SYM, ndynamic = dynsym->symbols.len / SYM;
	if (n + ndynamic >= OBJECT_NONE)
		n = ndynamic = 0;
	ObjectSymbol *symbols = arena_array(o->mem, ObjectSymbol, n + ndynamic);
	for (uint32_t i = 0; i < n; i++)
		read_symbol(elf, symtab, i, &symbols[i]);
	for (uint32_t i = 0; i < ndynamic; i++)
		read_symbol(elf, dynsym, i, &symbols[n + i]);
	elf->dynsym_base = (uint32_t)n;
	o->symbols = symbols;
	o->nsymbols = (uint32_t)(n + ndynamic);
}

/* Relocations */

static RelocType type_of(const ElfMachine *machine, uint32_t type)
{
	for (size_t i = 0; i < machine->ntypes; i++)
		if (machine->types[i].type == type)
			return machine->types[i];
	return (RelocType){(uint16_t)(type < UINT16_MAX ? type : 0), OBJECT_RELOC_OTHER, 4};
}

/* offset: an address in an image. */
static ObjectReloc converted(const ObjectFile *o, const RelaTable *t, size_t i)
{
	const char *p = t->bytes.data + i * RELA;
	uint32_t symbol = (uint32_t)get(p + 12, 4);
	RelocType type = type_of(&machines[o->machine], (uint32_t)get(p + 8, 4));
	ObjectReloc r = {.offset = get(p, 8), .addend = (int64_t)get(p + 16, 8), .kind = type.kind};
	r.type = type.type;
	r.size = type.size;
	/* Index 0 is no symbol: the addend alone. */
	r.symbol = symbol && symbol < o->nsymbols - t->base ? t->base + symbol : OBJECT_NONE;
	return r;
}

static int compare_relocs(const void *a, const void *b)
{
	const ObjectReloc *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort_relocs(ObjectReloc *relocs, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (relocs[i].offset < relocs[i - 1].offset) {
			qsort(relocs, n, sizeof *relocs, compare_relocs);
			return;
		}
}

static void read_relocs_of_section(const ObjectFile *o, uint32_t section)
{
	const ElfFile *file = o->elf;
	size_t n = 0;
	for (uint32_t i = file->first[section]; i; i = file->tables.data[i - 1].next)
		n += file->tables.data[i - 1].bytes.len / RELA;
	ObjectReloc *relocs = arena_alloc_raw(o->mem, n * sizeof *relocs, _Alignof(ObjectReloc));
	n = 0;
	for (uint32_t i = file->first[section]; i; i = file->tables.data[i - 1].next)
		for (size_t k = 0; k < file->tables.data[i - 1].bytes.len / RELA; k++)
			relocs[n++] = converted(o, &file->tables.data[i - 1], k);
	sort_relocs(relocs, n);
	o->sections[section].relocs = relocs;
	o->sections[section].nrelocs = n;
}

/* The dynamic relocations of an image, for all sections at once: they are sorted, and each section gets its part. */
static void read_dynamic_relocs(const ObjectFile *o, uint32_t section)
{
	const ElfFile *file = o->elf;
	size_t n = 0, all = 0;
	(void)section;
	for (uint32_t i = 0; i < file->tables.len; i++)
		all += file->tables.data[i].bytes.len / RELA;
	ObjectReloc *relocs = arena_alloc_raw(o->mem, all * sizeof *relocs, _Alignof(ObjectReloc));
	for (uint32_t i = 0; i < file->tables.len; i++)
		for (size_t k = 0; k < file->tables.data[i].bytes.len / RELA; k++)
			relocs[n++] = converted(o, &file->tables.data[i], k);
	sort_relocs(relocs, n);
	for (uint32_t i = 0; i < o->nsections; i++)
		o->sections[i].relocs_read = true;
	for (uint32_t i = 0; i < o->nby_address; i++) {
		ObjectSection *s = &o->sections[o->by_address[i]];
		uint64_t end =
		    i + 1 < o->nby_address ? o->sections[o->by_address[i + 1]].address : UINT64_MAX;
		size_t from = object_reloc_from(relocs, n, s->address),
		       to = object_reloc_from(relocs, n, end);
		s->relocs = relocs + from;
		s->nrelocs = to > from ? to - from : 0;
		for (size_t k = from; k < to; k++)
			relocs[k].offset -= s->address;
	}
}

static void add_rela_table(Elf *elf, Str bytes, uint32_t base, uint32_t section)
{
	RelaTable t = {.bytes = bytes, .base = base};
	if (section) {
		t.next = elf->file->first[section];
		elf->file->first[section] = elf->file->tables.len + 1;
	}
	vec_push(elf->o->mem, &elf->file->tables, t);
}

static void find_relocs(Elf *elf)
{
	ObjectFile *o = elf->o;
	elf->file->first = arena_array(o->mem, uint32_t, o->nsections);
	for (uint32_t i = 1; i < o->nsections; i++) {
		const char *h = section_header(elf, i);
		uint32_t type = (uint32_t)get(h + 4, 4), of = (uint32_t)get(h + 44, 4),
		         symbols = link_of(elf, i);
		if (type == SHT_CREL)
			object_warning(o, (ObjectPlace){i, 0},
			               "relocations are of type SHT_CREL, which circ does not read");
		if (type != SHT_RELA || !o->sections[i].bytes.len)
			continue;
		uint32_t base = symbols && symbols == elf->dynsym ? elf->dynsym_base : 0;
		if (o->linked && o->sections[i].loaded)
			add_rela_table(elf, o->sections[i].bytes, base, 0);
		else if (!o->linked && of && of < o->nsections)
			add_rela_table(elf, o->sections[i].bytes, base, of);
	}
}

/* Segments */

static const char *segment(const Elf *elf, uint32_t i)
{
	uint64_t offset = elf->phoff + (uint64_t)i * elf->phentsize;
	bool ok = elf->phentsize >= PHDR && elf->phoff <= elf->size && within(elf->size, offset, PHDR);
	return ok ? elf->data + offset : NULL;
}

static void find_eh_frame_header(Elf *elf)
{
	for (uint32_t i = 0; i < elf->nsegments; i++) {
		const char *p = segment(elf, i);
		if (p && get(p, 4) == PT_GNU_EH_FRAME) {
			elf->file->eh_frame_hdr = get(p + 16, 8);
			elf->file->has_eh_frame_hdr = true;
		}
	}
}

/* Section 0 is none, as where there are headers. */
static void sections_of_segments(Elf *elf)
{
	ObjectFile *o = elf->o;
	o->sections = arena_array(o->mem, ObjectSection, elf->nsegments + 1);
	o->nsections = 1;
	for (uint32_t i = 0; i < elf->nsegments; i++) {
		const char *p = segment(elf, i);
		if (!p || get(p, 4) != PT_LOAD)
			continue;
		ObjectSection *s = &o->sections[o->nsections++];
		s->name = str_of(arena_printf(o->mem, "segment %u", i));
		s->code = get(p + 4, 4) & PF_X;
		s->loaded = true;
		s->file_offset = get(p + 8, 8);
		s->address = get(p + 16, 8);
		s->size = get(p + 40, 8);
		s->bytes = clipped(elf, s->file_offset, get(p + 32, 8));
	}
}

/* The bytes in the file from an address on, at most `size`. */
static Str bytes_at(const ObjectFile *o, uint64_t address, uint64_t size)
{
	ObjectPlace at = object_place_of(o, address);
	if (at.section == OBJECT_NONE || at.offset > o->sections[at.section].bytes.len)
		return (Str){"", 0};
	Str all = o->sections[at.section].bytes;
	uint64_t room = all.len - at.offset;
	return (Str){all.data + at.offset, size < room ? (size_t)size : (size_t)room};
}

static void read_dynamic_segment(const Elf *elf, uint64_t tags[32])
{
	for (uint32_t i = 0; i < elf->nsegments; i++) {
		const char *p = segment(elf, i);
		if (!p || get(p, 4) != PT_DYNAMIC)
			continue;
		Str table = clipped(elf, get(p + 8, 8), get(p + 32, 8));
		for (size_t k = 0; k + DYN <= table.len; k += DYN) {
			uint64_t tag = get(table.data + k, 8);
			if (!tag)
				break;
			if (tag < 32)
				tags[tag] = get(table.data + k + 8, 8);
		}
	}
}

static bool open_segments(Elf *elf)
{
	ObjectFile *o = elf->o;
	uint64_t tags[32] = {0};
	sections_of_segments(elf);
	object_index(o);
	read_dynamic_segment(elf, tags);
	SymbolTable none = {0}, t = {0};
	t.names = bytes_at(o, tags[DT_STRTAB], tags[DT_STRSZ]);
	/* Nothing says how many symbols there are; linkers put their names behind them. */
	if (tags[DT_STRTAB] > tags[DT_SYMTAB])
		t.symbols = bytes_at(o, tags[DT_SYMTAB], tags[DT_STRTAB] - tags[DT_SYMTAB]);
	read_symbols(elf, &none, &t);
	/* Section indexes of symbols mean headers that are not there. */
	for (uint32_t i = 0; i < o->nsymbols; i++) {
		ObjectSymbol *s = (ObjectSymbol *)&o->symbols[i];
		ObjectPlace at = {OBJECT_NONE, 0};
		if (s->defined)
			at = object_place_of(o, get(t.symbols.data + (size_t)i * SYM + 8, 8));
		s->section = at.section;
		s->offset = at.offset;
	}
	object_index(o);
	add_rela_table(elf, bytes_at(o, tags[DT_RELA], tags[DT_RELASZ]), 0, 0);
	add_rela_table(elf, bytes_at(o, tags[DT_JMPREL], tags[DT_PLTRELSZ]), 0, 0);
	return true;
}

bool object_elf_eh_frame(const ObjectFile *o, ObjectPlace *place, uint64_t *nfdes)
{
	enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03 };
	uint64_t value, encodings;
	if (o->format != OBJECT_ELF || !o->elf->has_eh_frame_hdr)
		return false;
	/* LSB 5.0 Core, 10.6.2: version, three encodings, the pointer to .eh_frame, the number of FDEs. */
	ObjectPlace at = object_place_of(o, o->elf->eh_frame_hdr);
	if (!object_read(o, at, 4, &encodings) || (encodings & 0xff) != 1 ||
	    (encodings >> 8 & 0xff) != PCREL_SDATA4)
		return false;
	at.offset += 4;
	if (!object_read(o, at, 4, &value))
		return false;
	*place = object_place_of(o, object_address(o, at) + (uint64_t)(int64_t)(int32_t)value);
	at.offset += 4;
	if ((encodings >> 16 & 0xff) != UDATA4 || !object_read(o, at, 4, nfdes))
		*nfdes = UINT64_MAX - 1;
	return place->section != OBJECT_NONE;
}

bool object_open_elf(ObjectFile *o)
{
	Elf elf = {.o = o, .data = o->bytes.data, .size = o->bytes.len};
	o->format = OBJECT_ELF;
	if (!read_header(&elf) || !find_sections(&elf))
		return false;
	o->elf = elf.file = arena_new(o->mem, ElfFile);
	o->read_relocs = o->linked ? read_dynamic_relocs : read_relocs_of_section;
	if (o->linked)
		find_eh_frame_header(&elf);
	if (elf.nsections <= 1 && o->linked)
		return open_segments(&elf);
	read_sections(&elf);
	object_report_overlaps(elf.o);
	SymbolTable symtab = table_of(&elf, elf.symtab), dynsym = table_of(&elf, elf.dynsym);
	read_symbols(&elf, &symtab, &dynsym);
	find_relocs(&elf);
	object_index(o);
	return true;
}
