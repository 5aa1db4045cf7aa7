/* What signals say of a fault on x86_64: of the exception (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3: 6.15), and
 * which registers the thunk finds. */
#include "runtime/eh/elf/x86_64/thunk.h"

#include <cpuid.h>

static const uint8_t registers[FAULT_REGISTERS] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                   REG_R12, REG_R13, REG_R14, REG_R15};

enum { PAGE_FAULT = 14 };

void circeh_context_measure(void)
{
	enum { XSAVE_LEAF = 13, OSXSAVE = 1 << 27, ALIGNMENT = 64 };
	unsigned a, b, c, d;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE) ||
	    !__get_cpuid_count(XSAVE_LEAF, 0, &a, &b, &c, &d))
		return;
	circeh_fault_state = (b + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uintptr_t circeh_context_pc(const ucontext_t *u)
{
	return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
}

void circeh_context_set_pc(ucontext_t *u, uintptr_t pc)
{
	u->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

uintptr_t circeh_context_sp(const ucontext_t *u)
{
	return (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
}

/* Above are the red zone, and what the thread goes on by. */
CircehRoom circeh_context_room(const siginfo_t *info)
{
	enum { RED_ZONE = 128, WAY_BACK = 32 };
	(void)info;
	return (CircehRoom){RED_ZONE + WAY_BACK, circeh_fault_state};
}

bool circeh_context_has_address(const ucontext_t *u)
{
	return u->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT;
}

static void describe_access(CircehFault *f, const siginfo_t *info, const greg_t *g)
{
	enum { BY_WRITE = 2, BY_FETCH = 16 };
	f->code = FAULT_ACCESS;
	f->info[0] = FAULT_READ;
	f->info[1] = UINT64_MAX; /* no address of 48 bits: the processor does not say which */
	if (g[REG_TRAPNO] != PAGE_FAULT)
		return;
	f->info[0] = g[REG_ERR] & BY_FETCH ? FAULT_EXECUTE : g[REG_ERR] & BY_WRITE ? FAULT_WRITE : FAULT_READ;
	f->info[1] = (uintptr_t)info->si_addr;
}

static void describe_bus(CircehFault *f, const siginfo_t *info, const greg_t *g)
{
	describe_access(f, info, g);
	f->code = info->si_code == BUS_ADRALN ? FAULT_MISALIGNED : FAULT_IN_PAGE;
	f->info[1] = (uintptr_t)info->si_addr;
}

void circeh_context_describe(CircehFault *f, int signal, const siginfo_t *info, const ucontext_t *u)
{
	const greg_t *g = u->uc_mcontext.gregs;
	for (unsigned i = 0; i < FAULT_REGISTERS; i++)
		f->registers[i] = (uint64_t)g[registers[i]];
	f->pc = (uint64_t)g[REG_RIP];
	f->flags = (uint64_t)g[REG_EFL];
	f->info[0] = f->info[1] = 0;
	if (signal == SIGSEGV)
		describe_access(f, info, g);
	else if (signal == SIGBUS)
		describe_bus(f, info, g);
	else if (signal == SIGILL)
		f->code = info->si_code == ILL_PRVOPC || info->si_code == ILL_PRVREG ? FAULT_PRIVILEGED
		                                                                     : FAULT_ILLEGAL;
	else if (!(f->code = circeh_float_code(info->si_code)))
		f->code = circeh_divide_code(f);
}

void circeh_context_enter(CircehFault *at, const siginfo_t *info, ucontext_t *u)
{
	greg_t *g = u->uc_mcontext.gregs;
	(void)info;
	g[REG_RSP] = g[REG_RBX] = (greg_t)(uintptr_t)at;
	g[REG_RIP] = (greg_t)(uintptr_t)circeh_fault_thunk;
}

bool circeh_context_is_division_by_zero(int signal, const ucontext_t *u)
{
	CircehFault f;
	if (signal != SIGFPE)
		return false;
	circeh_context_describe(&f, SIGFPE, &(siginfo_t){0}, u);
	return f.code == FAULT_DIVIDE;
}
