/* What signals say of a fault on AArch64 Linux: the syndrome of the exception, where the system gives it (Arm Architecture Reference Manual,
 * ESR_EL1), else the instruction (C4.1, "Loads and stores").
 *
 * Above the CircehFault lies a copy of all that the system has saved for the signal, in one piece: siginfo_t, ucontext_t and, behind that, what
 * the latter has no room for (asm/sigcontext.h). The thread returns from the signal by it when the instruction is to be started again: no
 * processor state is known here that it may not have.
 */
#include "runtime/eh/elf/fault_context.h"

#include "runtime/eh/libc.h"

#include <asm/sigcontext.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SP = 31, ALIGNMENT = 64 };

uintptr_t circeh_context_pc(const ucontext_t *u)
{
	return (uintptr_t)u->uc_mcontext.pc;
}

void circeh_context_set_pc(ucontext_t *u, uintptr_t pc)
{
	u->uc_mcontext.pc = pc;
}

uintptr_t circeh_context_sp(const ucontext_t *u)
{
	return (uintptr_t)u->uc_mcontext.sp;
}

void circeh_context_measure(void) {}

/* ---- what the system has saved ---- */

typedef struct SignalFrame {
	siginfo_t info;
	ucontext_t context;
} SignalFrame;

/* A record of what is saved besides the general registers; null: there is none. */
static struct _aarch64_ctx *find_record(const ucontext_t *u, uint32_t magic)
{
	const mcontext_t *m = &u->uc_mcontext;
	for (size_t at = 0; at + sizeof(struct _aarch64_ctx) <= sizeof m->__reserved;) {
		struct _aarch64_ctx *record = (struct _aarch64_ctx *)&m->__reserved[at];
		if (record->magic == magic)
			return record;
		if (!record->magic || record->size < sizeof *record)
			return NULL;
		at += record->size;
	}
	return NULL;
}

static struct extra_context *find_extra(const ucontext_t *u)
{
	return (struct extra_context *)find_record(u, EXTRA_MAGIC);
}

static size_t size_of_frame(const SignalFrame *s)
{
	const struct extra_context *extra = find_extra(&s->context);
	return extra ? extra->datap + extra->size - (uintptr_t)s : sizeof *s;
}

static SignalFrame *frame_above(const CircehFault *f)
{
	return (SignalFrame *)((uintptr_t)f + (sizeof *f + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

CircehRoom circeh_context_room(const siginfo_t *info)
{
	return (CircehRoom){size_of_frame((const SignalFrame *)info) + ALIGNMENT, 0};
}

void circeh_context_enter(CircehFault *at, const siginfo_t *info, ucontext_t *u)
{
	const SignalFrame *from = (const SignalFrame *)info;
	SignalFrame *to = frame_above(at);
	memcpy(to, from, size_of_frame(from));
	struct extra_context *extra = find_extra(&to->context);
	if (extra)
		extra->datap += (uintptr_t)to - (uintptr_t)from;
	mcontext_t *m = &u->uc_mcontext;
	m->sp = m->regs[19] = (uintptr_t)at;
	m->pc = (uintptr_t)circeh_fault_thunk;
}

/* Called by the thunk: where rt_sigreturn() finds what it needs. What a filter has changed of the thread's signals stays changed. */
void *circeh_fault_leave(CircehFault *f) __attribute__((visibility("hidden")));
void *circeh_fault_leave(CircehFault *f)
{
	SignalFrame *s = frame_above(f);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &s->context.uc_sigmask, sizeof(uint64_t));
	sigaltstack(NULL, &s->context.uc_stack);
	return s;
}

/* ---- what happened ---- */

bool circeh_context_has_address(const ucontext_t *u)
{
	(void)u;
	return true;
}

static bool bit(uint32_t word, unsigned n)
{
	return word >> n & 1;
}

static bool is_store_of_register(uint32_t i)
{
	enum { STORE = 0, STORE_QUAD = 2 };
	unsigned opc = i >> 22 & 3;
	bool atomic = !bit(i, 24) && bit(i, 21) && (i >> 10 & 3) == 0;
	return atomic || opc == STORE || (bit(i, 26) && opc == STORE_QUAD);
}

/* Does the instruction that faulted write? What reads and writes, too. */
static bool is_store(uint32_t i)
{
	enum { EXCLUSIVE = 1, LITERAL = 3, PAIR = 5, REGISTER = 7 };
	bool load = bit(i, 22), compare_and_swap = bit(i, 23) && bit(i, 21);
	if ((i & 0xffffffe0) == 0xd50b7420) /* DC ZVA */
		return true;
	if (!bit(i, 27) || bit(i, 25))
		return false;
	switch (i >> 27 & 7) {
	case EXCLUSIVE:
		return !load || (!bit(i, 26) && !bit(i, 24) && compare_and_swap);
	case PAIR:
		return !load;
	case REGISTER:
		return is_store_of_register(i);
	default:
		return false;
	}
}

static uint64_t access_by_syndrome(uint64_t esr)
{
	enum { CLASS = 26, INSTRUCTION_ABORT = 0x20, CACHE = 1 << 8, WRITE = 1 << 6 };
	if (esr >> CLASS == INSTRUCTION_ABORT)
		return FAULT_EXECUTE;
	return (esr & (CACHE | WRITE)) == WRITE ? FAULT_WRITE : FAULT_READ;
}

static uint64_t access_of(const siginfo_t *info, const ucontext_t *u)
{
	const struct esr_context *syndrome = (const struct esr_context *)find_record(u, ESR_MAGIC);
	uintptr_t pc = circeh_context_pc(u);
	if (syndrome)
		return access_by_syndrome(syndrome->esr);
	if ((uintptr_t)info->si_addr == pc)
		return FAULT_EXECUTE;
	return is_store(*(const uint32_t *)pc) ? FAULT_WRITE : FAULT_READ;
}

/* What lower/async_aarch64.c has in place of a division that would trap elsewhere. */
static uint32_t code_of_undefined(uintptr_t pc)
{
	enum { UDF_ZERO = 0xc094, UDF_OVERFLOW = 0xc095 };
	uint32_t instruction = circeh_is_operation(pc) ? *(const uint32_t *)pc : 0;
	return instruction == UDF_ZERO ? FAULT_DIVIDE : instruction == UDF_OVERFLOW ? FAULT_OVERFLOW : 0;
}

static uint32_t code_of_illegal(uintptr_t pc, int why)
{
	uint32_t code = code_of_undefined(pc);
	if (code)
		return code;
	return why == ILL_PRVOPC || why == ILL_PRVREG ? FAULT_PRIVILEGED : FAULT_ILLEGAL;
}

static uint32_t code_of(int signal, const siginfo_t *info, uintptr_t pc)
{
	switch (signal) {
	case SIGSEGV:
		return FAULT_ACCESS;
	case SIGBUS:
		return info->si_code == BUS_ADRALN ? FAULT_MISALIGNED : FAULT_IN_PAGE;
	case SIGILL:
		return code_of_illegal(pc, info->si_code);
	default:
		return circeh_float_code(info->si_code);
	}
}

void circeh_context_describe(CircehFault *f, int signal, const siginfo_t *info, const ucontext_t *u)
{
	const mcontext_t *m = &u->uc_mcontext;
	bool is_access = signal == SIGSEGV || signal == SIGBUS;
	memcpy(f->registers, m->regs, sizeof m->regs);
	f->registers[SP] = m->sp;
	f->pc = m->pc;
	f->flags = m->pstate;
	f->code = code_of(signal, info, m->pc);
	f->info[0] = is_access ? access_of(info, u) : 0;
	f->info[1] = is_access ? (uintptr_t)info->si_addr : 0;
}

bool circeh_context_is_division_by_zero(int signal, const ucontext_t *u)
{
	(void)signal;
	(void)u;
	return false; /* no division traps */
}
