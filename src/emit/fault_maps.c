#include "emit/fault_maps.h"

#include "emit/zero_checks.h"

#include <elf.h>
#include <pthread.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1 << 21)
#endif

static void set_option(void)
{
	const char *const arguments[] = {"circ", "-enable-implicit-null-checks"};
	LLVMParseCommandLineOptions(ARRAY_LEN(arguments), arguments, NULL);
}

static bool unmark(LLVMValueRef function, unsigned kind, bool keep)
{
	bool any = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		if (!last || !LLVMGetMetadata(last, kind))
			continue;
		any = any || keep;
		if (!keep)
			LLVMSetMetadata(last, kind, NULL);
	}
	return any;
}

/* A function that the linker may take from another object keeps its checks: the map is one for the object, and would name
 * what was thrown away. */
void fault_maps_prepare(LLVMModuleRef module)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static const char name[] = "make.implicit";
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned null = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
	unsigned zero = LLVMGetMDKindIDInContext(context, ZERO_CHECK, sizeof ZERO_CHECK - 1);
	bool nulls = false, zeros = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		nulls = unmark(f, null, !LLVMGetComdat(f)) || nulls;
		zeros = unmark(f, zero, !LLVMGetComdat(f)) || zeros;
	}
	if (nulls)
		pthread_once(&once, set_option);
	if (zeros)
		zero_checks_fold(module);
}

/* ---- objects ---- */

typedef struct Object {
	char *bytes;
	size_t len;
	Elf64_Shdr *sections;
	size_t n;
	Elf64_Shdr *names;
} Object;

static bool inside(const Object *o, uint64_t offset, uint64_t size)
{
	return offset <= o->len && size <= o->len - offset;
}

/* LLVM's own object, but what is not there is not looked at. */
static bool open_object(Object *o)
{
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)o->bytes;
	if (o->len < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    !inside(o, h->e_shoff, sizeof *o->sections))
		return false;
	o->sections = (Elf64_Shdr *)(void *)(o->bytes + h->e_shoff);
	o->n = h->e_shnum ? h->e_shnum : o->sections->sh_size;
	size_t names = h->e_shstrndx == SHN_XINDEX ? o->sections->sh_link : h->e_shstrndx;
	if (names >= o->n || !inside(o, h->e_shoff, o->n * sizeof *o->sections))
		return false;
	o->names = &o->sections[names];
	return inside(o, o->names->sh_offset, o->names->sh_size);
}

static const char *name_of(const Object *o, const Elf64_Shdr *s)
{
	return s->sh_name < o->names->sh_size ? o->bytes + o->names->sh_offset + s->sh_name : "";
}

static uint32_t section_symbol(const Elf64_Sym *symbols, size_t n, uint16_t section)
{
	for (size_t i = 1; i < n; i++)
		if (symbols[i].st_shndx == section && ELF64_ST_TYPE(symbols[i].st_info) == STT_SECTION)
			return (uint32_t)i;
	return 0;
}

/* The map is of this object's code, also where another program or library has a function of the same name: its relocations name the
 * section that the function is in. */
static void make_local(const Object *o, const Elf64_Shdr *relocations)
{
	const Elf64_Shdr *table = &o->sections[relocations->sh_link];
	if (!inside(o, table->sh_offset, table->sh_size) ||
	    !inside(o, relocations->sh_offset, relocations->sh_size))
		return;
	const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(o->bytes + table->sh_offset);
	Elf64_Rela *r = (Elf64_Rela *)(void *)(o->bytes + relocations->sh_offset);
	size_t nsymbols = table->sh_size / sizeof *symbols;
	for (size_t i = 0; i < relocations->sh_size / sizeof *r; i++) {
		const Elf64_Sym *s =
		    &symbols[ELF64_R_SYM(r[i].r_info) < nsymbols ? ELF64_R_SYM(r[i].r_info) : 0];
		uint32_t own = ELF64_ST_TYPE(s->st_info) == STT_SECTION || s->st_shndx == SHN_XINDEX
		                   ? 0
		                   : section_symbol(symbols, nsymbols, s->st_shndx);
		if (!own)
			continue;
		r[i].r_info = ELF64_R_INFO((uint64_t)own, ELF64_R_TYPE(r[i].r_info));
		r[i].r_addend += (int64_t)s->st_value;
	}
}

/* Of llvm_gaps/asm_unwind.c: nobody reads them. */
static bool is_stack_map(const char *name)
{
	return strcmp(name, ".llvm_stackmaps") == 0;
}

/* Linkers define __start_ and __stop_ for sections whose names C could spell: the first letter goes. The section is kept where nobody
 * refers to it, and is written when it is loaded, since that is where position-independent programs get their addresses. */
static void name_in_object(Object *o)
{
	if (!open_object(o))
		return;
	for (size_t i = 0; i < o->n; i++) {
		Elf64_Shdr *s = &o->sections[i];
		if (strcmp(name_of(o, s), ".llvm_faultmaps") == 0) {
			s->sh_name++;
			s->sh_flags |= SHF_WRITE | SHF_GNU_RETAIN;
			o->bytes[EI_OSABI] = ELFOSABI_GNU;
		} else if (is_stack_map(name_of(o, s))) {
			s->sh_flags = SHF_EXCLUDE;
		} else if (strcmp(name_of(o, s), ".rela.llvm_faultmaps") == 0 && s->sh_type == SHT_RELA &&
		           s->sh_link < o->n) {
			make_local(o, s);
		}
	}
}

/* ---- assembly ---- */

typedef struct Directive {
	const char *from, *to; /* of one length */
} Directive;

static void replace(char *text, size_t len, Directive d)
{
	size_t n = strlen(d.from);
	CHECK(n == strlen(d.to));
	for (char *at = text; (at = memmem(at, len - (size_t)(at - text), d.from, n)); at += n)
		memcpy(at, d.to, n);
}

/* Both of LLVM's directives and those of zero_checks.c: what stands behind the tab that follows the directive. */
static void name_in_assembly(char *text, size_t len)
{
	static const Directive directives[] = {
	    {"section\t.llvm_faultmaps,\"a\",@progbits\n", "section\tllvm_faultmaps,\"awR\"         \n"},
	    {"section\t.llvm_stackmaps,\"a\",@progbits\n", "section\t.llvm_stackmaps,\"e\",@progbits\n"},
	};
	for (size_t i = 0; i < ARRAY_LEN(directives); i++)
		replace(text, len, directives[i]);
}

void fault_maps_name(char *bytes, size_t len, bool is_object)
{
	Object o = {.bytes = bytes, .len = len};
	if (is_object)
		name_in_object(&o);
	else
		name_in_assembly(bytes, len);
}
