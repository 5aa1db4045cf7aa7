/* explain/pdata_arm64.c: .pdata and .xdata of AArch64 (Microsoft, "ARM64 exception handling").
 *
 *   entry   begin, and a word: with a flag in its two lowest bits it is packed unwind data, else the address of a record
 *   record  a header, or two words of it; a word for each epilog; unwind codes; the handler and its data */
#include "explain/pdata.h"

enum { FLAG_RESERVED = 3, PACKED_LENGTH = 0x7ff, RECORD_LENGTH = 0x3ffff };

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

/* Sets the function's length in instructions. False: reported. */
static bool read_length(const ObjectFile *o, const PdataEntry *entry, uint64_t *length)
{
	uint64_t header;
	*length = entry->packed >> 2 & PACKED_LENGTH;
	if (entry->packed)
		return true;
	if (!object_read(o, entry->info, 4, &header)) {
		object_warning(o, entry->info, "expected unwind information, found the end of the section");
		return false;
	}
	*length = header & RECORD_LENGTH;
	return true;
}

bool pdata_arm64_entry(const ObjectFile *o, ObjectPlace at, PdataEntry *entry)
{
	ObjectTarget begin, info;
	uint64_t word, length;
	ObjectPlace second = after(at, 4);
	if (!object_pointer(o, at, 4, OBJECT_RELOC_IMAGE, &begin) || !object_read(o, second, 4, &word) ||
	    !object_pointer(o, second, 4, OBJECT_RELOC_IMAGE, &info))
		return false;
	bool relocated = object_reloc_at(o, second) != NULL;
	if (begin.is_null && !word && !relocated)
		return false; /* the tables of images may end with empty ones */
	*entry = (PdataEntry){.begin = begin.place, .info = info.place, .at = at};
	if (!relocated && word & 3) {
		entry->packed = (uint32_t)word;
		entry->info = (ObjectPlace){OBJECT_NONE, 0};
	}
	if ((word & 3) == FLAG_RESERVED || (relocated && word & 3)) {
		object_warning(o, second, "expected packed unwind data or an address, found the flag %u",
		               (unsigned)word & 3);
		return false;
	}
	if (!entry->packed && info.place.section >= o->nsections) {
		object_warning(o, second, "expected the address of unwind information, found none");
		return false;
	}
	if (!read_length(o, entry, &length))
		return false;
	entry->size = 4 * length;
	uint64_t room = begin.place.section < o->nsections ? o->sections[begin.place.section].size : 0;
	if (length && begin.place.offset <= room && entry->size <= room - begin.place.offset)
		return true;
	object_warning(o, at, "expected a function of %llu instructions in a section, found %s",
	               (unsigned long long)length, room ? "its end" : "none");
	return false;
}

/* Fills `codes`, `epilogs` and their counts; returns the place after them. What the section does not have is read as 0. */
static ObjectPlace read_header(const ObjectFile *o, ObjectPlace at, UnwindInfo *info, bool *has_handler)
{
	uint64_t word, more = 0;
	object_read(o, at, 4, &word);
	info->version = word >> 18 & 3;
	*has_handler = word >> 20 & 1;
	info->has_last_epilog = word >> 21 & 1;
	unsigned count = word >> 22 & 31, nwords = (unsigned)(word >> 27);
	at = after(at, 4);
	if (!count && !nwords) {
		object_read(o, at, 4, &more);
		count = more & 0xffff;
		nwords = more >> 16 & 0xff;
		at = after(at, 4);
	}
	info->nepilogs = info->has_last_epilog ? 0 : count;
	info->epilog_index = info->has_last_epilog ? count : 0;
	info->ncodes = 4 * nwords;
	info->epilogs = at;
	info->codes = after(at, 4 * (uint64_t)info->nepilogs);
	return after(info->codes, info->ncodes);
}

bool unwind_info_arm64(const ObjectFile *o, ObjectPlace at, UnwindInfo *info)
{
	bool has_handler;
	ObjectPlace tail = read_header(o, at, info, &has_handler);
	if (info->version) {
		object_warning(o, at, "expected unwind information of version 0, found version %u",
		               info->version);
		return false;
	}
	if (tail.offset > o->sections[at.section].size) {
		object_warning(
		    o, at, "expected %u epilogs and %u bytes of unwind codes, found the end of the section",
		    info->nepilogs, info->ncodes);
		return false;
	}
	if (!has_handler)
		return true;
	info->flags = UNWIND_EXCEPTION_HANDLER;
	info->data = after(tail, 4);
	if (object_pointer(o, tail, 4, OBJECT_RELOC_IMAGE, &info->handler) && !info->handler.is_null)
		return true;
	object_warning(o, at, "expected a handler after %u bytes of unwind codes, found none", info->ncodes);
	return false;
}
