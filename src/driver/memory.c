#include "driver/memory.h"

#include "driver/batch.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* std::set_new_handler() of the C++ library that LLVM uses. It is told of what `new` is refused, however much that was: the
 * abort that would follow no longer knows. */
typedef void NewHandler(void);
NewHandler *cxx_set_new_handler(NewHandler *handler) __asm__("_ZSt15set_new_handlerPFvvE")
    __attribute__((weak));

/* The thread is in abort(), so that more may be called than in other handlers. NOLINTBEGIN(bugprone-signal-handler) */

/* What was asked for last was refused, or as much as LLVM may ask for at once would be: LLVM says so before it aborts, and
 * writing that sets errno to 0. Circ's own check_failed() aborts with EDOM. */
static bool is_out_of_memory(void)
{
	enum { MUCH = 1 << 30 };
	if (errno == ENOMEM || errno == EDOM)
		return errno == ENOMEM;
	void *probe = mmap(NULL, MUCH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return probe == MAP_FAILED || munmap(probe, MUCH) != 0;
}

static void end_without_memory(void)
{
	static const char message[] = "circ: error: LLVM: out of memory\n";
	ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
	(void)written;
	batch_await_writing();
	_exit(3);
}

/* LLVM has no way to return when there is no memory: it aborts, or the C++ library does for it. Any
 * other abort is a bug, and stays one, as does a signal from outside. */
static void end_aborted(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_pid == getpid() && is_out_of_memory())
		end_without_memory();
	signal(number, SIG_DFL);
	raise(number);
}
/* NOLINTEND(bugprone-signal-handler) */

void memory_watch(void)
{
	sigaction(SIGABRT, &(struct sigaction){.sa_sigaction = end_aborted, .sa_flags = SA_SIGINFO}, NULL);
	if (cxx_set_new_handler)
		cxx_set_new_handler(end_without_memory);
}

void memory_release(void)
{
	signal(SIGABRT, SIG_DFL);
	if (cxx_set_new_handler)
		cxx_set_new_handler(NULL);
}
