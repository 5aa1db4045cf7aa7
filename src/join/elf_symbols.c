/* join/elf_symbols.c: the symbols of the result: local ones, then what parts define
 * for others, then what none defines. */
#include "join/elf.h"

static uint32_t add_symbol(ElfJoin *j, const Name *name, const Elf64_Sym *like, uint32_t section)
{
	Elf64_Sym s = *like;
	s.st_name = 0;
	vec_push(j->mem, &j->symbols, s);
	vec_push(j->mem, &j->symbol_sections, section);
	vec_push(j->mem, &j->symbol_names, name);
	return j->symbols.len - 1;
}

static void set_definition(ElfJoin *j, uint32_t to, const ElfPart *p, uint32_t symbol)
{
	const Elf64_Sym *s = &p->symbols[symbol];
	const ElfIn *in = &p->sections[elf_section_of(p, symbol)];
	Elf64_Sym *d = &j->symbols.data[to];
	unsigned char other = d->st_other;
	*d = *s;
	d->st_name = 0;
	d->st_other = other;
	if (in->out) {
		d->st_value += in->shift;
		d->st_shndx = 0;
	}
	j->symbol_sections.data[to] = in->out;
}

static uint32_t section_symbol(ElfJoin *j, uint32_t out)
{
	ElfOut *o = j->out.data[out];
	if (!o->symbol)
		o->symbol =
		    add_symbol(j, NULL, &(Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION)}, out);
	return o->symbol;
}

static const Name *local_name(ElfJoin *j, const char *text)
{
	bool was_private = str_begins_with(str_of(text), j->prefixes.was_private);
	if (was_private)
		text = arena_printf(j->mem, ".L%s", text + j->prefixes.was_private.len);
	return elf_name(j, str_of(text));
}

static uint32_t file_symbol(ElfJoin *j, const Name *name, const Elf64_Sym *s)
{
	ElfMeaning *m = elf_meaning(name);
	if (!m->file)
		m->file = add_symbol(j, name, s, 0);
	return m->file;
}

static void add_local(ElfJoin *j, ElfPart *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const char *text = elf_symbol_text(p, i);
	uint32_t section = elf_section_of(p, i), out = p->sections[section].out;
	ElfMeaning *own = elf_meaning(elf_name(j, str_of(text)));
	if (section && out == ELF_LEFT_OUT) {
		p->map[i] = ELF_LEFT_OUT;
	} else if (ELF64_ST_TYPE(s->st_info) == STT_SECTION) {
		p->map[i] = section_symbol(j, out);
	} else if (ELF64_ST_TYPE(s->st_info) == STT_FILE) {
		p->map[i] = file_symbol(j, elf_name(j, str_of(text)), s);
	} else {
		p->map[i] = add_symbol(j, local_name(j, text), s, 0);
		set_definition(j, p->map[i], p, i);
		join_add_local(&own->locals, j->mem, (uint32_t)(p - j->parts), i);
	}
}

static bool is_definition(const ElfPart *p, uint32_t i)
{
	uint32_t section = elf_section_of(p, i);
	return p->symbols[i].st_shndx != SHN_UNDEF && (!section || p->sections[section].out != ELF_LEFT_OUT);
}

/* False: it is defined twice. */
static bool add_definition(ElfJoin *j, ElfPart *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const Name *name = elf_name(j, str_of(elf_symbol_text(p, i)));
	ElfMeaning *m = elf_meaning(name);
	if (m->global)
		return false;
	p->map[i] = m->global = add_symbol(j, name, s, 0);
	set_definition(j, m->global, p, i);
	return true;
}

/* Of two visibilities the stricter one holds (System V ABI, "Symbol Table"). */
static unsigned char stricter(unsigned char a, unsigned char b)
{
	return a == STV_DEFAULT || (b != STV_DEFAULT && b < a) ? b : a;
}

/* A local symbol of another part; 0: there is none. */
static uint32_t find_local(ElfJoin *j, uint32_t part, Str name)
{
	const JoinLocal *l = join_find_local(elf_meaning(elf_name(j, name))->locals, part);
	return l ? j->parts[part].map[l->symbol] : 0;
}

/* A symbol that the part does not define, or in a group that was left out. False: nobody knows which one it is:
 * what only assembly names may be local to another part, or have the name of what LLVM made there. */
static bool add_reference(ElfJoin *j, ElfPart *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const Name *name = elf_name(j, str_of(elf_symbol_text(p, i)));
	ElfMeaning *m = elf_meaning(name);
	uint32_t part;
	Str local;
	if (join_is_of_part(name_str(name), j->prefixes.of_part, &part, &local))
		return (p->map[i] = find_local(j, part, local)) != 0;
	if (!m->global && m->locals)
		return false;
	if (!m->global) {
		Elf64_Sym undefined = {.st_info = s->st_info, .st_other = s->st_other};
		m->global = add_symbol(j, name, &undefined, 0);
	}
	p->map[i] = m->global;
	Elf64_Sym *d = &j->symbols.data[p->map[i]];
	d->st_other = stricter(d->st_other & 3, s->st_other & 3);
	bool undefined = d->st_shndx == SHN_UNDEF && !j->symbol_sections.data[p->map[i]];
	if (undefined && ELF64_ST_BIND(s->st_info) != STB_WEAK)
		d->st_info = s->st_info;
	return true;
}

/* Of each part: those numbers are sh_info of its table. */
static uint32_t first_global(const ElfPart *p)
{
	uint32_t n = p->sections[p->symtab].h->sh_info;
	return n < p->nsymbols ? n : p->nsymbols;
}

bool elf_join_symbols(ElfJoin *j)
{
	add_symbol(j, NULL, &(Elf64_Sym){0}, 0);
	for (uint32_t k = 0; k < j->nparts; k++)
		for (uint32_t i = 1; i < first_global(&j->parts[k]); i++)
			add_local(j, &j->parts[k], i);
	j->nlocals = j->symbols.len;
	for (uint32_t k = 0; k < j->nparts; k++)
		for (uint32_t i = first_global(&j->parts[k]); i < j->parts[k].nsymbols; i++)
			if (is_definition(&j->parts[k], i) && !add_definition(j, &j->parts[k], i))
				return false;
	for (uint32_t k = 0; k < j->nparts; k++)
		for (uint32_t i = first_global(&j->parts[k]); i < j->parts[k].nsymbols; i++)
			if (!is_definition(&j->parts[k], i) && !add_reference(j, &j->parts[k], i))
				return false;
	return true;
}
