/* emit/llvm_gaps/compile_apart.c */
#include "emit/llvm_gaps/compile_apart.h"

#include "base/base.h"
#include "emit/llvm_gaps/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>

/* A thread that held a lock of the allocator's or of LLVM's at the fork is not there to give it back, and the other
 * process waits for ever: seen with AddressSanitizer's allocator. So it gets a short time first, and is tried again where
 * it used little of it. On a busy machine it may only have waited for a processor: it gets more each time. */
static const unsigned seconds[] = {3, 5, 7};

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

/* The kernel tells only of an end that comes later. The thread at the fork waits for this process, so that it cannot end
 * before it in any other way. */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
}

/* alarm() counts whole seconds. */
static void limit_time(unsigned time, int64_t cpu_ms)
{
	struct timeval left = {.tv_sec = cpu_ms / 1000, .tv_usec = cpu_ms % 1000 * 1000};
	alarm(time);
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value = left}, NULL);
}

typedef struct Trial {
	LLVMTargetMachineRef machine;
	LLVMModuleRef module;
	unsigned seconds; /* by the clock */
	int64_t cpu_ms;   /* at most; then: what it took */
	int64_t clock_ms; /* what it took */
	int signal;       /* that ended it, or 0 */
} Trial;

BASE_NORETURN static void compile_and_exit(const Trial *t, int out)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM, SIGPROF};
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
	limit_time(t->seconds, t->cpu_ms);
	LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(t->module), take_diagnostic, NULL);
	LLVMResetFatalErrorHandler();
	LLVMInstallFatalErrorHandler(give_reason);
	LLVMTargetMachineEmitToMemoryBuffer(t->machine, t->module, LLVMObjectFile, &message, &buffer);
	_exit(write(out, "", 1) != 1); /* LLVM came back */
}

/* Making code for WebAssembly writes the module's features into the machine (WebAssemblyCoalesceFeaturesAndStripAtomics), here none. */
static LLVMTargetMachineRef copy_machine(LLVMTargetMachineRef machine)
{
	char *triple = LLVMGetTargetMachineTriple(machine), *cpu = LLVMGetTargetMachineCPU(machine);
	char *features = LLVMGetTargetMachineFeatureString(machine);
	LLVMTargetMachineRef copy =
	    LLVMCreateTargetMachine(LLVMGetTargetMachineTarget(machine), triple, cpu, features,
	                            LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
	LLVMDisposeMessage(triple);
	LLVMDisposeMessage(cpu);
	LLVMDisposeMessage(features);
	return copy;
}

/* What LLVM sets up once, under locks, is there before the fork: the other process would wait for ever for a
 * thread that was at it. So an empty module is compiled in this one. */
void compile_apart_set_up(LLVMTargetMachineRef machine, LLVMModuleRef like)
{
	LLVMModuleRef empty = trial_module(like);
	LLVMTargetMachineRef same = copy_machine(machine);
	LLVMMemoryBufferRef object;
	char *message;
	if (LLVMTargetMachineEmitToMemoryBuffer(same, empty, LLVMObjectFile, &message, &object))
		LLVMDisposeMessage(message);
	else
		LLVMDisposeMemoryBuffer(object);
	LLVMDisposeTargetMachine(same);
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

static int64_t ms_of(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000 + t.tv_usec / 1000;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void await(Trial *t, pid_t child)
{
	struct rusage used = {.ru_maxrss = 0};
	int status = 0;
	pid_t got;
	do
		got = wait4(child, &status, 0, &used);
	while (got < 0 && errno == EINTR);
	if (got == child && WIFSIGNALED(status))
		t->signal = WTERMSIG(status);
	t->cpu_ms = ms_of(used.ru_utime) + ms_of(used.ru_stime);
}

static CompileOutcome run(Trial *t, char *reason)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return COMPILE_UNKNOWN;
	int64_t begin = now_ms(), allowed = t->cpu_ms;
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		end_with(parent);
		compile_and_exit(t, ends[1]);
	}
	close(ends[1]);
	size_t len = child > 0 ? read_all(ends[0], reason, COMPILE_REASON_MAX) : 0;
	close(ends[0]);
	reason[len] = '\0';
	t->cpu_ms = 0;
	if (child > 0)
		await(t, child);
	/* The timer and the account of a process differ on a busy machine. */
	if (t->signal == SIGPROF && t->cpu_ms < allowed)
		t->cpu_ms = allowed;
	t->clock_ms = now_ms() - begin;
	if (len)
		return reason[0] ? COMPILE_REFUSED : COMPILE_DONE;
	if (t->signal == SIGALRM || t->signal == SIGPROF)
		return COMPILE_HANGS;
	return t->signal ? COMPILE_REFUSED : COMPILE_UNKNOWN;
}

CompileOutcome compile_apart(LLVMTargetMachineRef machine, LLVMModuleRef module, CompileBudget *budget,
                             char *reason)
{
	CompileOutcome outcome = COMPILE_HANGS;
	bool waited = true; /* rather than that it ran */
	for (size_t i = 0; i < ARRAY_LEN(seconds) && outcome == COMPILE_HANGS && waited; i++) {
		if (budget->cpu_ms <= 0 || budget->clock_ms <= 0)
			return COMPILE_UNKNOWN;
		unsigned left = (unsigned)((budget->clock_ms + 999) / 1000);
		Trial t = {.machine = machine, .module = module, .cpu_ms = budget->cpu_ms};
		t.seconds = left < seconds[i] ? left : seconds[i];
		outcome = run(&t, reason);
		budget->cpu_ms -= t.cpu_ms;
		budget->clock_ms -= t.clock_ms;
		waited = t.signal == SIGALRM && t.cpu_ms < t.seconds * 500;
	}
	return outcome;
}
