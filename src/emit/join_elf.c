/* emit/join_elf.c: emit/join.h for ELF (System V ABI, chapters 4 and 5; x86_64: relocations with addends).
 *
 *   1  open     each part's tables, checked
 *   2  groups   of a name that was there before are left out with their sections
 *   3  sections get their places in those of the result
 *   4  symbols  local ones, then global ones, numbered anew
 *   5  write    headers, contents, relocations with their numbers changed
 */
#include "base/name.h"
#include "base/vec.h"
#include "emit/join_format.h"

#include <elf.h>
#include <stdlib.h>

enum { LEFT_OUT = INT32_MAX }; /* no number of a section or a symbol */

/* A section of the result: of one in a part, or of all that are like it. */
typedef struct Out {
	Elf64_Shdr h; /* sh_link, sh_info: of the result, once all numbers are known */
	const Name *name;
	uint32_t number;
	uint32_t symbol; /* the section's own, or 0 */
	uint32_t other;  /* SHT_RELA: the section that is relocated; that one: its relocations, or 0 */
	struct Out *next_of_name;
} Out;

typedef struct In {
	const Elf64_Shdr *h;
	const char *name;
	uint32_t out; /* number in the result, LEFT_OUT, or 0: there is one for all parts */
	uint64_t shift;
} In;

typedef struct Part {
	Str bytes;
	In *sections;
	uint32_t nsections;
	const Elf64_Sym *symbols;
	uint32_t nsymbols, symtab;
	const uint32_t *extended; /* SHT_SYMTAB_SHNDX, or NULL */
	uint64_t nextended;
	Str names;     /* of symbols */
	uint32_t *map; /* symbols to those of the result */
} Part;

/* What a name stands for. */
typedef struct Meaning {
	uint32_t local, global, file; /* symbols of the result, 0: none */
	uint32_t offset;              /* in the string table, 0: not yet */
	Out *sections;
	bool group; /* one of that name is there */
} Meaning;

typedef struct Join {
	Arena *mem;
	Part *parts;
	uint32_t nparts;
	Str prefix;
	NameTable names;
	VEC(Out *) out; /* by number */
	VEC(Elf64_Sym) symbols;
	VEC(uint32_t) symbol_sections; /* of each, as st_shndx has no room for all */
	VEC(const Name *) symbol_names;
	uint32_t nlocals;
	StrBuf strings;
	uint32_t symtab, extended, strtab; /* sections */
	char *bytes;
} Join;

static const Name *intern(Join *j, Str s)
{
	Name *name = name_intern(&j->names, s);
	if (!name->symbol)
		name->symbol = arena_new(j->mem, Meaning);
	return name;
}

static Meaning *meaning(const Name *name)
{
	return name->symbol;
}

/* ---- 1: the parts ---- */

static const void *at(const Part *p, uint64_t offset, uint64_t size, uint64_t align)
{
	bool fits = offset <= p->bytes.len && size <= p->bytes.len - offset && offset % align == 0;
	return fits ? p->bytes.data + offset : NULL;
}

static const void *contents(const Part *p, const Elf64_Shdr *h, uint64_t align)
{
	return at(p, h->sh_offset, h->sh_size, align);
}

/* The string at an offset; NULL: it has no end. */
static const char *string(Str table, uint64_t offset)
{
	return offset < table.len && memchr(table.data + offset, 0, table.len - offset) ? table.data + offset
	                                                                                : NULL;
}

static bool table(const Part *p, uint32_t section, uint32_t type, Str *out)
{
	if (section >= p->nsections || p->sections[section].h->sh_type != type)
		return false;
	out->data = contents(p, p->sections[section].h, 1);
	out->len = p->sections[section].h->sh_size;
	return out->data != NULL;
}

static bool open_sections(Join *j, Part *p)
{
	const Elf64_Ehdr *h = at(p, 0, sizeof *h, 1);
	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL || h->e_machine != EM_X86_64 ||
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
	p->sections = arena_array(j->mem, In, n);
	for (uint32_t i = 0; i < n; i++)
		p->sections[i].h = first + i;
	Str strings;
	if (!table(p, names, SHT_STRTAB, &strings))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!(p->sections[i].name = string(strings, first[i].sh_name)))
			return false;
	return true;
}

/* The section of a symbol; 0: undefined, absolute, common. */
static uint32_t section_of(const Part *p, uint32_t symbol)
{
	uint32_t n = p->symbols[symbol].st_shndx;
	if (n == SHN_XINDEX)
		n = p->extended[symbol];
	else if (n >= SHN_LORESERVE)
		n = 0;
	return n;
}

static bool open_symbols(Join *j, Part *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		const Elf64_Shdr *h = p->sections[i].h;
		if (h->sh_type == SHT_SYMTAB) {
			p->symtab = i;
			p->symbols = contents(p, h, _Alignof(Elf64_Sym));
			p->nsymbols = (uint32_t)(h->sh_size / sizeof *p->symbols);
		} else if (h->sh_type == SHT_SYMTAB_SHNDX) {
			p->extended = contents(p, h, _Alignof(uint32_t));
			p->nextended = h->sh_size / sizeof *p->extended;
		}
	}
	if (p->extended && p->nextended < p->nsymbols)
		return false;
	if (!p->symbols || !table(p, p->sections[p->symtab].h->sh_link, SHT_STRTAB, &p->names))
		return false;
	for (uint32_t i = 0; i < p->nsymbols; i++)
		if (!string(p->names, p->symbols[i].st_name) ||
		    (p->symbols[i].st_shndx == SHN_XINDEX && !p->extended) ||
		    section_of(p, i) >= p->nsections)
			return false;
	p->map = arena_array(j->mem, uint32_t, p->nsymbols);
	return true;
}

static const char *symbol_text(const Part *p, uint32_t symbol)
{
	return p->names.data + p->symbols[symbol].st_name;
}

/* ---- 2: groups ---- */

static bool drop_group(Part *p, In *group)
{
	const uint32_t *words = contents(p, group->h, _Alignof(uint32_t));
	size_t n = group->h->sh_size / sizeof *words;
	if (!words)
		return false;
	group->out = LEFT_OUT;
	for (size_t i = 1; i < n; i++) {
		if (words[i] >= p->nsections)
			return false;
		p->sections[words[i]].out = LEFT_OUT;
	}
	return true;
}

static bool find_groups(Join *j, Part *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		const Elf64_Shdr *h = p->sections[i].h;
		if (h->sh_type != SHT_GROUP)
			continue;
		if (h->sh_info >= p->nsymbols)
			return false;
		Meaning *m = meaning(intern(j, str_of(symbol_text(p, h->sh_info))));
		if (m->group && !drop_group(p, &p->sections[i]))
			return false;
		m->group = true;
	}
	return true;
}

/* ---- 3: sections ---- */

/* Written for the result as a whole. */
static bool is_table(const Elf64_Shdr *h)
{
	return h->sh_type == SHT_NULL || h->sh_type == SHT_SYMTAB || h->sh_type == SHT_STRTAB ||
	       h->sh_type == SHT_SYMTAB_SHNDX;
}

static Out *add_out(Join *j, const char *name, const Elf64_Shdr *like)
{
	Out *o = arena_new(j->mem, Out);
	o->h = (Elf64_Shdr){.sh_type = like->sh_type,
	                    .sh_flags = like->sh_flags,
	                    .sh_entsize = like->sh_entsize,
	                    .sh_addralign = like->sh_addralign};
	o->name = intern(j, str_of(name));
	o->number = j->out.len;
	vec_push(j->mem, &j->out, o);
	return o;
}

static Out *find_like(Join *j, const In *in)
{
	const Elf64_Shdr *h = in->h;
	Meaning *m = meaning(intern(j, str_of(in->name)));
	bool alone = (h->sh_flags & (SHF_GROUP | SHF_LINK_ORDER)) != 0 || h->sh_type == SHT_GROUP;
	for (Out *o = alone ? NULL : m->sections; o; o = o->next_of_name)
		if (o->h.sh_type == h->sh_type && o->h.sh_flags == h->sh_flags &&
		    o->h.sh_entsize == h->sh_entsize)
			return o;
	Out *o = add_out(j, in->name, h);
	if (!alone) {
		o->next_of_name = m->sections;
		m->sections = o;
	}
	return o;
}

static void place(Out *o, In *in)
{
	uint64_t align = in->h->sh_addralign ? in->h->sh_addralign : 1;
	in->out = o->number;
	in->shift = (o->h.sh_size + align - 1) & ~(align - 1);
	o->h.sh_size = in->shift + in->h->sh_size;
	if (o->h.sh_addralign < align)
		o->h.sh_addralign = align;
}

/* LLVM writes a section before its relocations. */
static bool place_relocations(Join *j, const Part *p, In *in)
{
	uint32_t target = in->h->sh_info;
	if (target >= p->nsections || !p->sections[target].out || in->h->sh_size % sizeof(Elf64_Rela))
		return false;
	if (p->sections[target].out == LEFT_OUT) {
		in->out = LEFT_OUT;
		return true;
	}
	Out *to = j->out.data[p->sections[target].out];
	Out *o = to->other ? j->out.data[to->other] : add_out(j, in->name, in->h);
	to->other = o->number;
	o->other = to->number;
	place(o, in);
	return true;
}

/* Sums of these stay what they are in 64 bits, and records that are written have their alignment. */
static bool is_reasonable(const Elf64_Shdr *h)
{
	uint64_t least = h->sh_type == SHT_RELA    ? _Alignof(Elf64_Rela)
	                 : h->sh_type == SHT_GROUP ? _Alignof(uint32_t)
	                                           : 0;
	return h->sh_addralign >= least && h->sh_size <= UINT64_C(1) << 48 &&
	       h->sh_addralign <= UINT64_C(1) << 32 && (h->sh_addralign & (h->sh_addralign - 1)) == 0;
}

static bool place_sections(Join *j, Part *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		In *in = &p->sections[i];
		const Elf64_Shdr *h = in->h;
		if (in->out == LEFT_OUT || is_table(h))
			continue;
		if (h->sh_type == SHT_REL || !is_reasonable(h) ||
		    (h->sh_type != SHT_NOBITS && !contents(p, h, 1)))
			return false;
		if (h->sh_type != SHT_RELA)
			place(find_like(j, in), in);
		else if (!place_relocations(j, p, in))
			return false;
	}
	return true;
}

/* ---- 4: symbols ---- */

static uint32_t add_symbol(Join *j, const Name *name, const Elf64_Sym *like, uint32_t section)
{
	Elf64_Sym s = *like;
	s.st_name = 0;
	vec_push(j->mem, &j->symbols, s);
	vec_push(j->mem, &j->symbol_sections, section);
	vec_push(j->mem, &j->symbol_names, name);
	return j->symbols.len - 1;
}

static void set_definition(Join *j, uint32_t to, const Part *p, uint32_t symbol)
{
	const Elf64_Sym *s = &p->symbols[symbol];
	const In *in = &p->sections[section_of(p, symbol)];
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

static uint32_t section_symbol(Join *j, uint32_t out)
{
	Out *o = j->out.data[out];
	if (!o->symbol)
		o->symbol =
		    add_symbol(j, NULL, &(Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION)}, out);
	return o->symbol;
}

static const Name *local_name(Join *j, const char *text)
{
	bool was_private = strncmp(text, j->prefix.data, j->prefix.len) == 0;
	if (was_private)
		text = arena_printf(j->mem, ".L%s", text + j->prefix.len);
	return intern(j, str_of(text));
}

static uint32_t file_symbol(Join *j, const Name *name, const Elf64_Sym *s)
{
	Meaning *m = meaning(name);
	if (!m->file)
		m->file = add_symbol(j, name, s, 0);
	return m->file;
}

static void add_local(Join *j, Part *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const char *text = symbol_text(p, i);
	uint32_t section = section_of(p, i), out = p->sections[section].out;
	Meaning *own = meaning(intern(j, str_of(text)));
	if (section && out == LEFT_OUT) {
		p->map[i] = LEFT_OUT;
	} else if (ELF64_ST_TYPE(s->st_info) == STT_SECTION) {
		p->map[i] = section_symbol(j, out);
	} else if (ELF64_ST_TYPE(s->st_info) == STT_FILE) {
		p->map[i] = file_symbol(j, intern(j, str_of(text)), s);
	} else {
		p->map[i] = add_symbol(j, local_name(j, text), s, 0);
		set_definition(j, p->map[i], p, i);
		if (!own->local)
			own->local = p->map[i];
	}
}

static bool is_definition(const Part *p, uint32_t i)
{
	uint32_t section = section_of(p, i);
	return p->symbols[i].st_shndx != SHN_UNDEF && (!section || p->sections[section].out != LEFT_OUT);
}

/* False: it is defined twice. */
static bool add_definition(Join *j, Part *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const Name *name = intern(j, str_of(symbol_text(p, i)));
	Meaning *m = meaning(name);
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

/* A symbol that the part does not define, or in a group that was left out. */
static void add_reference(Join *j, Part *p, uint32_t i)
{
	const Elf64_Sym *s = &p->symbols[i];
	const Name *name = intern(j, str_of(symbol_text(p, i)));
	Meaning *m = meaning(name);
	p->map[i] = m->global ? m->global : m->local;
	if (!p->map[i]) {
		Elf64_Sym undefined = {.st_info = s->st_info, .st_other = s->st_other};
		p->map[i] = m->global = add_symbol(j, name, &undefined, 0);
	}
	Elf64_Sym *d = &j->symbols.data[p->map[i]];
	d->st_other = stricter(d->st_other & 3, s->st_other & 3);
	bool undefined = d->st_shndx == SHN_UNDEF && !j->symbol_sections.data[p->map[i]];
	if (undefined && ELF64_ST_BIND(s->st_info) != STB_WEAK)
		d->st_info = s->st_info;
}

/* Of each part: those numbers are sh_info of its table. */
static uint32_t first_global(const Part *p)
{
	uint32_t n = p->sections[p->symtab].h->sh_info;
	return n < p->nsymbols ? n : p->nsymbols;
}

static bool add_symbols(Join *j)
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
			if (!is_definition(&j->parts[k], i))
				add_reference(j, &j->parts[k], i);
	return true;
}

/* ---- 5: the result ---- */

static uint32_t add_string(Join *j, const Name *name)
{
	Meaning *m = name ? meaning(name) : NULL;
	if (!m || !name->len)
		return 0;
	if (!m->offset) {
		m->offset = j->strings.len;
		buf_put(j->mem, &j->strings, (Str){name->text, name->len + 1});
	}
	return m->offset;
}

/* The tables stand behind the sections; the one for large section numbers only where it is needed. */
static void add_tables(Join *j)
{
	Elf64_Shdr symtab = {.sh_type = SHT_SYMTAB, .sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8};
	Elf64_Shdr extended = {.sh_type = SHT_SYMTAB_SHNDX, .sh_entsize = 4, .sh_addralign = 4};
	Elf64_Shdr strtab = {.sh_type = SHT_STRTAB, .sh_addralign = 1};
	uint32_t nsections = j->out.len;
	j->symtab = add_out(j, ".symtab", &symtab)->number;
	if (nsections >= SHN_LORESERVE)
		j->extended = add_out(j, ".symtab_shndx", &extended)->number;
	j->strtab = add_out(j, ".strtab", &strtab)->number;
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

static uint64_t place_in_file(Join *j)
{
	uint64_t end = sizeof(Elf64_Ehdr);
	for (uint32_t i = 1; i < j->out.len; i++) {
		Elf64_Shdr *h = &j->out.data[i]->h;
		uint64_t align = h->sh_addralign ? h->sh_addralign : 1;
		end = (end + align - 1) & ~(align - 1);
		h->sh_offset = end;
		end += h->sh_type == SHT_NOBITS ? 0 : h->sh_size;
	}
	return (end + 7) & ~UINT64_C(7);
}

static char *place_of(const Join *j, const In *in)
{
	return j->bytes + j->out.data[in->out]->h.sh_offset + in->shift;
}

static bool write_group(const Join *j, const Part *p, const In *in)
{
	const uint32_t *words = contents(p, in->h, _Alignof(uint32_t));
	uint32_t *to = (uint32_t *)(void *)place_of(j, in);
	size_t n = in->h->sh_size / sizeof *words;
	Elf64_Shdr *h = &j->out.data[in->out]->h;
	if (!words || !n)
		return false;
	to[0] = words[0];
	for (size_t i = 1; i < n; i++) {
		uint32_t out = words[i] < p->nsections ? p->sections[words[i]].out : LEFT_OUT;
		if (out == LEFT_OUT)
			return false;
		to[i] = out;
	}
	h->sh_link = j->symtab;
	h->sh_info = p->map[in->h->sh_info];
	return h->sh_info != LEFT_OUT;
}

static bool write_relocations(const Join *j, const Part *p, const In *in)
{
	const Elf64_Rela *from = contents(p, in->h, _Alignof(Elf64_Rela));
	Elf64_Rela *to = (Elf64_Rela *)(void *)place_of(j, in);
	uint64_t shift = p->sections[in->h->sh_info].shift;
	Out *o = j->out.data[in->out];
	if (!from)
		return false;
	for (size_t n = in->h->sh_size / sizeof *from, i = 0; i < n; i++) {
		uint32_t symbol = (uint32_t)ELF64_R_SYM(from[i].r_info);
		if (symbol >= p->nsymbols || p->map[symbol] == LEFT_OUT)
			return false;
		to[i] = from[i];
		to[i].r_offset += shift;
		to[i].r_info = ELF64_R_INFO((uint64_t)p->map[symbol], ELF64_R_TYPE(from[i].r_info));
		if (ELF64_ST_TYPE(p->symbols[symbol].st_info) == STT_SECTION)
			to[i].r_addend += (int64_t)p->sections[section_of(p, symbol)].shift;
	}
	o->h.sh_link = j->symtab;
	o->h.sh_info = o->other;
	return true;
}

static bool write_section(const Join *j, const Part *p, const In *in)
{
	Elf64_Shdr *h = &j->out.data[in->out]->h;
	if (h->sh_type == SHT_GROUP)
		return write_group(j, p, in);
	if (h->sh_type == SHT_RELA)
		return write_relocations(j, p, in);
	if (h->sh_type != SHT_NOBITS && in->h->sh_size)
		memcpy(place_of(j, in), contents(p, in->h, 1), in->h->sh_size);
	if (h->sh_flags & SHF_LINK_ORDER) {
		if (in->h->sh_link >= p->nsections || p->sections[in->h->sh_link].out == LEFT_OUT)
			return false;
		h->sh_link = p->sections[in->h->sh_link].out;
	}
	return true;
}

/* What stands between the functions of two parts is never executed; assemblers have no-ops there. */
static void fill_code(const Join *j)
{
	enum { X86_NOP = 0x90 };
	for (uint32_t i = 1; i < j->out.len; i++)
		if (j->out.data[i]->h.sh_type != SHT_NOBITS && (j->out.data[i]->h.sh_flags & SHF_EXECINSTR))
			memset(j->bytes + j->out.data[i]->h.sh_offset, X86_NOP, j->out.data[i]->h.sh_size);
}

static bool write_sections(const Join *j)
{
	fill_code(j);
	for (uint32_t k = 0; k < j->nparts; k++) {
		const Part *p = &j->parts[k];
		for (uint32_t i = 0; i < p->nsections; i++)
			if (p->sections[i].out && p->sections[i].out != LEFT_OUT &&
			    !write_section(j, p, &p->sections[i]))
				return false;
	}
	return true;
}

static void write_table(const Join *j, uint32_t section, const void *data)
{
	const Elf64_Shdr *h = &j->out.data[section]->h;
	memcpy(j->bytes + h->sh_offset, data, h->sh_size);
}

/* Numbers that their fields have no room for stand in the first section header. */
static void write_headers(const Join *j, uint64_t table)
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

static JoinResult write_all(Join *j, Str *object)
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

static JoinResult join_all(Join *j, Str *object)
{
	bool ok = true;
	add_out(j, "", &(Elf64_Shdr){0});
	for (uint32_t k = 0; k < j->nparts && ok; k++)
		ok = open_sections(j, &j->parts[k]) && open_symbols(j, &j->parts[k]) &&
		     find_groups(j, &j->parts[k]) && place_sections(j, &j->parts[k]);
	return ok && add_symbols(j) ? write_all(j, object) : JOIN_UNFIT;
}

JoinResult join_elf(const Str *parts, uint32_t n, const char *prefix, Arena *mem, Str *object)
{
	Join j = {.mem = mem, .parts = arena_array(mem, Part, n), .nparts = n, .prefix = str_of(prefix)};
	names_init(&j.names, mem);
	for (uint32_t k = 0; k < n; k++)
		j.parts[k].bytes = parts[k];
	return join_all(&j, object);
}
