/* join/elf.c: join/join.h for ELF (System V ABI, chapters 4 and 5; x86_64 and AArch64: relocations with addends).
 *
 *   1  read     each part's tables (join/elf_read.c)
 *   2  groups   of a name that was there before are left out with their sections
 *   3  sections get their places in those of the result; the note about the object's properties is there once
 *   4  symbols  local ones, then global ones, numbered anew (join/elf_symbols.c)
 *   5  write    headers, contents, relocations with their numbers changed (join/elf_write.c)
 */
#include "join/elf.h"

/* ---- groups ---- */

static bool drop_group(ElfPart *p, ElfIn *group)
{
	const uint32_t *words = elf_contents(p, group->h, _Alignof(uint32_t));
	size_t n = group->h->sh_size / sizeof *words;
	if (!words)
		return false;
	group->out = ELF_LEFT_OUT;
	for (size_t i = 1; i < n; i++) {
		if (words[i] >= p->nsections)
			return false;
		p->sections[words[i]].out = ELF_LEFT_OUT;
	}
	return true;
}

static bool find_groups(ElfJoin *j, ElfPart *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		const Elf64_Shdr *h = p->sections[i].h;
		if (h->sh_type != SHT_GROUP)
			continue;
		if (h->sh_info >= p->nsymbols)
			return false;
		ElfMeaning *m = elf_meaning(elf_name(j, str_of(elf_symbol_text(p, h->sh_info))));
		if (m->group && !drop_group(p, &p->sections[i]))
			return false;
		m->group = true;
	}
	return true;
}

/* ---- sections ---- */

/* Written for the result as a whole. */
static bool is_table(const Elf64_Shdr *h)
{
	return h->sh_type == SHT_NULL || h->sh_type == SHT_SYMTAB || h->sh_type == SHT_STRTAB ||
	       h->sh_type == SHT_SYMTAB_SHNDX;
}

static ElfOut *find_like(ElfJoin *j, const ElfIn *in)
{
	const Elf64_Shdr *h = in->h;
	ElfMeaning *m = elf_meaning(elf_name(j, str_of(in->name)));
	bool alone = (h->sh_flags & (SHF_GROUP | SHF_LINK_ORDER)) != 0 || h->sh_type == SHT_GROUP;
	for (ElfOut *o = alone ? NULL : m->sections; o; o = o->next_of_name)
		if (o->h.sh_type == h->sh_type && o->h.sh_flags == h->sh_flags &&
		    o->h.sh_entsize == h->sh_entsize)
			return o;
	ElfOut *o = elf_add_section(j, in->name, h);
	if (!alone) {
		o->next_of_name = m->sections;
		m->sections = o;
	}
	return o;
}

/* What the module's flags say of the object: each part has the same note, and linkers want one. */
static bool is_there_already(const ElfOut *o, const ElfIn *in)
{
	return o->h.sh_size && strcmp(in->name, ".note.gnu.property") == 0;
}

static void place(ElfOut *o, ElfIn *in)
{
	uint64_t align = in->h->sh_addralign ? in->h->sh_addralign : 1;
	in->out = o->number;
	in->shift = join_align(o->h.sh_size, align);
	o->h.sh_size = in->shift + in->h->sh_size;
	if (o->h.sh_addralign < align)
		o->h.sh_addralign = align;
}

/* LLVM writes a section before its relocations. */
static bool place_relocations(ElfJoin *j, const ElfPart *p, ElfIn *in)
{
	uint32_t target = in->h->sh_info;
	if (target >= p->nsections || !p->sections[target].out || in->h->sh_size % sizeof(Elf64_Rela))
		return false;
	if (p->sections[target].out == ELF_LEFT_OUT) {
		in->out = ELF_LEFT_OUT;
		return true;
	}
	ElfOut *to = j->out.data[p->sections[target].out];
	ElfOut *o = to->other ? j->out.data[to->other] : elf_add_section(j, in->name, in->h);
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

static bool place_sections(ElfJoin *j, ElfPart *p)
{
	for (uint32_t i = 0; i < p->nsections; i++) {
		ElfIn *in = &p->sections[i];
		const Elf64_Shdr *h = in->h;
		if (in->out == ELF_LEFT_OUT || is_table(h))
			continue;
		if (h->sh_type == SHT_REL || !is_reasonable(h) ||
		    (h->sh_type != SHT_NOBITS && !elf_contents(p, h, 1)))
			return false;
		ElfOut *like = h->sh_type != SHT_RELA ? find_like(j, in) : NULL;
		if (like && is_there_already(like, in))
			in->out = ELF_LEFT_OUT;
		else if (like)
			place(like, in);
		else if (!place_relocations(j, p, in))
			return false;
	}
	return true;
}

/* ---- all ---- */

static JoinResult join_all(ElfJoin *j, Str *object)
{
	bool ok = true;
	elf_add_section(j, "", &(Elf64_Shdr){0});
	for (uint32_t k = 0; k < j->nparts && ok; k++)
		ok = elf_read(j, &j->parts[k]) && find_groups(j, &j->parts[k]) &&
		     place_sections(j, &j->parts[k]);
	return ok && elf_join_symbols(j) ? elf_write(j, object) : JOIN_UNFIT;
}

JoinResult join_elf(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Arena *mem, Str *object)
{
	ElfJoin j = {.mem = mem, .parts = arena_array(mem, ElfPart, n), .nparts = n, .prefixes = *prefixes};
	names_init(&j.names, mem);
	for (uint32_t k = 0; k < n; k++)
		j.parts[k].bytes = parts[k];
	return join_all(&j, object);
}
