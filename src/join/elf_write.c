/* join/elf_write.c: the object: the header, the sections, their table. */
#include "join/elf.h"

#include <stdlib.h>

static uint32_t add_string(ElfJoin *j, const Name *name)
{
	ElfMeaning *m = name ? elf_meaning(name) : NULL;
	if (!m || !name->len)
		return 0;
	if (!m->offset) {
		m->offset = j->strings.len;
		buf_put(j->mem, &j->strings, (Str){name->text, name->len + 1});
	}
	return m->offset;
}

/* The tables stand behind the sections; the one for large section numbers only where it is needed. */
static void add_tables(ElfJoin *j)
{
	Elf64_Shdr symtab = {.sh_type = SHT_SYMTAB, .sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8};
	Elf64_Shdr extended = {.sh_type = SHT_SYMTAB_SHNDX, .sh_entsize = 4, .sh_addralign = 4};
	Elf64_Shdr strtab = {.sh_type = SHT_STRTAB, .sh_addralign = 1};
	uint32_t nsections = j->out.len;
	j->symtab = elf_add_section(j, ".symtab", &symtab)->number;
	if (nsections >= SHN_LORESERVE)
		j->extended = elf_add_section(j, ".symtab_shndx", &extended)->number;
	j->strtab = elf_add_section(j, ".strtab", &strtab)->number;
	buf_char(j->mem, &j->strings, 0);
	for (uint32_t i = 0; i < j->symbols.len; i++) {
		uint32_t section = j->symbol_sections.data[i];
		j->symbols.data[i].st_name = add_string(j, j->symbol_names.data[i]);
		bool fits = section < SHN_LORESERVE;
		if (section)
			j->symbols.data[i].st_shndx = fits ? (uint16_t)section : (uint16_t)SHN_XINDEX;
		if (fits)
			j->symbol_sections.data[i] = 0; /* in the table for large numbers */
	}
	for (uint32_t i = 1; i < j->out.len; i++)
		j->out.data[i]->h.sh_name = add_string(j, j->out.data[i]->name);
	Elf64_Shdr *h = &j->out.data[j->symtab]->h;
	h->sh_size = j->symbols.len * sizeof(Elf64_Sym);
	h->sh_link = j->strtab;
	h->sh_info = j->nlocals;
	j->out.data[j->strtab]->h.sh_size = j->strings.len;
	if (j->extended) {
		j->out.data[j->extended]->h.sh_size = j->symbols.len * sizeof(uint32_t);
		j->out.data[j->extended]->h.sh_link = j->symtab;
	}
}

static uint64_t place_in_file(ElfJoin *j)
{
	uint64_t end = sizeof(Elf64_Ehdr);
	for (uint32_t i = 1; i < j->out.len; i++) {
		Elf64_Shdr *h = &j->out.data[i]->h;
		uint64_t align = h->sh_addralign ? h->sh_addralign : 1;
		end = join_align(end, align);
		h->sh_offset = end;
		end += h->sh_type == SHT_NOBITS ? 0 : h->sh_size;
	}
	return join_align(end, _Alignof(Elf64_Shdr));
}

static char *place_of(const ElfJoin *j, const ElfIn *in)
{
	return j->bytes + j->out.data[in->out]->h.sh_offset + in->shift;
}

static bool write_group(const ElfJoin *j, const ElfPart *p, const ElfIn *in)
{
	const uint32_t *words = elf_contents(p, in->h, _Alignof(uint32_t));
	uint32_t *to = (uint32_t *)(void *)place_of(j, in);
	size_t n = in->h->sh_size / sizeof *words;
	Elf64_Shdr *h = &j->out.data[in->out]->h;
	if (!words || !n)
		return false;
	to[0] = words[0];
	for (size_t i = 1; i < n; i++) {
		uint32_t out = words[i] < p->nsections ? p->sections[words[i]].out : ELF_LEFT_OUT;
		if (out == ELF_LEFT_OUT)
			return false;
		to[i] = out;
	}
	h->sh_link = j->symtab;
	h->sh_info = p->map[in->h->sh_info];
	return h->sh_info != ELF_LEFT_OUT;
}

static bool write_relocations(const ElfJoin *j, const ElfPart *p, const ElfIn *in)
{
	const Elf64_Rela *from = elf_contents(p, in->h, _Alignof(Elf64_Rela));
	Elf64_Rela *to = (Elf64_Rela *)(void *)place_of(j, in);
	uint64_t shift = p->sections[in->h->sh_info].shift;
	ElfOut *o = j->out.data[in->out];
	if (!from)
		return false;
	for (size_t n = in->h->sh_size / sizeof *from, i = 0; i < n; i++) {
		uint32_t symbol = (uint32_t)ELF64_R_SYM(from[i].r_info);
		if (symbol >= p->nsymbols || p->map[symbol] == ELF_LEFT_OUT)
			return false;
		to[i] = from[i];
		to[i].r_offset += shift;
		to[i].r_info = ELF64_R_INFO((uint64_t)p->map[symbol], ELF64_R_TYPE(from[i].r_info));
		if (ELF64_ST_TYPE(p->symbols[symbol].st_info) == STT_SECTION)
			to[i].r_addend += (int64_t)p->sections[elf_section_of(p, symbol)].shift;
	}
	o->h.sh_link = j->symtab;
	o->h.sh_info = o->other;
	return true;
}

static bool write_section(const ElfJoin *j, const ElfPart *p, const ElfIn *in)
{
	Elf64_Shdr *h = &j->out.data[in->out]->h;
	if (h->sh_type == SHT_GROUP)
		return write_group(j, p, in);
	if (h->sh_type == SHT_RELA)
		return write_relocations(j, p, in);
	if (h->sh_type != SHT_NOBITS && in->h->sh_size)
		memcpy(place_of(j, in), elf_contents(p, in->h, 1), in->h->sh_size);
	if (h->sh_flags & SHF_LINK_ORDER) {
		if (in->h->sh_link >= p->nsections || p->sections[in->h->sh_link].out == ELF_LEFT_OUT)
			return false;
		h->sh_link = p->sections[in->h->sh_link].out;
	}
	return true;
}

/* What stands between the functions of two parts is never executed; assemblers have no-ops there. */
static void fill_code(const ElfJoin *j)
{
	const ElfMachine *m = j->machine;
	for (uint32_t i = 1; i < j->out.len; i++) {
		const Elf64_Shdr *h = &j->out.data[i]->h;
		bool code = h->sh_type != SHT_NOBITS && (h->sh_flags & SHF_EXECINSTR);
		for (uint64_t at = 0; code && at + m->nop_size <= h->sh_size; at += m->nop_size)
			memcpy(j->bytes + h->sh_offset + at, m->nop, m->nop_size);
	}
}

static bool write_sections(const ElfJoin *j)
{
	fill_code(j);
	for (uint32_t k = 0; k < j->nparts; k++) {
		const ElfPart *p = &j->parts[k];
		for (uint32_t i = 0; i < p->nsections; i++)
			if (p->sections[i].out && p->sections[i].out != ELF_LEFT_OUT &&
			    !write_section(j, p, &p->sections[i]))
				return false;
	}
	return true;
}

static void write_table(const ElfJoin *j, uint32_t section, const void *data)
{
	const Elf64_Shdr *h = &j->out.data[section]->h;
	memcpy(j->bytes + h->sh_offset, data, h->sh_size);
}

/* Numbers that their fields have no room for stand in the first section header. */
static void write_headers(const ElfJoin *j, uint64_t table)
{
	Elf64_Ehdr h;
	uint32_t n = j->out.len;
	bool many = n >= SHN_LORESERVE;
	memcpy(&h, j->parts[0].bytes.data, sizeof h);
	h.e_shoff = table;
	h.e_shnum = many ? 0 : (uint16_t)n;
	h.e_shstrndx = many ? (uint16_t)SHN_XINDEX : (uint16_t)j->strtab;
	j->out.data[0]->h.sh_size = many ? n : 0;
	j->out.data[0]->h.sh_link = many ? j->strtab : 0;
	memcpy(j->bytes, &h, sizeof h);
	for (uint32_t i = 0; i < n; i++)
		memcpy(j->bytes + table + i * sizeof(Elf64_Shdr), &j->out.data[i]->h, sizeof(Elf64_Shdr));
}

JoinResult elf_write(ElfJoin *j, Str *object)
{
	add_tables(j);
	uint64_t table = place_in_file(j);
	uint64_t size = table + j->out.len * sizeof(Elf64_Shdr);
	j->bytes = calloc(size, 1);
	if (!j->bytes)
		return JOIN_NO_MEMORY;
	*object = (Str){j->bytes, size};
	if (!write_sections(j))
		return JOIN_UNFIT;
	write_table(j, j->symtab, j->symbols.data);
	write_table(j, j->strtab, j->strings.data);
	if (j->extended)
		write_table(j, j->extended, j->symbol_sections.data);
	write_headers(j, table);
	return JOIN_DONE;
}

ElfOut *elf_add_section(ElfJoin *j, const char *name, const Elf64_Shdr *like)
{
	ElfOut *o = arena_new(j->mem, ElfOut);
	o->h = (Elf64_Shdr){.sh_type = like->sh_type,
	                    .sh_flags = like->sh_flags,
	                    .sh_entsize = like->sh_entsize,
	                    .sh_addralign = like->sh_addralign};
	o->name = elf_name(j, str_of(name));
	o->number = j->out.len;
	vec_push(j->mem, &j->out, o);
	return o;
}
