#include "explain/pdata.h"

#include "explain/object/coff.h"

#include <stdlib.h>

enum { ENTRY = 12, ENTRY_ARM64 = 8, CHAIN_MAX = 32 };

/* Entries */

static int compare_entries(const void *a, const void *b)
{
	const PdataEntry *x = a, *y = b;
	if (x->begin.section != y->begin.section)
		return x->begin.section < y->begin.section ? -1 : 1;
	if (x->begin.offset != y->begin.offset)
		return x->begin.offset < y->begin.offset ? -1 : 1;
	if (!x->size != !y->size) /* the last is found by its place */
		return x->size ? 1 : -1;
	return (x->at.offset > y->at.offset) - (x->at.offset < y->at.offset);
}

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

/* False: not there, or empty, or wrong; the last is reported. */
static bool read_entry(const ObjectFile *o, ObjectPlace at, PdataEntry *entry)
{
	ObjectTarget begin, info;
	if (!object_pointer(o, at, 4, OBJECT_RELOC_IMAGE, &begin) ||
	    !object_pointer(o, after(at, 8), 4, OBJECT_RELOC_IMAGE, &info))
		return false;
	ObjectPlace end = coff_range_end(o, after(at, 4), begin.place);
	if (begin.is_null && info.is_null)
		return false; /* the tables of images may end with empty ones */
	/* Functions whose code the compiler found unreachable are empty. */
	if (begin.place.section >= o->nsections || end.section != begin.place.section ||
	    end.offset < begin.place.offset || end.offset > o->sections[begin.place.section].size) {
		object_warning(o, at,
		               "expected the begin and end of a function in one section, found others");
		return false;
	}
	if (info.place.section >= o->nsections) {
		object_warning(o, after(at, 8), "expected the address of unwind information, found none");
		return false;
	}
	*entry = (PdataEntry){begin.place, end.offset - begin.place.offset, info.place, at, 0};
	return true;
}

static bool read_info(const ObjectFile *o, ObjectPlace at, UnwindInfo *info);

/* By ObjectMachine. */
typedef struct PdataMachine {
	unsigned entry_size;
	bool (*read_entry)(const ObjectFile *o, ObjectPlace at, PdataEntry *entry);
	bool (*read_info)(const ObjectFile *o, ObjectPlace at, UnwindInfo *info);
} PdataMachine;
static const PdataMachine machines[] = {
    [OBJECT_X86_64] = {ENTRY, read_entry, read_info},
    [OBJECT_AARCH64] = {ENTRY_ARM64, pdata_arm64_entry, unwind_info_arm64},
};

static void read_entries(const ObjectFile *o, ObjectPlace at, uint64_t size, PdataVec *entries)
{
	const ObjectSection *s = &o->sections[at.section];
	const PdataMachine *machine = &machines[o->machine];
	unsigned row = machine->entry_size;
	if (size > s->bytes.len - at.offset)
		size = s->bytes.len - at.offset;
	for (uint64_t n = size / row; n-- > 0; at.offset += row) {
		PdataEntry entry = {0};
		if (machine->read_entry(o, at, &entry))
			vec_push(o->mem, entries, entry);
	}
	if (size % row)
		object_warning(o, at, "expected entries of %u bytes, found %u bytes after the last", row,
		               (unsigned)(size % row));
}

static bool is_pdata(Str name)
{
	return str_begins_with(name, STR(".pdata")) && (name.len == 6 || name.data[6] == '$');
}

void pdata_read(const ObjectFile *o, PdataVec *entries)
{
	CoffDirectory d = coff_exception_directory(o);
	unsigned long long address = o->image + d.rva;
	ObjectPlace at = object_place_of(o, address);
	if (o->linked && d.size &&
	    (at.section >= o->nsections || at.offset > o->sections[at.section].bytes.len))
		object_warning(o, at, "expected the exception directory in a section, found address 0x%llx",
		               address);
	else if (o->linked && d.size)
		read_entries(o, at, d.size, entries);
	for (uint32_t i = 0; i < o->nsections && !o->linked; i++)
		if (is_pdata(o->sections[i].name))
			read_entries(o, (ObjectPlace){i, 0}, o->sections[i].bytes.len, entries);
	if (entries->len)
		qsort(entries->data, entries->len, sizeof *entries->data, compare_entries);
}

/* How many begin at or before the place. */
static uint32_t entries_to(const PdataVec *entries, ObjectPlace place)
{
	uint32_t low = 0, high = entries->len;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		ObjectPlace begin = entries->data[mid].begin;
		if (begin.section < place.section ||
		    (begin.section == place.section && begin.offset <= place.offset))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const PdataEntry *pdata_over(const PdataVec *entries, ObjectPlace place)
{
	uint32_t n = entries_to(entries, place);
	const PdataEntry *p = n ? &entries->data[n - 1] : NULL;
	return p && p->begin.section == place.section && place.offset - p->begin.offset < p->size ? p : NULL;
}

const PdataEntry *pdata_at(const PdataVec *entries, ObjectPlace place)
{
	const PdataEntry *p = pdata_over(entries, place);
	return p && p->begin.offset == place.offset ? p : NULL;
}

/* Unwind information */

static bool read_tail(const ObjectFile *o, ObjectPlace at, UnwindInfo *info)
{
	ObjectPlace tail = after(info->codes, 2 * (uint64_t)(info->ncodes + info->ncodes % 2));
	if (info->flags & UNWIND_CHAINED) {
		if (read_entry(o, tail, &info->chained))
			return true;
		object_warning(o, tail,
		               "expected the entry that unwind information is chained to, found none");
		return false;
	}
	if (!(info->flags & (UNWIND_EXCEPTION_HANDLER | UNWIND_TERMINATION_HANDLER)))
		return true;
	info->data = after(tail, 4);
	if (object_pointer(o, tail, 4, OBJECT_RELOC_IMAGE, &info->handler) && !info->handler.is_null)
		return true;
	object_warning(o, at, "expected a handler after %u unwind codes, found none", info->ncodes);
	return false;
}

static bool read_info(const ObjectFile *o, ObjectPlace at, UnwindInfo *info)
{
	uint64_t word;
	if (!object_read(o, at, 4, &word)) {
		object_warning(o, at, "expected unwind information, found the end of the section");
		return false;
	}
	info->version = word & 7;
	info->flags = word >> 3 & 31;
	info->prolog = word >> 8 & 255;
	info->ncodes = word >> 16 & 255;
	info->frame_register = word >> 24 & 15;
	info->frame_offset = (word >> 28 & 15) * 16;
	info->codes = after(at, 4);
	if (info->version != 1 && info->version != 2) {
		object_warning(o, at, "expected unwind information of version 1 or 2, found version %u",
		               info->version);
		return false;
	}
	if ((info->flags & UNWIND_CHAINED && info->flags != UNWIND_CHAINED) || info->flags > 7) {
		object_warning(o, at, "expected flags for handlers or for a chain, found 0x%x", info->flags);
		return false;
	}
	uint64_t end = info->codes.offset + 2 * (uint64_t)info->ncodes;
	if (end > o->sections[at.section].size) {
		object_warning(o, at, "expected %u unwind codes, found the end of the section", info->ncodes);
		return false;
	}
	return read_tail(o, at, info);
}

bool unwind_info_read(const ObjectFile *o, const PdataEntry *entry, UnwindInfo *info)
{
	*info = (UnwindInfo){0};
	if (entry->packed) /* no handler */
		return true;
	return machines[o->machine].read_info(o, entry->info, info);
}

bool unwind_info_primary(const ObjectFile *o, PdataEntry *entry, UnwindInfo *info)
{
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		if (!unwind_info_read(o, entry, info))
			return false;
		if (!(info->flags & UNWIND_CHAINED))
			return true;
		*entry = info->chained;
	}
	object_warning(o, entry->info, "expected a chain of at most %d, found a longer one", CHAIN_MAX);
	return false;
}
