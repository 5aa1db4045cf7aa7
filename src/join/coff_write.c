/* join/coff_write.c: the object. As LLVM's own: the header, those of the sections, each section's
 * contents and its relocations, the symbols, the strings. */
#include "join/coff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Layout {
	bool big;
	uint32_t nsymbols; /* records */
	uint64_t symbols, strings, size;
} Layout;

/* ---- sizes and numbers ---- */

static size_t symbol_size(bool big)
{
	return big ? sizeof(CoffBigSymbol) : sizeof(CoffSymbol);
}

static uint32_t count_aux(const CoffOutSymbol *s, bool big)
{
	if (s->class == COFF_FILE)
		return (uint32_t)((s->file.len + symbol_size(big) - 1) / symbol_size(big));
	return s->weak || (s->out && s->out->symbol == s);
}

static bool has_more_relocations(const CoffOut *o)
{
	return o->nrelocations >= COFF_RELOCATIONS_MAX;
}

static void add_string(CoffJoin *j, const Name *name)
{
	CoffMeaning *m = coff_meaning(name);
	if (name->len <= sizeof((CoffSection *)NULL)->name || m->offset)
		return;
	m->offset = (uint32_t)sizeof(uint32_t) + j->strings.len;
	buf_put(j->mem, &j->strings, (Str){name->text, name->len + 1});
}

/* False: offsets in files have 32 bits. */
static bool lay_out(CoffJoin *j, Layout *l)
{
	l->big = j->out.len > COFF_SECTIONS_MAX;
	uint64_t end =
	    (l->big ? sizeof(CoffBigHeader) : sizeof(CoffHeader)) + j->out.len * sizeof(CoffSection);
	for (uint32_t i = 0; i < j->out.len; i++) {
		CoffOut *o = j->out.data[i];
		o->data = end;
		end += o->flags & COFF_ZEROS ? 0 : o->size;
		o->relocations = end;
		end += (o->nrelocations + has_more_relocations(o)) * sizeof(CoffRelocation);
		o->relocated = has_more_relocations(o);
		add_string(j, o->name);
	}
	for (uint32_t i = 0; i < j->symbols.len; i++) {
		CoffOutSymbol *s = j->symbols.data[i];
		s->index = l->nsymbols;
		l->nsymbols += 1 + count_aux(s, l->big);
		add_string(j, s->name);
	}
	l->symbols = end;
	l->strings = end + l->nsymbols * symbol_size(l->big);
	l->size = l->strings + sizeof(uint32_t) + j->strings.len;
	return l->size <= UINT32_MAX;
}

/* ---- contents ---- */

/* Bytes of a field that the relocation adds to; 0: to none, or one that is not known. */
static size_t field_size(uint16_t type)
{
	enum { NONE, ADDR64, ADDR32, ADDR32NB, REL32, REL32_5 = REL32 + 5, SECTION, SECREL };
	if (type == ADDR64)
		return sizeof(uint64_t);
	return (type >= ADDR32 && type <= REL32_5) || type == SECREL ? sizeof(uint32_t) : 0;
}

static bool is_section_number(uint16_t type)
{
	enum { SECTION = 10 };
	return type == SECTION;
}

static bool add_to_field(char *at, size_t size, uint32_t add)
{
	uint64_t value64;
	int32_t value32;
	if (size == sizeof value64) {
		memcpy(&value64, at, sizeof value64);
		value64 += add;
		memcpy(at, &value64, sizeof value64);
		return true;
	}
	memcpy(&value32, at, sizeof value32);
	if (value32 > 0 && add > (uint32_t)(INT32_MAX - value32))
		return false;
	value32 = (int32_t)((int64_t)value32 + add);
	memcpy(at, &value32, sizeof value32);
	return true;
}

static bool relocate(CoffJoin *j, const CoffPart *p, const CoffIn *in, const CoffRelocation *from)
{
	CoffOut *o = in->out;
	size_t size = field_size(from->type);
	uint64_t room = size ? size : sizeof(uint16_t);
	const CoffInSymbol *s = from->symbol < p->nsymbols ? &p->symbols[from->symbol] : NULL;
	if (!s || !s->name || !s->to || (!size && !is_section_number(from->type)) ||
	    from->address > in->h->size || room > in->h->size - from->address)
		return false;
	CoffRelocation to = {from->address + in->shift, s->to->index, from->type};
	memcpy(j->bytes + o->relocations + o->relocated++ * sizeof to, &to, sizeof to);
	return !s->add || !size || add_to_field(j->bytes + o->data + to.address, size, s->add);
}

static bool write_section(CoffJoin *j, const CoffPart *p, const CoffIn *in)
{
	if (in->data)
		memcpy(j->bytes + in->out->data + in->shift, in->data, in->h->size);
	for (uint32_t i = 0; i < in->nrelocations; i++)
		if (!relocate(j, p, in, &in->relocations[i]))
			return false;
	return true;
}

static void write_relocation_count(CoffJoin *j, const CoffOut *o)
{
	CoffRelocation first = {.address = (uint32_t)o->nrelocations + 1};
	if (has_more_relocations(o))
		memcpy(j->bytes + o->relocations, &first, sizeof first);
}

static bool write_contents(CoffJoin *j)
{
	for (uint32_t i = 0; i < j->out.len; i++) {
		const CoffOut *o = j->out.data[i];
		if ((o->flags & (COFF_CODE | COFF_ZEROS)) == COFF_CODE)
			memset(j->bytes + o->data, JOIN_X86_NOP, o->size);
		write_relocation_count(j, o);
	}
	for (uint32_t k = 0; k < j->nparts; k++) {
		const CoffPart *p = &j->parts[k];
		for (uint32_t i = 1; i <= p->nsections; i++)
			if (!p->sections[i].left_out && !write_section(j, p, &p->sections[i]))
				return false;
	}
	return true;
}

/* CRC-32 without its usual complements, as linkers compare COMDATs by. */
static void fill_checksum_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] & 1 ? table[i] >> 1 ^ UINT32_C(0xEDB88320) : table[i] >> 1;
	}
}

static void sum_sections(const CoffJoin *j)
{
	uint32_t table[256];
	fill_checksum_table(table);
	for (uint32_t i = 0; i < j->out.len; i++) {
		CoffOut *o = j->out.data[i];
		const uint8_t *at = (const uint8_t *)j->bytes + o->data;
		for (uint64_t n = o->flags & COFF_ZEROS ? 0 : o->size; n; n--)
			o->checksum = table[(o->checksum ^ *at++) & 0xff] ^ o->checksum >> 8;
	}
}

/* ---- tables ---- */

/* Names of more than eight bytes: a decimal number while it has seven digits, then six
 * digits to the base of 64. */
static void write_section_name(const Name *name, char to[8])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	enum { DECIMAL_MAX = 9999999 };
	uint32_t offset = coff_meaning(name)->offset;
	char text[16];
	if (!offset) {
		memcpy(to, name->text, name->len);
	} else if (offset <= DECIMAL_MAX) {
		int n = snprintf(text, sizeof text, "/%" PRIu32, offset);
		memcpy(to, text, (size_t)n);
	} else {
		to[0] = to[1] = '/';
		for (int i = 7; i > 1; i--, offset /= 64)
			to[i] = digits[offset % 64];
	}
}

static void write_sections(const CoffJoin *j, size_t at)
{
	for (uint32_t i = 0; i < j->out.len; i++) {
		const CoffOut *o = j->out.data[i];
		bool more = has_more_relocations(o), stored = !(o->flags & COFF_ZEROS) && o->size;
		CoffSection h = {.size = (uint32_t)o->size,
		                 .data = stored ? (uint32_t)o->data : 0,
		                 .relocations = o->nrelocations ? (uint32_t)o->relocations : 0,
		                 .nrelocations = more ? COFF_RELOCATIONS_MAX : (uint16_t)o->nrelocations,
		                 .flags = o->flags | o->align | (more ? COFF_MORE_RELOCATIONS : 0)};
		write_section_name(o->name, h.name);
		memcpy(j->bytes + at + i * sizeof h, &h, sizeof h);
	}
}

static void write_symbol_name(const Name *name, char to[8])
{
	CoffName at = {.offset = coff_meaning(name)->offset};
	if (at.offset)
		memcpy(to, &at, sizeof at);
	else
		memcpy(to, name->text, name->len);
}

static void write_section_aux(const CoffOut *o, char *to)
{
	uint32_t number = o->leader ? o->leader->number : o->number;
	bool more = has_more_relocations(o);
	CoffSectionAux aux = {.size = (uint32_t)o->size,
	                      .nrelocations = more ? COFF_RELOCATIONS_MAX : (uint16_t)o->nrelocations,
	                      .checksum = o->checksum,
	                      .number = (uint16_t)number,
	                      .selection = o->selection,
	                      .number_high = (uint16_t)(number >> 16)};
	memcpy(to, &aux, sizeof aux);
}

static void write_aux(const CoffOutSymbol *s, char *to)
{
	if (s->class == COFF_FILE) {
		memcpy(to, s->file.data, s->file.len);
	} else if (s->weak) {
		CoffWeakAux aux = {s->weak->weak->to->index, s->weak->search};
		memcpy(to, &aux, sizeof aux);
	} else if (s->out && s->out->symbol == s) {
		write_section_aux(s->out, to);
	}
}

static void write_symbol(const CoffOutSymbol *s, bool big, char *to)
{
	int32_t section = s->out ? (int32_t)s->out->number : s->section;
	CoffBigSymbol r = {.value = s->value,
	                   .section = section,
	                   .type = s->type,
	                   .class = s->class,
	                   .naux = (uint8_t)count_aux(s, big)};
	write_symbol_name(s->name, r.name);
	if (big) {
		memcpy(to, &r, sizeof r);
	} else {
		CoffSymbol small = {.value = r.value,
		                    .section = (uint16_t)section,
		                    .type = r.type,
		                    .class = r.class,
		                    .naux = r.naux};
		memcpy(small.name, r.name, sizeof r.name);
		memcpy(to, &small, sizeof small);
	}
	write_aux(s, to + symbol_size(big));
}

static void write_symbols(const CoffJoin *j, const Layout *l)
{
	for (uint32_t i = 0; i < j->symbols.len; i++) {
		const CoffOutSymbol *s = j->symbols.data[i];
		write_symbol(s, l->big, j->bytes + l->symbols + s->index * symbol_size(l->big));
	}
}

static void write_strings(const CoffJoin *j, const Layout *l)
{
	uint32_t size = (uint32_t)(l->size - l->strings);
	memcpy(j->bytes + l->strings, &size, sizeof size);
	if (j->strings.len)
		memcpy(j->bytes + l->strings + sizeof size, j->strings.data, j->strings.len);
}

static size_t write_header(const CoffJoin *j, const Layout *l)
{
	CoffHeader h = {.machine = COFF_X86_64,
	                .nsections = (uint16_t)j->out.len,
	                .symbols = (uint32_t)l->symbols,
	                .nsymbols = l->nsymbols};
	CoffBigHeader b = {.ones = 0xffff,
	                   .version = COFF_BIG_VERSION,
	                   .machine = COFF_X86_64,
	                   .nsections = j->out.len,
	                   .symbols = (uint32_t)l->symbols,
	                   .nsymbols = l->nsymbols};
	memcpy(b.uuid, coff_big_uuid, sizeof b.uuid);
	memcpy(j->bytes, l->big ? (void *)&b : (void *)&h, l->big ? sizeof b : sizeof h);
	return l->big ? sizeof b : sizeof h;
}

JoinResult coff_write(CoffJoin *j, Str *object)
{
	Layout l = {0};
	if (!lay_out(j, &l))
		return JOIN_UNFIT;
	j->bytes = calloc(l.size, 1);
	if (!j->bytes)
		return JOIN_NO_MEMORY;
	*object = (Str){j->bytes, l.size};
	if (!write_contents(j))
		return JOIN_UNFIT;
	sum_sections(j);
	write_sections(j, write_header(j, &l));
	write_symbols(j, &l);
	write_strings(j, &l);
	return JOIN_DONE;
}
