#include "explain/object/object.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Messages */

static Loc file_loc(const ObjectFile *o, LocInfo *info)
{
	*info = (LocInfo){.kind = LOC_FILE, .depth = 1, .name = str_of(o->name)};
	return (Loc){.info = info};
}

bool object_error(const ObjectFile *o, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	LocInfo info;
	diag_error(o->d, file_loc(o, &info), "%s", text);
	return false;
}

void object_warning(const ObjectFile *o, ObjectPlace at, const char *fmt, ...)
{
	LocInfo info;
	Loc loc = file_loc(o, &info);
	if (*o->warnings > OBJECT_WARNINGS)
		return;
	if ((*o->warnings)++ == OBJECT_WARNINGS) {
		diag_warning(o->d, loc, "too many warnings; the rest are not shown");
		return;
	}
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (at.section >= o->nsections) {
		diag_warning(o->d, loc, "%s", text);
		return;
	}
	Str name = o->sections[at.section].name;
	diag_warning(o->d, loc, "%.*s+0x%" PRIx64 ": %s", (int)(name.len < 200 ? name.len : 200), name.data,
	             at.offset, text);
}

/* Formats */

/* Sections and addresses */

uint32_t object_section(const ObjectFile *o, const char *name, uint32_t from)
{
	for (uint32_t i = from; i < o->nsections; i++)
		if (str_is(o->sections[i].name, name))
			return i;
	return OBJECT_NONE;
}

ObjectPlace object_place_of(const ObjectFile *o, uint64_t address)
{
	uint32_t low = 0, high = o->nby_address;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (o->sections[o->by_address[mid]].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (low) {
		uint32_t section = o->by_address[low - 1];
		uint64_t offset = address - o->sections[section].address;
		if (offset < o->sections[section].size)
			return (ObjectPlace){section, offset};
	}
	return (ObjectPlace){OBJECT_NONE, 0};
}

uint64_t object_address(const ObjectFile *o, ObjectPlace place)
{
	return place.section < o->nsections ? o->sections[place.section].address + place.offset
	                                    : place.offset;
}

/* Symbols by place */

typedef struct PlaceKey {
	uint64_t offset;
	uint32_t section, symbol;
	bool function, empty, global;
} PlaceKey;

static int compare_places(const void *a, const void *b)
{
	const PlaceKey *x = a, *y = b;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->function != y->function)
		return x->function ? -1 : 1;
	if (x->empty != y->empty) /* what is called here is rather the other */
		return x->empty ? 1 : -1;
	if (x->global != y->global)
		return x->global ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static void index_symbols(ObjectFile *o)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < o->nsymbols; i++)
		n += o->symbols[i].section < o->nsections && o->symbols[i].name.len;
	uint32_t *order = arena_array(o->mem, uint32_t, n);
	ArenaMark mark = arena_mark(o->mem);
	PlaceKey *keys = arena_array(o->mem, PlaceKey, n);
	n = 0;
	for (uint32_t i = 0; i < o->nsymbols; i++) {
		const ObjectSymbol *s = &o->symbols[i];
		if (s->section < o->nsections && s->name.len)
			keys[n++] = (PlaceKey){s->offset, s->section, i, s->function, !s->size, s->global};
	}
	if (n)
		qsort(keys, n, sizeof *keys, compare_places);
	for (uint32_t i = 0; i < n; i++)
		order[i] = keys[i].symbol;
	arena_release(o->mem, mark);
	o->by_place = order;
	o->nby_place = n;
}

static int compare_addresses(const void *a, const void *b)
{
	const PlaceKey *x = a, *y = b;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->section < y->section ? -1 : x->section > y->section;
}

static void index_sections(ObjectFile *o)
{
	uint32_t n = 0;
	uint32_t *order = arena_array(o->mem, uint32_t, o->nsections);
	ArenaMark mark = arena_mark(o->mem);
	PlaceKey *keys = arena_array(o->mem, PlaceKey, o->nsections);
	for (uint32_t i = 0; i < o->nsections; i++)
		if (o->sections[i].loaded && o->sections[i].size)
			keys[n++] = (PlaceKey){.offset = o->sections[i].address, .section = i};
	if (n)
		qsort(keys, n, sizeof *keys, compare_addresses);
	for (uint32_t i = 0; i < n; i++)
		order[i] = keys[i].section;
	arena_release(o->mem, mark);
	o->by_address = order;
	o->nby_address = n;
}

void object_index(ObjectFile *o)
{
	index_symbols(o);
	if (o->linked)
		index_sections(o);
}

static bool is_before(ObjectPlace a, const ObjectSymbol *b)
{
	return a.section != b->section ? a.section < b->section : a.offset < b->offset;
}

/* How many of by_place begin before `place`, or at it with `at`. */
static uint32_t symbols_before(const ObjectFile *o, ObjectPlace place, bool at)
{
	uint32_t low = 0, high = o->nby_place;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const ObjectSymbol *s = &o->symbols[o->by_place[mid]];
		bool same = s->section == place.section && s->offset == place.offset;
		if (same ? at : !is_before(place, s))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t object_symbol_at(const ObjectFile *o, ObjectPlace place)
{
	uint32_t i = symbols_before(o, place, false);
	if (i == o->nby_place)
		return OBJECT_NONE;
	const ObjectSymbol *s = &o->symbols[o->by_place[i]];
	return s->section == place.section && s->offset == place.offset ? o->by_place[i] : OBJECT_NONE;
}

uint32_t object_symbol_of(const ObjectFile *o, ObjectPlace place, uint64_t size)
{
	enum { MANY = 64 }; /* files may give one place any number of names */
	uint32_t first = object_symbol_at(o, place), from = symbols_before(o, place, false);
	for (uint32_t i = from; i < o->nby_place && i - from < MANY; i++) {
		const ObjectSymbol *s = &o->symbols[o->by_place[i]];
		if (s->section != place.section || s->offset != place.offset || !s->function)
			break;
		if (s->size == size)
			return o->by_place[i];
	}
	return first;
}

uint32_t object_symbol_over(const ObjectFile *o, ObjectPlace place)
{
	enum { FAR = 64 }; /* symbols that end before the place may stand between */
	uint32_t at = object_symbol_at(o, place);
	if (at != OBJECT_NONE)
		return at;
	uint32_t i = symbols_before(o, place, true);
	for (uint32_t tried = 0; i-- && tried < FAR; tried++) {
		const ObjectSymbol *s = &o->symbols[o->by_place[i]];
		if (s->section != place.section)
			break;
		if (place.offset - s->offset < s->size)
			return object_symbol_at(o, (ObjectPlace){s->section, s->offset});
	}
	return OBJECT_NONE;
}

/* Relocations */

const ObjectReloc *object_relocs(const ObjectFile *o, uint32_t section, size_t *n)
{
	*n = 0;
	if (section >= o->nsections)
		return NULL;
	ObjectSection *s = &o->sections[section];
	if (!s->relocs_read && o->read_relocs)
		o->read_relocs(o, section);
	s->relocs_read = true;
	*n = s->nrelocs;
	return s->relocs;
}

size_t object_reloc_from(const ObjectReloc *relocs, size_t n, uint64_t offset)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (relocs[mid].offset < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const ObjectReloc *object_reloc_at(const ObjectFile *o, ObjectPlace place)
{
	size_t n;
	const ObjectReloc *relocs = object_relocs(o, place.section, &n);
	size_t i = object_reloc_from(relocs, n, place.offset);
	return i < n && relocs[i].offset == place.offset ? &relocs[i] : NULL;
}

/* Pointers */

static ObjectTarget nowhere(void)
{
	return (ObjectTarget){.symbol = OBJECT_NONE, .place = {OBJECT_NONE, 0}};
}

/* The place, and the symbol that begins there. */
static ObjectTarget target_at(const ObjectFile *o, ObjectPlace place)
{
	ObjectTarget t = nowhere();
	t.place = place;
	if (place.section != OBJECT_NONE)
		t.symbol = object_symbol_at(o, place);
	return t;
}

ObjectTarget object_reloc_target(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at)
{
	(void)
	    at; /* of a relative one the addend counts from there, too: the target is the symbol and the addend */
	if (r->symbol >= o->nsymbols)
		return o->linked ? target_at(o, object_place_of(o, (uint64_t)r->addend)) : nowhere();
	const ObjectSymbol *s = &o->symbols[r->symbol];
	/* In code a relative addend counts from the end of the instruction, by a formula that is not needed here. */
	uint64_t addend = r->kind == OBJECT_RELOC_OTHER ? 0 : (uint64_t)r->addend;
	ObjectTarget t = nowhere();
	if (s->section >= o->nsections) {
		t.symbol = r->symbol;
		return t;
	}
	t = target_at(o, (ObjectPlace){s->section, s->offset + addend});
	if (s->name.len && !addend)
		t.symbol = r->symbol;
	return t;
}

bool object_read(const ObjectFile *o, ObjectPlace at, unsigned size, uint64_t *value)
{
	*value = 0;
	if (at.section >= o->nsections)
		return false;
	const ObjectSection *s = &o->sections[at.section];
	uint64_t all = s->size > s->bytes.len ? s->size : s->bytes.len;
	if (at.offset > all || all - at.offset < size)
		return false;
	for (unsigned i = 0; i < size; i++)
		if (at.offset + i < s->bytes.len)
			*value |= (uint64_t)(unsigned char)s->bytes.data[at.offset + i] << 8 * i;
	return true;
}

static uint64_t sign_extended(uint64_t value, unsigned size)
{
	unsigned up = 64 - 8 * size;
	return size >= 8 ? value : (uint64_t)((int64_t)(value << up) >> up);
}

bool object_pointer(const ObjectFile *o, ObjectPlace at, unsigned size, ObjectRelocKind kind,
                    ObjectTarget *target)
{
	uint64_t value;
	*target = nowhere();
	if (size > 8 || !size || !object_read(o, at, size, &value))
		return false;
	const ObjectReloc *r = object_reloc_at(o, at);
	if (r) {
		*target = object_reloc_target(o, r, at);
		return true;
	}
	target->is_null = !value;
	if (!value)
		return true;
	if (kind == OBJECT_RELOC_RELATIVE) {
		uint64_t offset = at.offset + sign_extended(value, size);
		/* Not linked: only what lies in the same section needs no relocation. */
		*target =
		    target_at(o, o->linked ? object_place_of(o, o->sections[at.section].address + offset)
		                           : (ObjectPlace){at.section, offset});
	} else if (o->linked) {
		if (kind == OBJECT_RELOC_IMAGE)
			value += o->image;
		*target = target_at(o, object_place_of(o, value));
	}
	return true;
}
