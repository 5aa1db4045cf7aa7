#include "explain/eh_pointer.h"

unsigned eh_pointer_size(unsigned encoding)
{
	switch (encoding & EH_PE_FORMAT) {
	case EH_PE_UDATA2:
	case EH_PE_SDATA2:
		return 2;
	case EH_PE_UDATA4:
	case EH_PE_SDATA4:
		return 4;
	case EH_PE_ABSPTR:
	case EH_PE_SIGNED:
	case EH_PE_UDATA8:
	case EH_PE_SDATA8:
		return 8;
	default:
		return 0;
	}
}

uint64_t eh_pointer_number(Bytes *b, unsigned encoding)
{
	unsigned format = encoding & EH_PE_FORMAT, size = eh_pointer_size(encoding);
	if (size)
		return format & EH_PE_SIGNED ? (uint64_t)bytes_int(b, size) : bytes_uint(b, size);
	if (format == EH_PE_ULEB128)
		return bytes_uleb(b);
	if (format == EH_PE_SLEB128)
		return (uint64_t)bytes_sleb(b);
	bytes_fail(b, "unknown pointer encoding");
	return 0;
}

/* What datarel counts from: on x86-64 .eh_frame_hdr for its own table, else the global offset table. */
static bool data_base(const ObjectFile *o, ObjectPlace *base)
{
	uint32_t got = object_section(o, ".got.plt", 0);
	if (got == OBJECT_NONE)
		got = object_section(o, ".got", 0);
	*base = (ObjectPlace){got, 0};
	return got != OBJECT_NONE;
}

static bool base_of(const ObjectFile *o, unsigned encoding, ObjectPlace here, ObjectPlace function,
                    ObjectPlace *base)
{
	switch (encoding & EH_PE_APPLICATION) {
	case EH_PE_PCREL:
		*base = here;
		return true;
	case EH_PE_DATAREL:
		return data_base(o, base);
	case EH_PE_TEXTREL:
		*base = (ObjectPlace){object_section(o, ".text", 0), 0};
		return base->section != OBJECT_NONE;
	case EH_PE_FUNCREL:
		*base = function;
		return function.section != OBJECT_NONE;
	default:
		return false;
	}
}

/* By its value: there is no relocation. */
static ObjectTarget by_value(const ObjectFile *o, unsigned encoding, uint64_t value, ObjectPlace here,
                             ObjectPlace function)
{
	ObjectTarget t = {.symbol = OBJECT_NONE, .place = {OBJECT_NONE, 0}, .is_null = !value};
	ObjectPlace base;
	if (!value)
		return t;
	if (base_of(o, encoding, here, function, &base)) {
		t.place = (ObjectPlace){base.section, base.offset + value};
		if (o->linked)
			t.place = object_place_of(o, object_address(o, base) + value);
	} else if (o->linked) {
		t.place = object_place_of(o, value);
	}
	if (t.place.section != OBJECT_NONE)
		t.symbol = object_symbol_at(o, t.place);
	return t;
}

/* Through the variable that holds the address. Of one that the linker makes, an entry of its global offset table, the
 * relocation names what it will hold. */
static ObjectTarget followed(const ObjectFile *o, const ObjectReloc *r, ObjectTarget t)
{
	ObjectTarget inner;
	if ((r && r->kind == OBJECT_RELOC_OTHER) || t.place.section == OBJECT_NONE)
		return t;
	return object_pointer(o, t.place, 8, OBJECT_RELOC_ABSOLUTE, &inner) ? inner : t;
}

ObjectTarget eh_pointer(const ObjectFile *o, uint32_t section, Bytes *b, unsigned encoding,
                        ObjectPlace function)
{
	ObjectTarget t = {.symbol = OBJECT_NONE, .place = {OBJECT_NONE, 0}, .is_null = true};
	if (encoding == EH_PE_OMIT)
		return t;
	if ((encoding & EH_PE_APPLICATION) == EH_PE_ALIGNED) {
		uint64_t address = object_address(o, (ObjectPlace){section, b->at});
		bytes_skip(b, -address & 7);
		encoding = EH_PE_ABSPTR;
	} else if ((encoding & EH_PE_APPLICATION) > EH_PE_ALIGNED) {
		bytes_fail(b, "unknown pointer encoding");
		return t;
	}
	ObjectPlace here = {section, b->at};
	uint64_t value = eh_pointer_number(b, encoding);
	if (b->failed)
		return t;
	const ObjectReloc *r = object_reloc_at(o, here);
	t = r ? object_reloc_target(o, r, here) : by_value(o, encoding, value, here, function);
	return encoding & EH_PE_INDIRECT && !t.is_null ? followed(o, r, t) : t;
}
