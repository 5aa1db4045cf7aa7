#include "driver/stack_watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LARGEST_FRAME = 1 << 20 }; /* so far below the limit may the first access of a function be */

static _Thread_local uintptr_t top; /* no frame of a callee is above; 0: not watched */
static _Thread_local size_t size;   /* 0: the main thread's, whose limit may be changed */
static struct sigaction former;
static _Alignas(16) char spare[STACK_SPARE];

static bool is_below_stack(uintptr_t address)
{
	struct rlimit limit = {.rlim_cur = size};
	if (!size && (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY))
		return false;
	return address < top && top - address < limit.rlim_cur + LARGEST_FRAME;
}

/* Any other fault happens again, with the handler that was there before; a signal that was sent is sent again. */
static void end_without_stack(int number, siginfo_t *info, void *context)
{
	static const char message[] = "circ: error: out of stack; raise the limit ('ulimit -s')\n";
	(void)context;
	bool sent = info->si_code <= 0;
	if (sent || !is_below_stack((uintptr_t)info->si_addr)) {
		sigaction(number, &former, NULL);
		if (sent)
			raise(number);
		return;
	}
	ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
	(void)written;
	_exit(3);
}

void stack_watch(void)
{
	struct sigaction action = {.sa_sigaction = end_without_stack, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	top = (uintptr_t)__builtin_frame_address(0);
	sigemptyset(&action.sa_mask);
	if (sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL) == 0)
		sigaction(SIGSEGV, &action, &former);
}

void stack_watched(void (*run)(void *), void *arg)
{
	_Alignas(16) char own[STACK_SPARE]; /* AddressSanitizer wants 8 */
	pthread_attr_t attr;
	if (pthread_getattr_np(pthread_self(), &attr) != 0) {
		run(arg);
		return;
	}
	pthread_attr_getstacksize(&attr, &size);
	pthread_attr_destroy(&attr);
	top = (uintptr_t)__builtin_frame_address(0);
	sigaltstack(&(stack_t){.ss_sp = own, .ss_size = sizeof own}, NULL);
	run(arg);
	sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	top = 0;
}

/* What a constructor of the program has put in their places stays. */
void stack_release(void)
{
	struct sigaction now;
	stack_t stack;
	if (sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
	    now.sa_sigaction == end_without_stack)
		sigaction(SIGSEGV, &former, NULL);
	if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp == spare)
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}
