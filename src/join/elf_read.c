/* join/elf_read.c: the tables of an object. Nothing in them is believed before it is looked at. */
#include "join/elf.h"

static const void *at(const ElfPart *p, uint64_t offset, uint64_t size, uint64_t align)
{
	return offset % align == 0 ? join_at(p->bytes, offset, size) : NULL;
}

const void *elf_contents(const ElfPart *p, const Elf64_Shdr *h, uint64_t align)
{
	return at(p, h->sh_offset, h->sh_size, align);
}

static bool string_table(const ElfPart *p, uint32_t section, Str *out)
{
	if (section >= p->nsections || p->sections[section].h->sh_type != SHT_STRTAB)
		return false;
	out->data = elf_contents(p, p->sections[section].h, 1);
	out->len = p->sections[section].h->sh_size;
	return out->data != NULL;
}

static const ElfMachine machines[] = {
    {EM_X86_64, 1, {0x90}},
    {EM_AARCH64, 4, {0x1f, 0x20, 0x03, 0xd5}},
};

/* All parts are for one. */
static bool is_for_machine(ElfJoin *j, uint16_t number)
{
	for (size_t i = 0; i < ARRAY_LEN(machines) && !j->machine; i++)
		if (machines[i].number == number)
			j->machine = &machines[i];
	return j->machine && j->machine->number == number;
}

static bool open_sections(ElfJoin *j, ElfPart *p)
{
	const Elf64_Ehdr *h = at(p, 0, sizeof *h, 1);
	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL || !is_for_machine(j, h->e_machine) ||
	    h->e_shentsize != sizeof(Elf64_Shdr))
		return false;
	const Elf64_Shdr *first = at(p, h->e_shoff, sizeof *first, _Alignof(Elf64_Shdr));
	if (!first)
		return false;
	uint64_t n = h->e_shnum ? h->e_shnum : first->sh_size;
	uint32_t names = h->e_shstrndx == SHN_XINDEX ? first->sh_link : h->e_shstrndx;
	if (n > p->bytes.len / sizeof *first || !at(p, h->e_shoff, n * sizeof *first, 1))
		return false;
	p->nsections = (uint32_t)n;
	p->sections = arena_array(j->mem, ElfIn, n);
	for (uint32_t i = 0; i < n; i++)
		p->sections[i].h = first + i;
	Str strings;
	if (!string_table(p, names, &strings))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!(p->sections[i].name = join_string(strings, first[i].sh_name)))
			return false;
	return true;
}

uint32_t elf_section_of(const ElfPart *p, uint32_t symbol)
{
	uint32_t n = p->symbols[symbol].st_shndx;
	if (n == SHN_XINDEX)
		n = p->extended[symbol];
	else if (n >= SHN_LORESERVE)
		n = 0;
	return n;
}

static bool open_symbols(ElfJoin *j, ElfPart *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		const Elf64_Shdr *h = p->sections[i].h;
		if (h->sh_type == SHT_SYMTAB) {
			p->symtab = i;
			p->symbols = elf_contents(p, h, _Alignof(Elf64_Sym));
			p->nsymbols = (uint32_t)(h->sh_size / sizeof *p->symbols);
		} else if (h->sh_type == SHT_SYMTAB_SHNDX) {
			p->extended = elf_contents(p, h, _Alignof(uint32_t));
			p->nextended = h->sh_size / sizeof *p->extended;
		}
	}
	if (p->extended && p->nextended < p->nsymbols)
		return false;
	if (!p->symbols || !string_table(p, p->sections[p->symtab].h->sh_link, &p->names))
		return false;
	for (uint32_t i = 0; i < p->nsymbols; i++)
		if (!join_string(p->names, p->symbols[i].st_name) ||
		    (p->symbols[i].st_shndx == SHN_XINDEX && !p->extended) ||
		    elf_section_of(p, i) >= p->nsections)
			return false;
	p->map = arena_array(j->mem, uint32_t, p->nsymbols);
	return true;
}

const char *elf_symbol_text(const ElfPart *p, uint32_t symbol)
{
	return p->names.data + p->symbols[symbol].st_name;
}

bool elf_read(ElfJoin *j, ElfPart *p)
{
	return open_sections(j, p) && open_symbols(j, p);
}

const Name *elf_name(ElfJoin *j, Str text)
{
	return join_name(&j->names, text, sizeof(ElfMeaning));
}
