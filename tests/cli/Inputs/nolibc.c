/* What a program without a C library gives to libcircrt and to libgcc's unwinder: a heap, a few functions of the C library, thread-local
 * storage, and where the program's unwind tables are. -nostdlib -static. */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

int main(void);
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static long system_call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c)
	                 : "rcx", "r11", "memory");
	return result;
}

enum { SYS_WRITE = 1, SYS_ARCH_PRCTL = 158, SYS_EXIT_GROUP = 231, ARCH_SET_FS = 0x1002 };

long write(int file, const void *text, size_t n)
{
	return system_call(SYS_WRITE, file, (long)text, (long)n);
}

_Noreturn static void leave(int status)
{
	for (;;)
		system_call(SYS_EXIT_GROUP, status, 0, 0);
}

_Noreturn void abort(void)
{
	leave(134);
}

/* A heap of which nothing comes back. */
void *malloc(size_t size)
{
	static _Alignas(16) unsigned char heap[1 << 20];
	static size_t used;
	size = (size + 15) & ~(size_t)15;
	if (size > sizeof heap - used)
		return NULL;
	used += size;
	return heap + used - size;
}

void free(void *memory)
{
	(void)memory;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memset(void *at, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)at)[i] = (char)byte;
	return at;
}

size_t strlen(const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}

/* dlfcn.h: which function an address is of. Nobody knows. */
int dladdr(const void *address, void *info)
{
	return (void)address, (void)info, 0;
}

static const Elf64_Phdr *segment(uint32_t type)
{
	const Elf64_Phdr *p = (const void *)((const char *)&__ehdr_start + __ehdr_start.e_phoff);
	for (unsigned i = 0; i < __ehdr_start.e_phnum; i++)
		if (p[i].p_type == type)
			return &p[i];
	return NULL;
}

/* glibc 2.35, dlfcn.h; not position-independent: addresses are those of the program headers. */
struct dl_find_object {
	unsigned long long flags;
	void *map_start, *map_end, *link_map, *eh_frame;
	unsigned long long reserved[7];
};

int _dl_find_object(void *address, struct dl_find_object *out)
{
	extern char end[];
	const Elf64_Phdr *tables = segment(PT_GNU_EH_FRAME);
	if (!tables || (char *)address < (const char *)&__ehdr_start || (char *)address >= end)
		return -1;
	*out = (struct dl_find_object){
	    .map_start = (void *)&__ehdr_start, .map_end = end, .eh_frame = (void *)tables->p_vaddr};
	return 0;
}

/* The block of thread-local variables lies in front of the word that %fs:0 reads, which holds its own address (ELF TLS, variant II). */
static void set_thread_storage(void)
{
	static _Alignas(64) unsigned char block[4096];
	const Elf64_Phdr *tls = segment(PT_TLS);
	unsigned char *self = block + 3072;
	if (tls) {
		size_t size = (tls->p_memsz + tls->p_align - 1) & ~(tls->p_align - 1);
		memcpy(self - size, (const void *)tls->p_vaddr, tls->p_filesz);
	}
	*(void **)self = self;
	system_call(SYS_ARCH_PRCTL, ARCH_SET_FS, (long)self, 0);
}

void begin(void)
{
	set_thread_storage();
	leave(main());
}

__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall begin\n");
