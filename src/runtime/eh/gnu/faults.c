/* Faults: the system asks vectored handlers first, before any frame. Personalities of libgcc's kind do not see its exceptions, and neither do
 * those of C++ on the way, so that a fault of code that may fault goes on in the thunk, as on ELF, and is raised there. To the system's unwinder
 * the thunk was entered by an interrupt (UWOP_PUSH_MACHFRAME). */
#include "runtime/eh/fault.h"

#include "runtime/eh/libc.h"
#include "runtime/eh/windows/context.h"
#include "runtime/eh/windows/record.h"

typedef struct ExceptionPointers {
	ExceptionRecord *record;
	Context *context;
} ExceptionPointers;

typedef long Vectored(ExceptionPointers *at);
void *AddVectoredExceptionHandler(unsigned long first, Vectored *handler);

enum { CONTINUE_EXECUTION = -1, CONTINUE_SEARCH = 0 };

/* CONTEXT_EX: what follows a context with CONTEXT_XSTATE says where the state of the processor is that the context has no room for. */
typedef struct ContextEx {
	struct {
		int32_t offset; /* from here */
		uint32_t size;
	} all, legacy, xstate;
} ContextEx;

/* What the thread has at RSP when it goes on; the thunk's directives know the layout. */
typedef struct Entered {
	uint64_t home[4]; /* for the function that the thunk calls */
	_Alignas(16) CircehFault fault;
	Context *context; /* above */
	_Alignas(16) uint64_t rip;
	uint64_t cs, eflags, rsp, ss;
} Entered;

_Static_assert(offsetof(Entered, fault) == 32 && offsetof(Entered, rip) == 208, "below");

void circeh_fault_thunk(void);
void circeh_fault_enter(Entered *at);

__asm__(".text\n\t"
        ".p2align 4\n"
        "circeh_fault_thunk:\n\t"
        ".seh_proc circeh_fault_thunk\n\t"
        ".seh_pushframe\n\t"
        ".seh_stackalloc 208\n\t"
        ".seh_savereg %rbx, 56\n\t"
        ".seh_endprologue\n\t"
        "emms\n\t" /* C expects an empty stack of the x87; that of what faulted is in the context */
        "cld\n\t"
        "movq %rsp, %rcx\n\t"
        "call circeh_fault_enter\n\t"
        "int3\n\t"
        ".seh_endproc\n");

__attribute__((used)) void circeh_fault_enter(Entered *at)
{
	circeh_fault_raise(&at->fault);
	RtlRestoreContext(at->context, NULL);
}

static bool is_fault(uint32_t code)
{
	static const uint32_t codes[] = {
	    FAULT_MISALIGNED,      FAULT_ACCESS,        FAULT_IN_PAGE,       FAULT_ILLEGAL,
	    FAULT_FLOAT_DIVIDE,    FAULT_FLOAT_INEXACT, FAULT_FLOAT_INVALID, FAULT_FLOAT_OVERFLOW,
	    FAULT_FLOAT_UNDERFLOW, FAULT_DIVIDE,        FAULT_OVERFLOW,      FAULT_PRIVILEGED,
	    FAULT_GUARD_PAGE,
	};
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (codes[i] == code)
			return true;
	return false;
}

static void describe(CircehFault *f, const ExceptionRecord *r, const Context *c)
{
	memcpy(f->registers, &c->rax, sizeof f->registers);
	f->pc = c->rip;
	f->flags = c->eflags;
	f->code = r->code;
	f->info[0] = r->nparameters > 0 ? r->parameters[0] : 0;
	f->info[1] = r->nparameters > 1 ? r->parameters[1] : 0;
	/* Wine says the same of both. */
	if (r->code == FAULT_DIVIDE)
		f->code = circeh_divide_code(f);
}

static size_t size_of_context(const Context *c)
{
	enum { XSTATE = 0x40 }; /* CONTEXT_XSTATE */
	const ContextEx *ex = (const ContextEx *)(c + 1);
	return sizeof *c + (c->flags & XSTATE ? (size_t)ex->xstate.offset + ex->xstate.size : 0);
}

/* All of it, below an address. The state is aligned as it was. */
static Context *copy_context(const Context *c, uintptr_t below)
{
	enum { ALIGNMENT = 64 };
	uintptr_t to = below - size_of_context(c);
	to -= (to - (uintptr_t)c) % ALIGNMENT;
	memcpy((void *)to, c, size_of_context(c));
	return (Context *)to;
}

/* The record and the context are on the stack of the thread, below what faulted: the block lies below this function. */
static long handle(ExceptionPointers *p)
{
	enum { OWN_FRAMES = 1024 };
	Context *c = p->context;
	if (!is_fault(p->record->code) || !circeh_may_fault(c->rip) || circeh_fault_is_declined(c->rip))
		return CONTINUE_SEARCH;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0) - OWN_FRAMES;
	Context *copy = copy_context(c, here);
	Entered *at = (Entered *)(((uintptr_t)copy - sizeof(Entered)) & ~(uintptr_t)15);
	describe(&at->fault, p->record, c);
	at->context = copy;
	at->rip = c->rip;
	at->cs = c->segments[0];
	at->eflags = c->eflags;
	at->rsp = c->rsp;
	at->ss = c->segments[5];
	c->rsp = (uintptr_t)at;
	c->rip = (uintptr_t)circeh_fault_thunk;
	return CONTINUE_EXECUTION;
}

/* The linker sorts what follows the dollar. */
static const uint64_t first __attribute__((section(".circfr$a"), used));
static const uint64_t last __attribute__((section(".circfr$z"), used));

__asm__(".section .circmf$a,\"xr\"\n"
        "circeh_may_fault_begin:\n\t"
        ".section .circmf$z,\"xr\"\n"
        "circeh_may_fault_end:\n\t"
        ".text");
extern const char circeh_may_fault_begin[], circeh_may_fault_end[];

bool circ_faults_install(void)
{
	static int installed;
	if (__atomic_exchange_n(&installed, 1, __ATOMIC_SEQ_CST))
		return true;
	return circ_faults_register(&first + 1, &last) &&
	       circ_faults_register_code(circeh_may_fault_begin, circeh_may_fault_end) &&
	       AddVectoredExceptionHandler(1, handle);
}

bool circ_faults_thread(void)
{
	return true;
}
