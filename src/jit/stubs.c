#include "jit/stubs.h"

#include <elf.h>
#include <stdlib.h>

/* ---- the object ---- */

enum { STUB_SIZE = 16 };
enum { NONE, TEXT, RELOCATIONS, SLOTS, SYMBOLS, NAMES, SECTION_NAMES, NSECTIONS };

typedef struct Layout {
	size_t at[NSECTIONS], size[NSECTIONS], all;
} Layout;

/* The names of sections, and where each begins. */
static const char section_names[] = "\0.text\0.rela.text\0.bss\0.symtab\0.strtab\0.shstrtab";

static Layout lay_out(const LazyFunction *functions, size_t n, const char *slots)
{
	Layout l = {.all = sizeof(Elf64_Ehdr) + NSECTIONS * sizeof(Elf64_Shdr)};
	size_t names = 1 + strlen(slots) + 1;
	for (size_t i = 0; i < n; i++)
		names += strlen(functions[i].name) + 1;
	const size_t sizes[NSECTIONS] = {[TEXT] = n * STUB_SIZE,
	                                 [RELOCATIONS] = n * sizeof(Elf64_Rela),
	                                 [SYMBOLS] = (n + 3) * sizeof(Elf64_Sym),
	                                 [NAMES] = names,
	                                 [SECTION_NAMES] = sizeof section_names};
	for (size_t i = 1; i < NSECTIONS; i++) {
		l.at[i] = l.all;
		l.size[i] = sizes[i];
		l.all += (sizes[i] + 15) & ~(size_t)15;
	}
	return l;
}

static void write_stubs(char *object, const Layout *l, size_t n)
{
	/* lea 0(%rip), %r11; jmp *(%r11); int3 */
	static const unsigned char code[STUB_SIZE] = {0x4c, 0x8d, 0x1d, 0,    0,    0,    0,    0x41,
	                                              0xff, 0x23, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
	Elf64_Rela *relocations = (Elf64_Rela *)(void *)(object + l->at[RELOCATIONS]);
	for (size_t i = 0; i < n; i++) {
		memcpy(object + l->at[TEXT] + i * STUB_SIZE, code, sizeof code);
		relocations[i] =
		    (Elf64_Rela){.r_offset = i * STUB_SIZE + 3,
		                 .r_info = ELF64_R_INFO(1, R_X86_64_PC32), /* of the section of slots */
		                 .r_addend = (Elf64_Sxword)(i * sizeof(JitSlot)) - 4};
	}
}

static void write_symbols(char *object, const Layout *l, const LazyFunction *functions, size_t n,
                          const char *slots)
{
	Elf64_Sym *symbols = (Elf64_Sym *)(void *)(object + l->at[SYMBOLS]);
	char *names = object + l->at[NAMES], *name = names + 1;
	symbols[1] = (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = SLOTS};
	symbols[2] = (Elf64_Sym){.st_name = 1,
	                         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
	                         .st_shndx = SLOTS,
	                         .st_size = n * sizeof(JitSlot)};
	name = stpcpy(name, slots) + 1;
	for (size_t i = 0; i < n; i++) {
		unsigned char binding = functions[i].weak ? STB_WEAK : STB_GLOBAL;
		symbols[i + 3] = (Elf64_Sym){.st_name = (Elf64_Word)(name - names),
		                             .st_info = (unsigned char)ELF64_ST_INFO(binding, STT_FUNC),
		                             .st_shndx = TEXT,
		                             .st_value = i * STUB_SIZE,
		                             .st_size = STUB_SIZE};
		name = stpcpy(name, functions[i].name) + 1;
	}
}

static void write_headers(char *object, const Layout *l, size_t n)
{
	Elf64_Shdr sections[NSECTIONS] = {
	    [TEXT] = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addralign = 16},
	    [RELOCATIONS] = {.sh_type = SHT_RELA,
	                     .sh_flags = SHF_INFO_LINK,
	                     .sh_link = SYMBOLS,
	                     .sh_info = TEXT,
	                     .sh_addralign = 8,
	                     .sh_entsize = sizeof(Elf64_Rela)},
	    [SLOTS] = {.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_WRITE, .sh_addralign = 16},
	    [SYMBOLS] = {.sh_type = SHT_SYMTAB,
	                 .sh_link = NAMES,
	                 .sh_info = 2,
	                 .sh_addralign = 8,
	                 .sh_entsize = sizeof(Elf64_Sym)},
	    [NAMES] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
	    [SECTION_NAMES] = {.sh_type = SHT_STRTAB, .sh_addralign = 1}};
	const char *name = section_names;
	for (size_t i = 0; i < NSECTIONS; i++, name += strlen(name) + 1) {
		sections[i].sh_name = (Elf64_Word)(name - section_names);
		sections[i].sh_offset = l->at[i];
		sections[i].sh_size = i == SLOTS ? n * sizeof(JitSlot) : l->size[i];
	}
	Elf64_Ehdr header = {.e_ident = ELFMAG,
	                     .e_type = ET_REL,
	                     .e_machine = EM_X86_64,
	                     .e_version = EV_CURRENT,
	                     .e_shoff = sizeof header,
	                     .e_ehsize = sizeof header,
	                     .e_shentsize = sizeof *sections,
	                     .e_shnum = NSECTIONS,
	                     .e_shstrndx = SECTION_NAMES};
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(object, &header, sizeof header);
	memcpy(object + sizeof header, sections, sizeof sections);
	memcpy(object + l->at[SECTION_NAMES], section_names, sizeof section_names);
}

Str jit_stubs_object(const LazyFunction *functions, size_t n, const char *slots)
{
	Layout l = lay_out(functions, n, slots);
	char *object = calloc(1, l.all);
	if (!object)
		return (Str){0};
	write_headers(object, &l, n);
	write_stubs(object, &l, n);
	write_symbols(object, &l, functions, n, slots);
	return (Str){object, l.all};
}

/* ---- the way to the function ---- */

#ifdef __x86_64__

#include <cpuid.h>

/* Of XSAVE: the parts of the processor's state that arguments are in, and the bytes for all that is switched on (Intel's manual, volume 1, chapter 13). */
enum { X87 = 1, SSE = 2, AVX = 4, AVX512 = 0xe0, ARGUMENTS = X87 | SSE | AVX | AVX512 };
extern uint64_t jit_stub_state_size;
extern uint32_t jit_stub_state_mask;
extern void jit_stub_enter(void);
__attribute__((visibility("hidden"))) uint64_t jit_stub_state_size;
__attribute__((visibility("hidden"))) uint32_t jit_stub_state_mask;

__asm__(".text\n"
        ".p2align 4\n"
        ".hidden jit_stub_enter\n"
        ".globl jit_stub_enter\n"
        ".type jit_stub_enter, @function\n"
        "jit_stub_enter:\n"
        ".cfi_startproc\n"
        "	pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "	movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "	pushq %rax\n"
        "	pushq %rcx\n"
        "	pushq %rdx\n"
        "	pushq %rsi\n"
        "	pushq %rdi\n"
        "	pushq %r8\n"
        "	pushq %r9\n"
        "	pushq %r10\n"
        "	subq jit_stub_state_size(%rip), %rsp\n"
        "	andq $-64, %rsp\n"
        /* The header of what XSAVE writes must be zero for XRSTOR. */
        "	xorl %edx, %edx\n"
        "	movq %rdx, 512(%rsp)\n"
        "	movq %rdx, 520(%rsp)\n"
        "	movq %rdx, 528(%rsp)\n"
        "	movq %rdx, 536(%rsp)\n"
        "	movq %rdx, 544(%rsp)\n"
        "	movq %rdx, 552(%rsp)\n"
        "	movq %rdx, 560(%rsp)\n"
        "	movq %rdx, 568(%rsp)\n"
        "	movl jit_stub_state_mask(%rip), %eax\n"
        "	xsave64 (%rsp)\n"
        "	movq %r11, %rdi\n"
        "	movq 8(%r11), %rax\n" /* the owner */
        "	call *(%rax)\n"
        "	movq %rax, %r11\n"
        "	xorl %edx, %edx\n"
        "	movl jit_stub_state_mask(%rip), %eax\n"
        "	xrstor64 (%rsp)\n"
        "	leaq -64(%rbp), %rsp\n"
        "	popq %r10\n"
        "	popq %r9\n"
        "	popq %r8\n"
        "	popq %rdi\n"
        "	popq %rsi\n"
        "	popq %rdx\n"
        "	popq %rcx\n"
        "	popq %rax\n"
        "	popq %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "	jmp *%r11\n"
        ".cfi_endproc\n"
        ".size jit_stub_enter, .-jit_stub_enter\n");

bool jit_stubs_here(void)
{
	unsigned a, b, c, d, low, high;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) ||
	    !__get_cpuid_count(13, 0, &a, &b, &c, &d))
		return false;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	jit_stub_state_mask = low & ARGUMENTS;
	jit_stub_state_size = b;
	return true;
}

void *jit_stub_resolver(void)
{
	void (*enter)(void) = jit_stub_enter;
	void *p;
	memcpy(&p, &enter, sizeof p);
	return p;
}

#else

bool jit_stubs_here(void)
{
	return false;
}

void *jit_stub_resolver(void)
{
	return NULL;
}

#endif
