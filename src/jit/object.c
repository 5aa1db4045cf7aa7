#include "jit/object.h"

#include "target/target.h"

#include <elf.h>
#include <stdlib.h>

static const Elf64_Ehdr *header_of(Str object)
{
	return (const Elf64_Ehdr *)(const void *)object.data;
}

static const Elf64_Shdr *sections_of(Str object)
{
	return (const Elf64_Shdr *)(const void *)(object.data + header_of(object)->e_shoff);
}

/* With 65,280 sections or more the count stands in the first one (System V ABI, "ELF Header"). */
static size_t section_count(Str object)
{
	const Elf64_Ehdr *h = header_of(object);
	return h->e_shnum ? h->e_shnum : h->e_shoff ? sections_of(object)->sh_size : 0;
}

/* The section of the sections' names (e_shstrndx; with many sections it stands in the first one, too). */
static size_t names_index(Str object)
{
	size_t index = header_of(object)->e_shstrndx;
	if (index == SHN_XINDEX)
		index = sections_of(object)->sh_link;
	return index < section_count(object) ? index : 0;
}

static bool inside(Str object, uint64_t offset, uint64_t size, size_t align)
{
	return offset <= object.len && size <= object.len - offset && offset % align == 0;
}

/* The machine of this process. */
typedef struct ObjectMachine {
	uint16_t number;
	const char *otherwise;
} ObjectMachine;

static ObjectMachine own_machine(void)
{
	static const ObjectMachine rows[PROCESSOR_COUNT] = {
	    [PROCESSOR_X86_64] = {EM_X86_64, "it is not a relocatable x86_64 ELF object"},
	    [PROCESSOR_AARCH64] = {EM_AARCH64, "it is not a relocatable AArch64 ELF object"},
	};
	return rows[abi_target(STR(""))->machine->processor];
}

static bool is_object(Str object)
{
	const Elf64_Ehdr *h = header_of(object);
	return object.len >= sizeof *h && memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_ident[EI_DATA] == ELFDATA2LSB &&
	       h->e_type == ET_REL && h->e_machine == own_machine().number;
}

static bool has_sections(Str object)
{
	const Elf64_Ehdr *h = header_of(object);
	size_t size = sizeof(Elf64_Shdr);
	return h->e_shentsize == size && h->e_shoff && inside(object, h->e_shoff, size, 8) &&
	       section_count(object) <= (object.len - h->e_shoff) / size;
}

/* A table of strings that ends with a NUL. */
static bool is_string_table(Str object, const Elf64_Shdr *s)
{
	return s->sh_type == SHT_STRTAB && s->sh_size && inside(object, s->sh_offset, s->sh_size, 1) &&
	       object.data[s->sh_offset + s->sh_size - 1] == '\0';
}

static bool is_symbol_table(Str object, const Elf64_Shdr *s)
{
	const Elf64_Shdr *names = &sections_of(object)[s->sh_link < section_count(object) ? s->sh_link : 0];
	size_t size = sizeof(Elf64_Sym);
	if (!inside(object, s->sh_offset, s->sh_size, 8) || s->sh_size % size ||
	    s->sh_info > s->sh_size / size || !is_string_table(object, names))
		return false;
	const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(object.data + s->sh_offset);
	for (size_t i = 0; i < s->sh_size / size; i++)
		if (symbols[i].st_name >= names->sh_size)
			return false;
	return true;
}

static bool has_indirect_function(Str object, const Elf64_Shdr *s)
{
	const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(object.data + s->sh_offset);
	for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_GNU_IFUNC)
			return true;
	return false;
}

static const char *check_section(Str object, const Elf64_Shdr *s)
{
	if (s->sh_type == SHT_SYMTAB && !is_symbol_table(object, s))
		return "its symbol table is damaged";
	if (s->sh_type == SHT_SYMTAB && has_indirect_function(object, s))
		return "it has functions that the dynamic loader chooses (ifunc); link it into a shared "
		       "library";
	if (s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY || s->sh_type == SHT_PREINIT_ARRAY)
		return "it has constructors, which only the dynamic loader runs; link it into a shared "
		       "library";
	if (s->sh_flags & SHF_TLS)
		return "it has thread-local variables, which only the dynamic loader provides; link it into "
		       "a shared library";
	return NULL;
}

const char *object_check(Str object)
{
	if (!is_object(object))
		return own_machine().otherwise;
	if (!has_sections(object))
		return "its section table is damaged";
	for (size_t i = 0; i < section_count(object); i++) {
		const char *wrong = check_section(object, &sections_of(object)[i]);
		if (wrong)
			return wrong;
	}
	return NULL;
}

static ObjectSymbolKind kind_of(const Elf64_Sym *s)
{
	unsigned char bind = ELF64_ST_BIND(s->st_info);
	bool weak = bind == STB_WEAK || bind == STB_GNU_UNIQUE || s->st_shndx == SHN_COMMON;
	if (s->st_shndx == SHN_UNDEF)
		return weak ? OBJECT_NEEDS_WEAK : OBJECT_NEEDS;
	return weak ? OBJECT_DEFINES_WEAK : OBJECT_DEFINES;
}

typedef struct Symbols {
	const char *names;
	Elf64_Sym *first; /* that is not local */
	size_t n;
} Symbols;

static bool symbols_of(char *object, const Elf64_Shdr *table, Symbols *out)
{
	if (table->sh_type != SHT_SYMTAB)
		return false;
	const Elf64_Shdr *sections = sections_of((Str){object, 0});
	/* sh_info of a symbol table: the first symbol that is not local (System V ABI, "Sections"). */
	*out = (Symbols){.names = object + sections[table->sh_link].sh_offset,
	                 .first = (Elf64_Sym *)(void *)(object + table->sh_offset) + table->sh_info,
	                 .n = table->sh_size / sizeof(Elf64_Sym) - table->sh_info};
	return true;
}

void object_visit_symbols(Str object, ObjectVisitor *visit, void *user)
{
	Symbols s;
	for (size_t i = 0; i < section_count(object); i++)
		if (symbols_of((char *)(uintptr_t)object.data, &sections_of(object)[i], &s))
			for (const Elf64_Sym *it = s.first; it < s.first + s.n; it++)
				if (ELF64_ST_BIND(it->st_info) != STB_LOCAL)
					visit(s.names + it->st_name, kind_of(it), user);
}

static void change(Elf64_Sym *s, ObjectChange how)
{
	if (how == OBJECT_MAKE_LOCAL) {
		s->st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(s->st_info));
		s->st_other = STV_DEFAULT;
	} else if (how == OBJECT_MAKE_UNDEFINED) {
		*s = (Elf64_Sym){.st_name = s->st_name, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
	}
}

void object_change_weak(char *object, size_t len, ObjectChooser *choose, const void *user)
{
	Str whole = {object, len};
	Symbols s;
	for (size_t i = 0; i < section_count(whole); i++)
		if (symbols_of(object, &sections_of(whole)[i], &s))
			for (Elf64_Sym *it = s.first; it < s.first + s.n; it++)
				if (kind_of(it) == OBJECT_DEFINES_WEAK)
					change(it, choose(s.names + it->st_name, user));
}

void object_strip_prefix(char *object, size_t len, const char *prefix)
{
	Str whole = {object, len};
	Symbols s;
	for (size_t i = 0; i < section_count(whole); i++)
		if (symbols_of(object, &sections_of(whole)[i], &s))
			for (Elf64_Sym *it = s.first; it < s.first + s.n; it++)
				if (it->st_shndx == SHN_UNDEF &&
				    strncmp(s.names + it->st_name, prefix, strlen(prefix)) == 0)
					it->st_name += (Elf64_Word)strlen(prefix);
}

bool object_next_code(Str object, ObjectSection *at)
{
	for (size_t i = at->index + 1; i < section_count(object); i++) {
		const Elf64_Shdr *s = &sections_of(object)[i];
		if (!(s->sh_flags & SHF_EXECINSTR) || s->sh_type == SHT_NOBITS || !s->sh_size)
			continue;
		*at = (ObjectSection){i, s->sh_size};
		return true;
	}
	return false;
}

bool object_next_section(Str object, const char *name, ObjectSection *at)
{
	const Elf64_Shdr *names = &sections_of(object)[names_index(object)];
	for (size_t i = at->index + 1; is_string_table(object, names) && i < section_count(object); i++) {
		const Elf64_Shdr *s = &sections_of(object)[i];
		if (s->sh_name >= names->sh_size ||
		    strcmp(object.data + names->sh_offset + s->sh_name, name) != 0)
			continue;
		*at = (ObjectSection){i, s->sh_size};
		return true;
	}
	return false;
}

/* Of that name there may be several, which a linker joins; here they are not. *out: that one. */
static bool only_section(Str object, const char *name, ObjectSection *out)
{
	ObjectSection other;
	*out = (ObjectSection){0};
	if (!object_next_section(object, name, out) || out->index >= SHN_LORESERVE)
		return false;
	other = *out;
	return !object_next_section(object, name, &other);
}

static void define_bound(Str object, Elf64_Sym *s, const char *name)
{
	static const char start[] = "__start_", stop[] = "__stop_";
	bool starts = strncmp(name, start, strlen(start)) == 0,
	     stops = strncmp(name, stop, strlen(stop)) == 0;
	ObjectSection section;
	if (s->st_shndx != SHN_UNDEF || (!starts && !stops) ||
	    !only_section(object, name + strlen(starts ? start : stop), &section))
		return;
	*s = (Elf64_Sym){.st_name = s->st_name,
	                 .st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE),
	                 .st_shndx = (uint16_t)section.index,
	                 .st_value = starts ? 0 : section.size};
}

void object_define_bounds(char *object, size_t len)
{
	Str whole = {object, len};
	Symbols s;
	for (size_t i = 0; i < section_count(whole); i++)
		if (symbols_of(object, &sections_of(whole)[i], &s))
			for (Elf64_Sym *it = s.first; it < s.first + s.n; it++)
				define_bound(whole, it, s.names + it->st_name);
}

/* Moves a section to the end of the object, with `more` behind what it has. False: no memory. */
static bool extend_section(char **object, size_t *len, size_t index, const void *more, size_t size)
{
	const Elf64_Shdr s = sections_of((Str){*object, *len})[index];
	size_t at = (*len + 7) & ~(size_t)7;
	char *grown = realloc(*object, at + s.sh_size + size);
	if (!grown)
		return false;
	memset(grown + *len, 0, at - *len);
	memcpy(grown + at, grown + s.sh_offset, s.sh_size);
	memcpy(grown + at + s.sh_size, more, size);
	*object = grown;
	*len = at + s.sh_size + size;
	Elf64_Shdr *moved = (Elf64_Shdr *)(uintptr_t)&sections_of((Str){grown, *len})[index];
	moved->sh_offset = at;
	moved->sh_size += size;
	return true;
}

/* 0: there is none. */
static size_t symbol_table(Str object)
{
	for (size_t i = 1; i < section_count(object); i++)
		if (sections_of(object)[i].sh_type == SHT_SYMTAB)
			return i;
	return 0;
}

/* Of more sections than that objects have a second table of symbols, beside the first. */
ObjectAddition object_add_symbol(char **object, size_t *len, size_t section, const char *name)
{
	Str whole = {*object, *len};
	size_t table = symbol_table(whole);
	if (!table || section_count(whole) >= SHN_LORESERVE)
		return OBJECT_TOO_MANY_SECTIONS;
	size_t names = sections_of(whole)[table].sh_link;
	Elf64_Sym symbol = {.st_name = (Elf64_Word)sections_of(whole)[names].sh_size,
	                    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
	                    .st_shndx = (Elf64_Section)section};
	bool ok = extend_section(object, len, table, &symbol, sizeof symbol) &&
	          extend_section(object, len, names, name, strlen(name) + 1);
	return ok ? OBJECT_ADDED : OBJECT_NO_MEMORY;
}

void object_close_frame_tables(char *object, size_t len)
{
	Str whole = {object, len};
	for (size_t i = 0; i < section_count(whole); i++) {
		Elf64_Shdr *s = (Elf64_Shdr *)(uintptr_t)&sections_of(whole)[i];
		const Elf64_Shdr *names = &sections_of(whole)[names_index(whole)];
		if (is_string_table(whole, names) && s->sh_name < names->sh_size &&
		    strcmp(object + names->sh_offset + s->sh_name, ".eh_frame") == 0)
			s->sh_addralign = 1;
	}
}
