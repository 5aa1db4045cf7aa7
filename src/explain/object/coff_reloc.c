/* explain/object/coff_reloc.c: relocations. What is added stands in the place itself; an addend here counts from the place, as those of
 * ELF do. */
#include "explain/object/coff.h"

#include <stdlib.h>

enum { RELOC = 10, SECTION_MANY_RELOCS = 0x01000000 };

typedef struct RelocForm {
	ObjectRelocKind kind;
	uint8_t size, behind; /* the distance counts from so many bytes behind the place */
} RelocForm;

static RelocForm form_of_x86_64(unsigned type)
{
	switch (type) {
	case 1:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 8, 0}; /* ADDR64 */
	case 2:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 4, 0}; /* ADDR32 */
	case 3:
		return (RelocForm){OBJECT_RELOC_IMAGE, 4, 0}; /* ADDR32NB */
	case 4:
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
		return (RelocForm){OBJECT_RELOC_RELATIVE, 4, (uint8_t)type}; /* REL32, REL32_1 … 5 */
	case 10:
		return (RelocForm){OBJECT_RELOC_OTHER, 2, 0}; /* SECTION */
	case 11:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 4, 0}; /* SECREL: by the section */
	default:
		return (RelocForm){OBJECT_RELOC_OTHER, 0, 0};
	}
}

static RelocForm form_of_aarch64(unsigned type)
{
	switch (type) {
	case 1:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 4, 0}; /* ADDR32 */
	case 2:
		return (RelocForm){OBJECT_RELOC_IMAGE, 4, 0}; /* ADDR32NB */
	case 8:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 4, 0}; /* SECREL: by the section */
	case 13:
		return (RelocForm){OBJECT_RELOC_OTHER, 2, 0}; /* SECTION */
	case 14:
		return (RelocForm){OBJECT_RELOC_ABSOLUTE, 8, 0}; /* ADDR64 */
	case 17:
		return (RelocForm){OBJECT_RELOC_RELATIVE, 4, 4}; /* REL32 */
	default:
		return (RelocForm){OBJECT_RELOC_OTHER, 0, 0};
	}
}

static RelocForm (*const form_by_machine[])(unsigned type) = {
    [OBJECT_X86_64] = form_of_x86_64, [OBJECT_AARCH64] = form_of_aarch64};

static int64_t addend_of(const ObjectSection *s, uint64_t offset, unsigned size)
{
	if (size == 0 || !coff_has(s->bytes, offset, size))
		return 0;
	uint64_t value = coff_word(s->bytes, offset, size);
	return size == 4 ? (int32_t)value : size == 2 ? (int16_t)value : (int64_t)value;
}

static int compare_relocs(const void *a, const void *b)
{
	const ObjectReloc *x = a, *y = b;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Where the relocations of a section are in the file, and how many: false: outside of it; reported. */
static bool find_relocs(const Coff *c, uint32_t section, uint64_t *at, uint64_t *n)
{
	Str b = c->o->bytes;
	uint64_t header = c->sections_at + (uint64_t)section * 40;
	*at = coff_word(b, header + 24, 4);
	*n = coff_word(b, header + 32, 2);
	bool many = *n == 0xffff && coff_word(b, header + 36, 4) & SECTION_MANY_RELOCS;
	if (many && coff_has(b, *at, RELOC)) { /* the first holds the number, itself included */
		*n = coff_word(b, *at, 4);
		*n -= *n > 0;
		*at += RELOC;
	}
	if (coff_has(b, *at, *n * RELOC) && *n <= c->relocs_left)
		return *n > 0;
	object_warning(c->o, (ObjectPlace){section, 0},
	               "expected %llu relocations at offset 0x%llx of the file, found %s",
	               (unsigned long long)*n, (unsigned long long)*at,
	               coff_has(b, *at, *n * RELOC) ? "those of another section" : "the file's end");
	return false;
}

static void read_relocs_of(Coff *c, uint32_t section)
{
	uint64_t at, n;
	ObjectSection *s = &c->sections[section];
	if (!find_relocs(c, section, &at, &n))
		return;
	ObjectReloc *relocs = arena_array(c->o->mem, ObjectReloc, n);
	c->relocs_left -= n;
	bool sorted = true;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t entry = at + i * RELOC;
		Str b = c->o->bytes;
		uint64_t offset = coff_word(b, entry, 4), symbol = coff_word(b, entry + 4, 4);
		unsigned type = (unsigned)coff_word(b, entry + 8, 2);
		RelocForm form = form_by_machine[c->o->machine](type);
		if (offset > s->size || form.size > s->size - offset || symbol >= c->nsymbols) {
			object_warning(c->o, (ObjectPlace){section, offset},
			               "expected a relocation in the section's 0x%llx bytes, of one of %u "
			               "symbols; found symbol %llu",
			               (unsigned long long)s->size, c->nsymbols, (unsigned long long)symbol);
			break;
		}
		relocs[i] = (ObjectReloc){.offset = offset,
		                          .symbol = (uint32_t)symbol,
		                          .kind = form.kind,
		                          .size = form.size,
		                          .type = (uint16_t)type,
		                          .addend = addend_of(s, offset, form.size) - form.behind};
		sorted = sorted && (i == 0 || relocs[i - 1].offset <= offset);
		s->nrelocs = (size_t)i + 1;
	}
	if (!sorted)
		qsort(relocs, s->nrelocs, sizeof *relocs, compare_relocs);
	s->relocs = relocs;
}

void coff_read_relocs(Coff *c)
{
	for (uint32_t i = 0; i < c->nsections; i++)
		read_relocs_of(c, i);
}
