/* Signals of faults (POSIX.1-2017, 2.4): those of code that may fault go on in the thunk, all others go where they went before.
 *
 * The handler calls what is safe there alone, and reads memory that is never taken away. It writes to the stack of the code that faulted, so
 * that a thread needs nothing of its own.
 */
#include "runtime/eh/elf/fault_context.h"
#include "runtime/eh/elf/fault_map.h"
#include "runtime/eh/elf/stay_loaded.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULTS = sizeof faults / sizeof faults[0] };

/* What had the signal before us. */
static struct sigaction former[FAULTS];

static unsigned number_of(int signal)
{
	unsigned i = 0;
	while (faults[i] != signal)
		i++;
	return i;
}

/* Others */

static void set_default(int signal)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigaction(signal, &action, NULL);
}

/* The instruction is started again behind the handler, and faults again; what somebody has sent is sent again. */
static void go_by_default(int signal, const siginfo_t *info)
{
	set_default(signal);
	if (info->si_code <= 0)
		syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal);
}

/* With the signals blocked that it would have found blocked. */
static void call_former(const struct sigaction *action, int signal, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;
	sigset_t blocked;
	sigorset(&blocked, &u->uc_sigmask, &action->sa_mask);
	if (!(action->sa_flags & SA_NODEFER))
		sigaddset(&blocked, signal);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(signal, info, context);
	else
		action->sa_handler(signal);
}

/* As the system would have done: a fault is not ignored. */
static void give_to_former(int signal, siginfo_t *info, void *context)
{
	struct sigaction action = former[number_of(signal)];
	bool plain = !(action.sa_flags & SA_SIGINFO);
	if (plain && action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (plain && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
		go_by_default(signal, info);
		return;
	}
	if (action.sa_flags & SA_RESETHAND)
		former[number_of(signal)] = (struct sigaction){.sa_handler = SIG_DFL};
	call_former(&action, signal, info, context);
}

/* Ours */

/* Can the thread write there, where it has nothing? The system says so without a fault. */
static bool is_writable(uintptr_t at)
{
	return syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, at, sizeof(uint64_t)) == 0;
}

static bool is_on_own_stack(const stack_t *own, uintptr_t at)
{
	return !(own->ss_flags & (SS_ONSTACK | SS_DISABLE)) && at - (uintptr_t)own->ss_sp < own->ss_size;
}

/* Below what the code that faulted uses, and, where the signal came on the same stack, below what that takes. 0: the stack is used up. */
static uintptr_t place_of_fault(const siginfo_t *info, const ucontext_t *u)
{
	enum { ALIGNMENT = 64, OWN_FRAMES = 2048 };
	CircehRoom room = circeh_context_room(info);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	bool is_apart = is_on_own_stack(&u->uc_stack, here);
	uintptr_t at = (is_apart ? circeh_context_sp(u) : here - OWN_FRAMES) - room.above;
	at = (at - sizeof(CircehFault)) & ~(uintptr_t)(ALIGNMENT - 1);
	return is_writable(at) && is_writable(at - room.below) ? at : 0;
}

static bool raise_in(int signal, const siginfo_t *info, ucontext_t *u)
{
	uintptr_t at = place_of_fault(info, u);
	if (!at)
		return false;
	CircehFault f;
	circeh_context_describe(&f, signal, info, u);
	*(CircehFault *)at = f;
	circeh_context_enter((CircehFault *)at, info, u);
	return true;
}

/* Of an access that is a null check, too, only that through null is one that failed: LLVM folds accesses on either side, less than a page away. */
static bool is_through_null(int signal, const siginfo_t *info, const ucontext_t *u)
{
	enum { PAGE = 4096 };
	return signal == SIGSEGV && circeh_context_has_address(u) &&
	       (uintptr_t)info->si_addr + PAGE < 2 * (uintptr_t)PAGE;
}

/* A check that was folded: the thread goes on where it raises. */
static bool fail_check(int signal, const siginfo_t *info, ucontext_t *u)
{
	uintptr_t pc = circeh_context_pc(u);
	if (info->si_code <= 0 ||
	    !(is_through_null(signal, info, u) || circeh_context_is_division_by_zero(signal, u)) ||
	    !circ_fault_map_redirect(&pc))
		return false;
	circeh_context_set_pc(u, pc);
	return true;
}

static void handle(int signal, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	uintptr_t pc = circeh_context_pc(u);
	if (fail_check(signal, info, u))
		return;
	bool ours = info->si_code > 0 && circeh_may_fault(pc) && !circeh_fault_is_declined(pc);
	if (!ours || !raise_in(signal, info, u))
		give_to_former(signal, info, context);
}

/* A stack of the thread's own for signals, so that a handler runs where its stack is used up. */

enum { SIGNAL_STACK = 65536 };

static pthread_key_t stack_key;
static atomic_bool has_key;

static void free_stack(void *stack)
{
	stack_t now;
	if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack)
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	munmap(stack, SIGNAL_STACK);
}

bool circ_faults_thread(void)
{
	stack_t now;
	if (!atomic_load(&has_key) || sigaltstack(NULL, &now) != 0)
		return false;
	if (!(now.ss_flags & SS_DISABLE))
		return true;
	void *stack = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return false;
	if (sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = SIGNAL_STACK}, NULL) == 0 &&
	    pthread_setspecific(stack_key, stack) == 0)
		return true;
	free_stack(stack);
	return false;
}

/* The linker defines where the tables of this program or library begin and end, since there is one: an entry without a size, which goes
 * where this function goes. */
extern const char __start_circ_fault_ranges[] __attribute__((visibility("hidden")));
extern const char __stop_circ_fault_ranges[] __attribute__((visibility("hidden")));
/* And functions that are marked circ.may_fault: their section. */
extern const char __start_circ_may_fault[] __attribute__((visibility("hidden")));
extern const char __stop_circ_may_fault[] __attribute__((visibility("hidden")));
__asm__(".pushsection circ_may_fault,\"ax\",@progbits\n"
        "circeh_no_code:\n\t"
        ".byte 0xcc\n\t"
        ".popsection\n\t"
        ".pushsection circ_fault_ranges,\"ao\",@progbits,circeh_no_code\n\t"
        ".long 0, 0\n\t"
        ".popsection");
/* What is named stays, and so do both sections. */
extern const char circeh_no_code[] __attribute__((visibility("hidden")));

/* All other signals wait: the handler writes below its own stack. */
static bool install(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigfillset(&action.sa_mask);
	circeh_context_measure();
	__asm__ volatile("" : : "r"(circeh_no_code));
	if (!circ_faults_register(__start_circ_fault_ranges, __stop_circ_fault_ranges) ||
	    !circ_faults_register_code(__start_circ_may_fault, __stop_circ_may_fault))
		return false;
	circeh_stay_loaded();
	if (pthread_key_create(&stack_key, free_stack) != 0)
		return false;
	atomic_store(&has_key, true);
	for (unsigned i = 0; i < FAULTS; i++)
		if (sigaction(faults[i], NULL, &former[i]) != 0 || sigaction(faults[i], &action, NULL) != 0)
			return false;
	return true;
}

static bool installed;

static void install_once(void)
{
	installed = install();
}

bool circ_faults_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	return pthread_once(&once, install_once) == 0 && installed && circ_faults_thread();
}
