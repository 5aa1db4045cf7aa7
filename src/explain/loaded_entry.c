/* explain/loaded_entry.c: the entry (FDE) of a function in a frame table in memory, as the unwinder of this process reads it (LSB 5.0
 * Core, 10.6.1). */
#include "explain/loaded.h"

#include "explain/bytes.h"
#include "explain/eh_pointer.h"

typedef struct Cie {
	unsigned pointer_encoding, lsda_encoding;
	bool has_sizes;
} Cie;

/* A record begins with the number of bytes that follow. */
static Bytes record_at(const char *record)
{
	uint32_t length;
	memcpy(&length, record, sizeof length);
	return bytes_of((Str){record, sizeof length + (size_t)length}, sizeof length, UINT64_MAX);
}

static void read_augmentation(Cie *cie, Str letters, Bytes *b)
{
	for (size_t i = 1; i < letters.len; i++) {
		if (letters.data[i] == 'R')
			cie->pointer_encoding = (unsigned)bytes_uint(b, 1);
		else if (letters.data[i] == 'L')
			cie->lsda_encoding = (unsigned)bytes_uint(b, 1);
		else if (letters.data[i] == 'P')
			eh_pointer_number(b, (unsigned)bytes_uint(b, 1));
	}
}

static Cie read_cie(Bytes b)
{
	Cie cie = {.pointer_encoding = EH_PE_ABSPTR, .lsda_encoding = EH_PE_OMIT};
	bytes_uint(&b, 4); /* no distance: it is a CIE */
	unsigned version = (unsigned)bytes_uint(&b, 1);
	Str letters = bytes_text(&b);
	bytes_uleb(&b);
	bytes_sleb(&b);
	if (version == 1)
		bytes_uint(&b, 1);
	else
		bytes_uleb(&b);
	cie.has_sizes = letters.len && letters.data[0] == 'z';
	if (cie.has_sizes) {
		bytes_uleb(&b);
		read_augmentation(&cie, letters, &b);
	}
	return cie;
}

uint64_t explain_loaded_table(const void *fde)
{
	Bytes b = record_at(fde);
	uint64_t from = b.at, distance = bytes_uint(&b, 4);
	Cie cie = read_cie(record_at((const char *)fde + from - distance));
	eh_pointer_number(&b, cie.pointer_encoding); /* begin */
	eh_pointer_number(&b, cie.pointer_encoding); /* size */
	if (!cie.has_sizes || cie.lsda_encoding == EH_PE_OMIT || !bytes_uleb(&b))
		return 0;
	uint64_t at = (uintptr_t)fde + b.at, value = eh_pointer_number(&b, cie.lsda_encoding);
	if (b.failed || !value)
		return 0;
	return (cie.lsda_encoding & EH_PE_APPLICATION) == EH_PE_PCREL ? at + value : value;
}
