/* What clang compiles in every case, on windows-msvc: faults, and frames with __try between the program's own. */
#ifdef _MSC_VER
#include "seh.h"

void through(void (*f)(void))
{
	__try {
		f();
	} __finally {
		say(70 + AbnormalTermination());
	}
}

void passed(void (*f)(void))
{
	__try {
		f();
	} __except (say(72), 0) {
		say(73);
	}
}

void taken(void (*f)(void))
{
	__try {
		f();
	} __except (say(74), 1) {
		say_code(GetExceptionCode());
	}
}

void resumed(void (*f)(void))
{
	__try {
		f();
	} __except (say(75), -1) {
		say(76);
	}
}

void replaced(void (*f)(void))
{
	__try {
		f();
	} __finally {
		say(77);
		raise_code(0xe0000077);
	}
}

int read_from(unsigned address)
{
	return *(const volatile int *)(unsigned long long)address;
}

void write_to(unsigned address)
{
	*(volatile int *)(unsigned long long)address = 1;
}

/* The load has two bytes. */
__attribute__((naked)) int load_from(unsigned address)
{
	__asm__("movl (%rcx), %eax\n\tretq");
}

int divide(int a, int b)
{
	return a / b;
}

void illegal(void)
{
	__asm__ volatile("ud2");
}

void *VirtualAlloc(void *address, unsigned long long size, unsigned how, unsigned protection);

void touch_guard_page(void)
{
	enum { COMMIT = 0x3000, READWRITE = 4, GUARD = 0x100 };
	static int *page;
	if (!page)
		page = VirtualAlloc(0, 4096, COMMIT, READWRITE | GUARD);
	*(volatile int *)page += 1;
}

typedef long long JumpBuffer[32] __attribute__((aligned(16)));
int _setjmp(JumpBuffer buffer) __attribute__((returns_twice));
__attribute__((noreturn)) void longjmp(JumpBuffer buffer, int value);

static JumpBuffer buffer;

void jumped(void (*f)(void))
{
	if (_setjmp(buffer))
		say(78);
	else
		f();
}

void jump_out(void)
{
	longjmp(buffer, 1);
}

typedef struct Record {
	unsigned code, flags;
	struct Record *nested;
	const void *address;
	unsigned n;
	unsigned long long information[15];
} Record;

typedef struct Pointers {
	const Record *record;
	void *context;
} Pointers;

static int is_in(const void *address, const void *function)
{
	return address >= function && (const char *)address < (const char *)function + 64;
}

void say_fault(const void *pointers, const void *function)
{
	const Record *r = ((const Pointers *)pointers)->record;
	say_code(r->code);
	say(is_in(r->address, function));
	for (unsigned i = 0; i < r->n; i++)
		say((int)r->information[i]);
}
#endif
