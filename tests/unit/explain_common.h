/* explain_common.h: an object for tests of what reads tables, made of sections, symbols and relocations by hand. */
#ifndef CIRC_TESTS_EXPLAIN_COMMON_H
#define CIRC_TESTS_EXPLAIN_COMMON_H

#include "test.h"

#include "explain/explanation.h"
#include "explain/object/object.h"

enum { MOST = 16 };

typedef struct Fixture {
	CircExplanation *e;
	Diags d;
	char said[4096]; /* all messages, a line each */
	ObjectFile o;
	ObjectSection sections[MOST];
	ObjectSymbol symbols[MOST];
	ObjectReloc relocs[MOST][MOST];
	unsigned warnings;
} Fixture;

static inline void fixture_said(const CircDiagnostic *message, void *user)
{
	Fixture *f = user;
	size_t used = strlen(f->said);
	snprintf(f->said + used, sizeof f->said - used, "%s\n", message->message);
}

static inline void fixture_open(Fixture *f, bool linked)
{
	*f = (Fixture){.e = explanation_create()};
	diag_init(&f->d, fixture_said, f);
	f->e->format = "elf";
	f->o =
	    (ObjectFile){.format = OBJECT_ELF, .machine = OBJECT_X86_64, .linked = linked, .name = "test.o"};
	f->o.sections = f->sections;
	f->o.nsections = 1; /* as in ELF, the first is none */
	f->sections[0].relocs_read = true;
	f->o.symbols = f->symbols;
	f->o.mem = &f->e->arena;
	f->o.d = &f->d;
	f->o.warnings = &f->warnings;
}

static inline void fixture_close(Fixture *f)
{
	explanation_destroy(f->e);
}

/* bytes: borrowed. */
static inline uint32_t fixture_section(Fixture *f, const char *name, uint64_t address, const void *bytes,
                                       size_t size)
{
	uint32_t i = f->o.nsections++;
	f->sections[i] =
	    (ObjectSection){.name = str_of(name), .address = address, .size = size, .loaded = true};
	f->sections[i].bytes = (Str){bytes, size};
	f->sections[i].code = strncmp(name, ".text", 5) == 0;
	f->sections[i].relocs = f->relocs[i];
	f->sections[i].relocs_read = true;
	return i;
}

static inline uint32_t fixture_symbol(Fixture *f, const char *name, uint32_t section, uint64_t offset,
                                      uint64_t size)
{
	uint32_t i = f->o.nsymbols++;
	f->symbols[i] =
	    (ObjectSymbol){.name = str_of(name), .section = section, .offset = offset, .size = size};
	f->symbols[i].defined = section != OBJECT_NONE;
	f->symbols[i].function = f->symbols[i].global = true;
	return i;
}

/* In ascending order. */
static inline void fixture_reloc(Fixture *f, uint32_t section, uint64_t offset, uint32_t symbol,
                                 ObjectRelocKind kind, int64_t addend)
{
	ObjectReloc *r = &f->relocs[section][f->sections[section].nrelocs++];
	*r = (ObjectReloc){.offset = offset, .symbol = symbol, .addend = addend};
	r->kind = kind;
	r->size = 4;
}

#endif
