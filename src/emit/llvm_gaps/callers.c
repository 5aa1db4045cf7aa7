/* emit/llvm_gaps/callers.c */
#include "emit/llvm_gaps/callers.h"

#include "join/coff.h"

/* ---- objects ---- */

typedef struct Object {
	const CoffSection *sections;
	const char *symbols;
	uint32_t nsections, nsymbols, record;
	Str file, strings;
} Object;

typedef struct Symbol {
	Str name;
	uint32_t value;
	int32_t section;
	uint16_t type;
	uint8_t naux;
} Symbol;

static bool open_object(Str file, Object *o)
{
	const CoffHeader *small = (const void *)join_at(file, 0, sizeof *small);
	const CoffBigHeader *big = (const void *)join_at(file, 0, sizeof *big);
	uint32_t at;
	if (!big)
		return false;
	if (big->ones == 0xffff) {
		*o = (Object){(const void *)(big + 1), NULL, big->nsections, big->nsymbols,
		              sizeof(CoffBigSymbol)};
		at = big->symbols;
	} else {
		*o = (Object){(const void *)(small + 1), NULL, small->nsections, small->nsymbols,
		              sizeof(CoffSymbol)};
		at = small->symbols;
	}
	uint64_t size = (uint64_t)o->nsymbols * o->record;
	o->file = file;
	o->symbols = join_at(file, at, size);
	if (o->symbols)
		o->strings = (Str){o->symbols + size, file.len - at - size};
	return o->symbols && join_at(file, (uint64_t)((const char *)o->sections - file.data),
	                             o->nsections * sizeof *o->sections);
}

static Symbol symbol_at(const Object *o, uint32_t i)
{
	CoffBigSymbol r;
	CoffSymbol small;
	CoffName name;
	const char *at = o->symbols + (uint64_t)i * o->record;
	memcpy(&small, at, sizeof small);
	if (o->record == sizeof r)
		memcpy(&r, at, sizeof r);
	else
		r = (CoffBigSymbol){.value = small.value,
		                    .section = (int16_t)small.section,
		                    .type = small.type,
		                    .naux = small.naux};
	memcpy(&name, at, sizeof name);
	const char *text = name.zero ? at : join_string(o->strings, name.offset);
	return (Symbol){{text, name.zero ? strnlen(text, sizeof small.name)
	                       : text    ? strlen(text)
	                                 : 0},
	                r.value,
	                r.section,
	                r.type,
	                r.naux};
}

/* The last function of the section that begins at or before it: parts that have labels of their own follow theirs. */
static Str function_at(const Object *o, uint32_t section, uint32_t address, const Callers *c)
{
	Str found = {0};
	uint32_t begin = 0;
	for (uint32_t i = 0; i < o->nsymbols; i++) {
		Symbol s = symbol_at(o, i);
		if (s.section == (int64_t)section && s.type == COFF_FUNCTION && s.value <= address &&
		    s.value >= begin && c->is_function(c->user, s.name)) {
			found = s.name;
			begin = s.value;
		}
		i += s.naux;
	}
	return found;
}

static void find_uses(const Object *o, uint32_t symbol, Str name, const Callers *c)
{
	Str last = {0};
	for (uint32_t section = 1; section <= o->nsections; section++) {
		const CoffSection *h = &o->sections[section - 1];
		const CoffRelocation *r = (const void *)join_at(o->file, h->relocations, sizeof *r);
		uint64_t n = h->nrelocations;
		/* The first one is their number, where the header has no room for it. */
		if (r && (h->flags & COFF_MORE_RELOCATIONS) && n == COFF_RELOCATIONS_MAX)
			n = r->address;
		if (!(h->flags & COFF_CODE) || !join_at(o->file, h->relocations, n * sizeof *r))
			continue;
		for (uint64_t i = 0; i < n; i++) {
			if (r[i].symbol != symbol)
				continue;
			Str function = function_at(o, section, r[i].address, c);
			if (function.data && str_equal(function, last))
				continue;
			last = function;
			c->found(c->user, name, function);
		}
	}
}

void callers_in_object(Str coff, const Callers *c)
{
	Object o;
	if (!open_object(coff, &o))
		return;
	for (uint32_t i = 0; i < o.nsymbols; i++) {
		Symbol s = symbol_at(&o, i);
		if (s.name.data && s.section == COFF_UNDEFINED && c->wanted(c->user, s.name))
			find_uses(&o, i, s.name, c);
		i += s.naux;
	}
}

/* ---- assembly ---- */

/* What stands in front of `end`, unless the line begins otherwise. */
static Str word_behind(Str line, const char *head, const char *ends)
{
	size_t len = strlen(head);
	Str word = {0};
	if (line.len > len && memcmp(line.data, head, len) == 0)
		word.data = line.data + len;
	while (word.data && word.len < line.len - len && !strchr(ends, word.data[word.len]))
		word.len++;
	return word;
}

static void read_line(Str line, Str *function, Str *last, const Callers *c)
{
	static const char *const jumps[] = {"\tcallq\t", "\tjmp\t"};
	Str label = line.len && line.data[0] != '\t' ? word_behind(line, "", ":") : (Str){0};
	bool quoted = label.len > 1 && label.data[0] == '"';
	if (quoted)
		label = (Str){label.data + 1, label.len - 2};
	if (label.len && c->is_function(c->user, label)) {
		*function = label;
		*last = (Str){0};
	}
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		Str name = word_behind(line, jumps[i], " \t");
		if (name.len && !str_equal(name, *last) && c->wanted(c->user, name)) {
			c->found(c->user, name, *function);
			*last = name;
		}
	}
}

void callers_in_assembly(Str text, const Callers *c)
{
	Str function = {0}, last = {0};
	while (text.len) {
		const char *end = memchr(text.data, '\n', text.len);
		size_t len = end ? (size_t)(end - text.data) : text.len;
		read_line((Str){text.data, len}, &function, &last, c);
		text.data += len + (end != NULL);
		text.len -= len + (end != NULL);
	}
}
