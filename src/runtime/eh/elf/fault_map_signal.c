/* The signal of an access that is a null check, too: the thread goes on in the check's cold code. All other faults go where they went
 * before. */
#include "runtime/eh/elf/fault_map.h"
#include "runtime/eh/exception.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <ucontext.h>

static struct sigaction former;

/* The instruction is started again behind the handler, and faults again. */
static void give_to_former(int signal, siginfo_t *info, void *context)
{
	if (former.sa_flags & SA_SIGINFO) {
		former.sa_sigaction(signal, info, context);
	} else if (former.sa_handler == SIG_DFL || former.sa_handler == SIG_IGN) {
		struct sigaction action = {.sa_handler = SIG_DFL};
		sigaction(signal, &action, NULL);
		if (info->si_code <= 0) /* somebody sent it: nothing faults again */
			raise(signal);
	} else {
		former.sa_handler(signal);
	}
}

static void handle(int signal, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	uintptr_t pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
	if (info->si_code > 0 && circ_fault_map_redirect(&pc))
		u->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
	else
		give_to_former(signal, info, context);
}

static void watch(void)
{
	static atomic_flag watches = ATOMIC_FLAG_INIT;
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	if (atomic_flag_test_and_set(&watches))
		return;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGSEGV, NULL, &former) == 0)
		sigaction(SIGSEGV, &action, NULL);
}

void circ_fault_maps_register(const void *begin, const void *end)
{
	if (begin == end)
		return;
	circeh_fault_maps_add(begin, end);
	watch();
}
