#include "runtime/eh/unwind/lsda.h"
#include "runtime/eh/exception.h"
#include "runtime/eh/libc.h"

/* DWARF's encodings of pointers (Linux Standard Base, 10.5.1): a format, what is added, and whether that is where
 * the pointer is. */
enum {
	ABSPTR = 0x00,
	ULEB128 = 0x01,
	UDATA2 = 0x02,
	UDATA4 = 0x03,
	UDATA8 = 0x04,
	SLEB128 = 0x09,
	SDATA2 = 0x0a,
	SDATA4 = 0x0b,
	SDATA8 = 0x0c,
	FORMAT = 0x0f,

	PCREL = 0x10,
	TEXTREL = 0x20,
	DATAREL = 0x30,
	FUNCREL = 0x40,
	ALIGNED = 0x50,
	APPLICATION = 0x70,

	INDIRECT = 0x80,
	OMIT = 0xff,
};

static uint64_t read_leb(const uint8_t **at, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;
	do {
		byte = *(*at)++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return value;
}

/* Nearly all of a table's numbers are one byte each. */
static inline uint64_t read_uleb(const uint8_t **at)
{
	return **at < 0x80 ? *(*at)++ : read_leb(at, false);
}

static uint64_t read_bytes(const uint8_t **at, size_t n, bool is_signed)
{
	uint64_t value = 0;
	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)(*at)[i] << 8 * i;
	if (is_signed && n < 8 && value >> (8 * n - 1))
		value |= ~UINT64_C(0) << 8 * n;
	*at += n;
	return value;
}

static size_t size_of_format(uint8_t encoding)
{
	switch (encoding & FORMAT) {
	case ABSPTR:
		return sizeof(void *);
	case UDATA2:
	case SDATA2:
		return 2;
	case UDATA4:
	case SDATA4:
		return 4;
	case UDATA8:
	case SDATA8:
		return 8;
	default:
		circeh_fatal("a table of exceptions has an unknown encoding");
	}
}

static uint64_t read_format(const uint8_t **at, uint8_t encoding)
{
	uint8_t format = encoding & FORMAT;
	bool is_signed = format >= SLEB128;
	if (format == ULEB128 || format == SLEB128)
		return read_leb(at, is_signed);
	return read_bytes(at, size_of_format(encoding), is_signed);
}

static uintptr_t base_of(uint8_t encoding, const LsdaBases *bases, const uint8_t *here)
{
	switch (encoding & APPLICATION) {
	case ABSPTR:
	case ALIGNED:
		return 0;
	case PCREL:
		return (uintptr_t)here;
	case TEXTREL:
		return bases->text;
	case DATAREL:
		return bases->data;
	case FUNCREL:
		return bases->function;
	default:
		circeh_fatal("a table of exceptions has an unknown encoding");
	}
}

static uintptr_t read_pointer(const uint8_t **at, uint8_t encoding, const LsdaBases *bases)
{
	if (encoding == ALIGNED)
		*at += -(uintptr_t)*at % sizeof(void *);
	const uint8_t *here = *at;
	uintptr_t value = (uintptr_t)read_format(at, encoding == ALIGNED ? ABSPTR : encoding);
	if (!value) /* null, not the base */
		return 0;
	value += base_of(encoding, bases, here);
	if (encoding & INDIRECT)
		memcpy(&value, (const void *)value, sizeof value);
	return value;
}

void circeh_lsda_open(Lsda *lsda, const uint8_t *table, const LsdaBases *bases)
{
	const uint8_t *at = table;
	*lsda = (Lsda){.bases = *bases, .pads = bases->function};
	uint8_t encoding = *at++;
	if (encoding != OMIT)
		lsda->pads = read_pointer(&at, encoding, bases);
	lsda->type_encoding = *at++;
	if (lsda->type_encoding != OMIT) {
		uint64_t to_types = read_uleb(&at);
		lsda->types = at + to_types;
	}
	lsda->site_encoding = *at++;
	uint64_t length = read_uleb(&at);
	lsda->sites = at;
	lsda->actions = at + length;
}

static inline uintptr_t read_offset(const uint8_t **at, uint8_t encoding)
{
	return (uintptr_t)(encoding == ULEB128 ? read_uleb(at) : read_format(at, encoding));
}

/* Sites are in the order of the code. */
bool circeh_lsda_find(const Lsda *lsda, uintptr_t pc, LsdaSite *site)
{
	const uint8_t *at = lsda->sites;
	uintptr_t offset = pc - lsda->bases.function;
	while (at < lsda->actions) {
		uintptr_t begin = read_offset(&at, lsda->site_encoding);
		uintptr_t length = read_offset(&at, lsda->site_encoding);
		uintptr_t pad = read_offset(&at, lsda->site_encoding);
		uint64_t action = read_uleb(&at);
		if (offset < begin)
			return false;
		if (offset - begin >= length)
			continue;
		site->pad = pad ? lsda->pads + pad : 0;
		site->action = action ? lsda->actions + action - 1 : NULL;
		return true;
	}
	return false;
}

#ifdef __wasm__
const uint8_t *circeh_lsda_action(const Lsda *lsda, uintptr_t number)
{
	const uint8_t *at = lsda->sites;
	while (at < lsda->actions) {
		uintptr_t pad = (uintptr_t)read_uleb(&at);
		uint64_t action = read_uleb(&at);
		if (pad == number)
			return action ? lsda->actions + action - 1 : NULL;
	}
	return NULL;
}
#endif

intptr_t circeh_lsda_next(const uint8_t **action)
{
	const uint8_t *at = *action;
	intptr_t number = (intptr_t)read_leb(&at, true);
	const uint8_t *from = at; /* the way to the next counts from where it stands */
	intptr_t step = (intptr_t)read_leb(&at, true);
	*action = step ? from + step : NULL;
	return number;
}

const void *circeh_lsda_type(const Lsda *lsda, intptr_t number)
{
	if (!lsda->types)
		circeh_fatal("a table of exceptions has a clause, but no clauses");
	const uint8_t *at = lsda->types - (size_t)number * size_of_format(lsda->type_encoding);
	return (const void *)read_pointer(&at, lsda->type_encoding, &lsda->bases);
}
