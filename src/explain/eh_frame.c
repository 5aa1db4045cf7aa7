#include "explain/eh_frame.h"

#include "explain/eh_pointer.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Reader {
	const ObjectFile *o;
	uint32_t section;
	Str bytes;
	uint64_t from, end;
	uint64_t most;   /* FDEs; UINT64_MAX: not known */
	VEC(EhCie) cies; /* ascending */
	EhVisit *visit;
	void *user;
	bool is_stripped; /* which has been said */
} Reader;

/* One CIE or FDE: its begin, what stands behind the id, and the id. */
typedef struct Record {
	uint64_t begin, id, id_at;
	Bytes body;
} Record;

static ObjectPlace place(const Reader *r, uint64_t offset)
{
	return (ObjectPlace){r->section, offset};
}

/* False: the table ends. *at becomes the next one's begin. */
static bool next_record(const Reader *r, uint64_t *at, Record *record)
{
	const uint32_t extended = 0xffffffff;
	Bytes b = bytes_of(r->bytes, *at, r->end);
	while (b.end - b.at >= 4) {
		record->begin = b.at;
		uint64_t length = bytes_uint(&b, 4);
		if (!length && r->most != UINT64_MAX)
			return false;
		if (!length)
			continue;
		if (length == extended)
			length = bytes_uint(&b, 8);
		if (bytes_left(&b) < length || length < 4) {
			object_warning(r->o, place(r, record->begin),
			               "expected a record of the table, found length 0x%" PRIx64
			               " with 0x%" PRIx64 " bytes left",
			               length, bytes_left(&b));
			return false;
		}
		record->body = bytes_of(r->bytes, b.at, b.at + length);
		record->id_at = b.at;
		record->id =
		    bytes_uint(&record->body, 4); /* 4 bytes with either length (LSB 5.0 Core, 10.6.1.1) */
		*at = b.at + length;
		return true;
	}
	return false;
}

/* CIEs */

static void read_augmentation(const Reader *r, EhCie *cie, Str augmentation, Bytes *b)
{
	const ObjectPlace nowhere = {OBJECT_NONE, 0};
	for (size_t i = 1; i < augmentation.len && !b->failed; i++) {
		switch (augmentation.data[i]) {
		case 'R':
			cie->pointer_encoding = (unsigned)bytes_uint(b, 1);
			break;
		case 'L':
			cie->lsda_encoding = (unsigned)bytes_uint(b, 1);
			break;
		case 'P': {
			unsigned encoding = (unsigned)bytes_uint(b, 1);
			cie->personality = eh_pointer(r->o, r->section, b, encoding, nowhere);
			cie->has_personality = encoding != EH_PE_OMIT && !cie->personality.is_null;
			break;
		}
		case 'S':
			cie->signal = true;
			break;
		case 'B': /* AArch64: return addresses are signed with key B, where they are */
			cie->key_b = true;
			break;
		case 'G': /* AArch64: memory tagging */
			break;
		default: /* its size is not known, but that of all of them */
			object_warning(r->o, place(r, cie->offset), "unknown augmentation '%c' of a CIE",
			               augmentation.data[i] >= ' ' && augmentation.data[i] < 127
			                   ? augmentation.data[i]
			                   : '?');
			return;
		}
	}
}

static bool read_cie_body(const Reader *r, EhCie *cie, Bytes b)
{
	cie->version = (unsigned)bytes_uint(&b, 1);
	if (cie->version != 1 && cie->version != 3 && cie->version != 4) {
		object_warning(r->o, place(r, cie->offset), "expected a CIE of version 1, 3 or 4, found %u",
		               cie->version);
		return false;
	}
	Str augmentation = bytes_text(&b);
	if (cie->version == 4)
		bytes_skip(&b, 2); /* sizes of an address and of a segment selector */
	cie->code_alignment = bytes_uleb(&b);
	cie->data_alignment = bytes_sleb(&b);
	cie->return_register = cie->version == 1 ? bytes_uint(&b, 1) : bytes_uleb(&b);
	cie->has_sizes = augmentation.len && augmentation.data[0] == 'z';
	if (augmentation.len && !cie->has_sizes) {
		object_warning(r->o, place(r, cie->offset),
		               "unknown augmentation of a CIE; expected it to begin with 'z'");
		return false;
	}
	if (cie->has_sizes) {
		uint64_t size = bytes_uleb(&b), begin = b.at;
		if (bytes_left(&b) < size)
			bytes_fail(&b, "augmentation data are cut off");
		Bytes data = b;
		if (!b.failed)
			data.end = begin + size;
		read_augmentation(r, cie, augmentation, &data);
		if (data.failed)
			b = data;
		bytes_skip(&b, b.failed ? 0 : size);
	}
	cie->instructions = b;
	if (b.failed)
		object_warning(r->o, place(r, b.at), "CIE at 0x%" PRIx64 ": %s", cie->offset, b.failed);
	return !b.failed;
}

/* And finds where the table ends. */
static void collect_cies(Reader *r)
{
	Record record;
	uint64_t at = r->from, fdes = 0;
	while (fdes < r->most && next_record(r, &at, &record)) {
		if (record.id) {
			fdes++;
			continue;
		}
		EhCie cie = {
		    .offset = record.begin, .pointer_encoding = EH_PE_ABSPTR, .lsda_encoding = EH_PE_OMIT};
		cie.valid = read_cie_body(r, &cie, record.body);
		vec_push(r->o->mem, &r->cies, cie);
	}
	r->end = at;
}

static const EhCie *find_cie(const Reader *r, uint64_t offset)
{
	uint32_t low = 0, high = r->cies.len;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (r->cies.data[mid].offset < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low < r->cies.len && r->cies.data[low].offset == offset ? &r->cies.data[low] : NULL;
}

/* FDEs */

/* The distance to the CIE, or, in an object that the assembler left to the linker, a relocation. */
static const EhCie *cie_of(const Reader *r, const Record *record)
{
	const ObjectReloc *reloc = object_reloc_at(r->o, place(r, record->id_at));
	if (!reloc)
		return find_cie(r, record->id_at - record->id);
	ObjectTarget t = object_reloc_target(r->o, reloc, place(r, record->id_at));
	return t.place.section == r->section ? find_cie(r, t.place.offset) : NULL;
}

static void read_lsda(const Reader *r, EhFde *fde, Bytes *b)
{
	uint64_t size = bytes_uleb(b);
	if (bytes_left(b) < size)
		bytes_fail(b, "augmentation data are cut off");
	if (b->failed)
		return;
	Bytes data = *b;
	data.end = b->at + size;
	if (fde->cie->lsda_encoding != EH_PE_OMIT) {
		ObjectPlace at = {r->section, data.at};
		ObjectTarget t = eh_pointer(r->o, r->section, &data, fde->cie->lsda_encoding, fde->begin);
		fde->lsda = t.place;
		fde->has_lsda = t.place.section != OBJECT_NONE;
		if (!fde->has_lsda && !t.is_null && !data.failed)
			object_warning(r->o, at,
			               "pointer to language-specific data points outside of all sections");
	}
	if (data.failed)
		*b = data;
	else
		bytes_skip(b, size);
}

/* Once: an object without symbols has none for any function. */
static void say_stripped(Reader *r, ObjectPlace begin)
{
	if (!r->is_stripped)
		object_warning(r->o, begin,
		               "no relocation says which code an FDE covers: the object is stripped");
	r->is_stripped = true;
}

static void read_fde(Reader *r, const Record *record)
{
	EhFde fde = {.at = place(r, record->begin), .lsda = {OBJECT_NONE, 0}};
	Bytes b = record->body;
	fde.cie = cie_of(r, record);
	if (!fde.cie) {
		object_warning(r->o, place(r, record->id_at), "FDE belongs to no CIE");
		return;
	}
	if (!fde.cie->valid)
		return;
	ObjectPlace begin_at = place(r, b.at);
	unsigned encoding = fde.cie->pointer_encoding;
	ObjectTarget begin = eh_pointer(r->o, r->section, &b, encoding, (ObjectPlace){OBJECT_NONE, 0});
	fde.begin = begin.place;
	fde.size = eh_pointer_number(&b, encoding & EH_PE_FORMAT);
	if (fde.cie->has_sizes)
		read_lsda(r, &fde, &b);
	if (b.failed) {
		object_warning(r->o, place(r, b.at), "FDE at 0x%" PRIx64 ": %s", record->begin, b.failed);
		return;
	}
	if (begin.is_null && !r->o->linked) {
		say_stripped(r, begin_at);
		return;
	}
	/* Of code that the linker dropped. */
	if (fde.begin.section == OBJECT_NONE && (begin.is_null || begin.symbol != OBJECT_NONE))
		return;
	if (fde.begin.section == OBJECT_NONE) {
		object_warning(r->o, begin_at, "FDE covers code outside of all sections");
		return;
	}
	fde.instructions = b;
	r->visit(r->user, &fde);
}

void eh_frame_read(const ObjectFile *o, ObjectPlace from, uint64_t most, EhVisit *visit, void *user)
{
	Reader r = {
	    .o = o, .section = from.section, .bytes = o->sections[from.section].bytes, .from = from.offset};
	r.end = UINT64_MAX;
	r.most = most;
	r.visit = visit;
	r.user = user;
	collect_cies(&r);
	Record record;
	for (uint64_t at = r.from; next_record(&r, &at, &record);)
		if (record.id)
			read_fde(&r, &record);
}
