/* emit/compile_apart.c */
#include "emit/compile_apart.h"

#include "base/base.h"
#include "emit/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>

/* A thread that held a lock of the allocator's or of LLVM's at the fork is not there to give it back, and the other
 * process waits for ever: seen with AddressSanitizer's allocator. So it gets a short time first, and is
 * tried again; a long one at last, since on a busy machine it may only be slow. */
static const unsigned seconds[] = {5, 20, 60};

static int answer; /* of the other process alone: LLVM's handler has no parameter */

static void give_reason(const char *reason)
{
	ssize_t n = write(answer, reason, strnlen(reason, COMPILE_REASON_MAX));
	_exit(n < 0);
}

/* An error is a refusal, too: "no libcall available for fldexp". */
static void take_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
	(void)user;
	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
		give_reason(LLVMGetDiagInfoDescription(info));
}

BASE_NORETURN static void compile_and_exit(LLVMTargetMachineRef machine, LLVMModuleRef module, unsigned time,
                                           int out)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
	LLVMMemoryBufferRef buffer;
	char *message;
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		signal(crashes[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	sigset_t none; /* the mask is inherited: alarm() must end this one, whatever the host blocks */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(nowhere, STDERR_FILENO);
	answer = out;
	alarm(time);
	LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), take_diagnostic, NULL);
	LLVMResetFatalErrorHandler();
	LLVMInstallFatalErrorHandler(give_reason);
	LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &buffer);
	_exit(write(out, "", 1) != 1); /* LLVM came back */
}

/* What LLVM sets up once, under locks, is there before the fork: the other process would wait for ever for a
 * thread that was at it. So an empty module is compiled in this one. */
void compile_apart_set_up(LLVMTargetMachineRef machine, LLVMModuleRef like)
{
	LLVMModuleRef empty = trial_module(like);
	LLVMMemoryBufferRef object;
	char *message;
	if (LLVMTargetMachineEmitToMemoryBuffer(machine, empty, LLVMObjectFile, &message, &object))
		LLVMDisposeMessage(message);
	else
		LLVMDisposeMemoryBuffer(object);
	LLVMDisposeModule(empty);
}

static size_t read_all(int in, char *out, size_t size)
{
	size_t len = 0;
	ssize_t n;
	while (len < size && ((n = read(in, out + len, size - len)) > 0 || (n < 0 && errno == EINTR)))
		len += n > 0 ? (size_t)n : 0;
	return len;
}

static int await(pid_t child)
{
	int status = 0;
	pid_t got;
	do
		got = waitpid(child, &status, 0);
	while (got < 0 && errno == EINTR);
	return got == child ? status : 0;
}

static CompileOutcome compile_for(LLVMTargetMachineRef machine, LLVMModuleRef module, unsigned time,
                                  char *reason)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return COMPILE_UNKNOWN;
	pid_t child = fork();
	if (child == 0)
		compile_and_exit(machine, module, time, ends[1]);
	close(ends[1]);
	size_t len = child > 0 ? read_all(ends[0], reason, COMPILE_REASON_MAX) : 0;
	close(ends[0]);
	reason[len] = '\0';
	int status = child > 0 ? await(child) : 0;
	if (len)
		return reason[0] ? COMPILE_REFUSED : COMPILE_DONE;
	if (!WIFSIGNALED(status))
		return COMPILE_UNKNOWN;
	return WTERMSIG(status) == SIGALRM ? COMPILE_HANGS : COMPILE_REFUSED;
}

CompileOutcome compile_apart(LLVMTargetMachineRef machine, LLVMModuleRef module, char *reason)
{
	CompileOutcome outcome = COMPILE_HANGS;
	for (size_t i = 0; i < ARRAY_LEN(seconds) && outcome == COMPILE_HANGS; i++)
		outcome = compile_for(machine, module, seconds[i], reason);
	return outcome;
}
