/* join/coff_read.c: the tables of an object. Nothing in them is believed before it is looked at. */
#include "join/coff.h"

const uint8_t coff_big_uuid[16] = {0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b,
                                   0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8};

typedef struct Tables {
	uint64_t sections, symbols;
	uint32_t symbol_size;
} Tables;

/* The header. */

static bool read_big(CoffPart *p, Tables *t)
{
	const CoffBigHeader *h = (const void *)join_at(p->bytes, 0, sizeof *h);
	if (!h || h->zero != 0 || h->ones != 0xffff || h->version < COFF_BIG_VERSION ||
	    h->machine != COFF_X86_64 || memcmp(h->uuid, coff_big_uuid, sizeof h->uuid) != 0)
		return false;
	*t = (Tables){sizeof *h, h->symbols, sizeof(CoffBigSymbol)};
	p->big = true;
	p->nsections = h->nsections;
	p->nsymbols = h->nsymbols;
	return true;
}

static bool read_small(CoffPart *p, Tables *t)
{
	const CoffHeader *h = (const void *)join_at(p->bytes, 0, sizeof *h);
	if (!h || h->machine != COFF_X86_64 || h->optional)
		return false;
	*t = (Tables){sizeof *h, h->symbols, sizeof(CoffSymbol)};
	p->nsections = h->nsections;
	p->nsymbols = h->nsymbols;
	return true;
}

/* The string table stands behind the symbols and begins with its size, which counts those four bytes, too. */
static bool read_strings(CoffPart *p, const Tables *t)
{
	uint64_t offset = t->symbols + (uint64_t)p->nsymbols * t->symbol_size;
	const char *begin = join_at(p->bytes, offset, sizeof(uint32_t));
	uint32_t size = 0;
	if (!begin || !join_at(p->bytes, t->symbols, (uint64_t)p->nsymbols * t->symbol_size))
		return false;
	memcpy(&size, begin, sizeof size);
	p->strings = (Str){begin, size};
	return size >= sizeof size && join_at(p->bytes, offset, size);
}

static const Name *name_at(CoffJoin *j, const CoffPart *p, uint64_t offset)
{
	const char *text = offset < sizeof(uint32_t) ? NULL : join_string(p->strings, offset);
	return text ? coff_name(j, str_of(text)) : NULL;
}

/* Sections. */

/* "/" and a decimal offset in the string table, or "//" and six digits to the base of 64. */
static bool offset_of_name(Str digits, uint64_t *offset)
{
	static const char table[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	bool large = str_begins_with(digits, STR("/"));
	const char *first = large ? table : table + 52;
	uint64_t base = large ? 64 : 10;
	*offset = 0;
	for (size_t i = large; i < digits.len; i++) {
		const char *digit = memchr(first, digits.data[i], base);
		if (!digit)
			return false;
		*offset = *offset * base + (uint64_t)(digit - first);
	}
	return digits.len > (large ? 1 : 0);
}

static const Name *section_name(CoffJoin *j, const CoffPart *p, const CoffSection *h)
{
	Str s = {h->name, strnlen(h->name, sizeof h->name)};
	uint64_t offset;
	if (!str_begins_with(s, STR("/")))
		return coff_name(j, s);
	return offset_of_name((Str){s.data + 1, s.len - 1}, &offset) ? name_at(j, p, offset) : NULL;
}

/* Where the header has no room for the number of relocations, the first one has it, itself counted. */
static bool read_relocations(const CoffPart *p, CoffIn *in)
{
	const CoffSection *h = in->h;
	uint64_t n = h->nrelocations, skipped = 0;
	if ((h->flags & COFF_MORE_RELOCATIONS) && n == COFF_RELOCATIONS_MAX) {
		const CoffRelocation *first = (const void *)join_at(p->bytes, h->relocations, sizeof *first);
		if (!first || !first->address)
			return false;
		n = first->address - 1;
		skipped = 1;
	}
	in->nrelocations = (uint32_t)n;
	in->relocations = (const void *)join_at(p->bytes, h->relocations + skipped * sizeof(CoffRelocation),
	                                        n * sizeof(CoffRelocation));
	return in->relocations != NULL;
}

/* What numbers symbols or types where no relocation says so. */
static bool is_known(const Name *name)
{
	static const char *const numbering[] = {".debug$", ".llvm",   ".gfids$",
	                                        ".giats$", ".gljmp$", ".gehcont$"};
	for (size_t i = 0; i < ARRAY_LEN(numbering); i++)
		if (str_begins_with(name_str(name), str_of(numbering[i])))
			return false;
	return true;
}

static bool read_section(CoffJoin *j, const CoffPart *p, CoffIn *in)
{
	bool zeros = (in->h->flags & COFF_ZEROS) != 0;
	in->name = section_name(j, p, in->h);
	in->data = zeros || !in->h->size ? NULL : join_at(p->bytes, in->h->data, in->h->size);
	if (!in->name || !is_known(in->name) || in->h->nlines || (!zeros && in->h->size && !in->data))
		return false;
	if (zeros || !in->h->nrelocations)
		return !in->h->nrelocations;
	return read_relocations(p, in);
}

static bool read_sections(CoffJoin *j, CoffPart *p, const Tables *t)
{
	uint32_t n = p->nsections;
	const CoffSection *headers =
	    (const void *)join_at(p->bytes, t->sections, (uint64_t)n * sizeof *headers);
	if (!headers)
		return false;
	p->sections = arena_array(j->mem, CoffIn, n + 1u);
	for (uint32_t i = 1; i <= n; i++) {
		p->sections[i].h = &headers[i - 1];
		if (!read_section(j, p, &p->sections[i]))
			return false;
	}
	return true;
}

/* Symbols. */

static const Name *symbol_name(CoffJoin *j, const CoffPart *p, const char text[8])
{
	CoffName at;
	memcpy(&at, text, sizeof at);
	return at.zero ? coff_name(j, (Str){text, strnlen(text, 8)}) : name_at(j, p, at.offset);
}

static CoffBigSymbol record(const CoffPart *p, const char *at)
{
	CoffBigSymbol big;
	CoffSymbol small;
	if (p->big) {
		memcpy(&big, at, sizeof big);
		return big;
	}
	memcpy(&small, at, sizeof small);
	big = (CoffBigSymbol){.value = small.value,
	                      .section =
	                          small.section > COFF_SECTIONS_MAX ? small.section - 0x10000 : small.section,
	                      .type = small.type,
	                      .class = small.class,
	                      .naux = small.naux};
	memcpy(big.name, small.name, sizeof big.name);
	return big;
}

/* The symbol that stands for a section says what kind of COMDAT it is. */
static bool define_section(CoffPart *p, CoffInSymbol *s)
{
	CoffSectionAux aux;
	CoffIn *in = &p->sections[s->section];
	memcpy(&aux, s->aux, sizeof aux);
	if (in->defined || s->value || s->name != in->name || s->naux != 1)
		return false;
	s->defines_section = true;
	in->defined = true;
	if (!(in->h->flags & COFF_COMDAT))
		return true;
	in->selection = aux.selection;
	if (aux.selection == COFF_ASSOCIATIVE)
		in->leader = aux.number | (p->big ? (uint32_t)aux.number_high << 16 : 0);
	return true;
}

static bool check_symbol(CoffPart *p, CoffInSymbol *s)
{
	if (s->section < COFF_DEBUG || s->section > (int64_t)p->nsections)
		return false;
	if (s->class == COFF_FILE)
		return s->section == COFF_DEBUG && s->naux;
	if (s->section == COFF_DEBUG)
		return false;
	if (s->class == COFF_WEAK)
		return s->section == COFF_UNDEFINED && s->naux == 1;
	if (s->class == COFF_STATIC && s->naux && s->section > 0)
		return define_section(p, s);
	if (s->naux || (s->class != COFF_EXTERNAL && s->class != COFF_STATIC && s->class != COFF_LABEL))
		return false;
	if (s->section <= 0)
		return true;
	CoffIn *in = &p->sections[s->section];
	if (!in->key && in->defined && s->class == COFF_EXTERNAL)
		in->key = s->name;
	return in->defined;
}

static bool read_symbols(CoffJoin *j, CoffPart *p, const Tables *t)
{
	p->symbols = arena_array(j->mem, CoffInSymbol, p->nsymbols);
	for (uint32_t i = 0; i < p->nsymbols; i++) {
		const char *at = p->bytes.data + t->symbols + (uint64_t)i * t->symbol_size;
		CoffBigSymbol r = record(p, at);
		CoffInSymbol *s = &p->symbols[i];
		s->name = symbol_name(j, p, r.name);
		s->value = r.value;
		s->section = r.section;
		s->type = r.type;
		s->class = r.class;
		s->naux = r.naux;
		s->aux = at + t->symbol_size;
		if (!s->name || r.naux >= p->nsymbols - i || !check_symbol(p, s))
			return false;
		i += r.naux;
	}
	return true;
}

/* What LLVM makes for `.weak name`, unless it stands for another symbol. */
static bool is_made_default(const Name *weak, const Name *name)
{
	Str head = STR(".weak."), text = name_str(name);
	return str_begins_with(text, head) &&
	       str_begins_with((Str){text.data + head.len, text.len - head.len}, name_str(weak)) &&
	       str_begins_with((Str){text.data + head.len + weak->len, text.len - head.len - weak->len},
	                       STR(".default"));
}

static bool find_defaults(CoffPart *p)
{
	for (uint32_t i = 0; i < p->nsymbols; i++) {
		CoffInSymbol *s = &p->symbols[i];
		CoffWeakAux aux;
		if (!s->name || s->class != COFF_WEAK)
			continue;
		memcpy(&aux, s->aux, sizeof aux);
		s->weak = aux.symbol < p->nsymbols ? &p->symbols[aux.symbol] : NULL;
		if (!s->weak || !s->weak->name || s->weak->class != COFF_EXTERNAL)
			return false;
		s->search = aux.search;
		s->weak->is_default = is_made_default(s->name, s->weak->name);
	}
	return true;
}

/* A section without a symbol of its own could not be referred to; an associative COMDAT
 * goes with one that is none. */
static bool check_sections(const CoffPart *p)
{
	for (uint32_t i = 1; i <= p->nsections; i++) {
		const CoffIn *in = &p->sections[i];
		if (!in->defined || (in->selection == COFF_ASSOCIATIVE &&
		                     (!in->leader || in->leader > p->nsections ||
		                      p->sections[in->leader].selection == COFF_ASSOCIATIVE)))
			return false;
	}
	return true;
}

bool coff_read(CoffJoin *j, CoffPart *p)
{
	Tables t;
	return (read_big(p, &t) || read_small(p, &t)) && read_strings(p, &t) && read_sections(j, p, &t) &&
	       read_symbols(j, p, &t) && find_defaults(p) && check_sections(p);
}

const Name *coff_name(CoffJoin *j, Str text)
{
	return join_name(&j->names, text, sizeof(CoffMeaning));
}
