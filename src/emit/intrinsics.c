/* emit/intrinsics.c */
#include "emit/intrinsics.h"

#include "base/arena.h"
#include "base/name.h"
#include "base/vec.h"
#include "emit/place.h"
#include "emit/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>

typedef struct Site {
	LLVMValueRef call, function;
} Site;

typedef struct Check {
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	Diags *d;
	unsigned kind; /* of the metadata that marks a call */
	Arena mem;
	NameTable seen; /* calls, as text */
	VEC(Site) sites;
} Check;

/* ---- calls that are different ---- */

static Str attribute(LLVMValueRef function, const char *name)
{
	unsigned len = 0;
	LLVMAttributeRef a =
	    LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return (Str){text, len};
}

static bool is_new(Check *c, const Site *s)
{
	StrBuf key = {0};
	size_t len;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(s->call), &len);
	buf_put(&c->mem, &key, (Str){name, len});
	for (unsigned i = 0; i < LLVMGetNumArgOperands(s->call); i++) {
		LLVMValueRef arg = LLVMGetOperand(s->call, i);
		unsigned long long n = LLVMIsAConstantInt(arg) && LLVMGetIntTypeWidth(LLVMTypeOf(arg)) <= 64
		                           ? LLVMConstIntGetZExtValue(arg)
		                           : 0;
		buf_printf(&c->mem, &key, " %d:%llu", LLVMGetValueKind(arg), n);
	}
	Str cpu = attribute(s->function, "target-cpu"), features = attribute(s->function, "target-features");
	buf_printf(&c->mem, &key, " %.*s %.*s", (int)cpu.len, cpu.data, (int)features.len, features.data);
	uint32_t before = c->seen.len;
	name_intern(&c->seen, (Str){key.data, key.len});
	return c->seen.len > before;
}

/* Other calls have places, too: emit/dontcall.h. */
static bool is_site(const Check *c, LLVMValueRef i)
{
	LLVMValueRef callee =
	    LLVMIsACallInst(i) && LLVMGetMetadata(i, c->kind) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
	size_t len;
	return callee && strncmp(LLVMGetValueName2(callee, &len), "llvm.", strlen("llvm.")) == 0;
}

static void find_sites(Check *c)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
				Site s = {i, f};
				if (is_site(c, i) && is_new(c, &s))
					vec_push(&c->mem, &c->sites, s);
			}
}

/* ---- the other process ---- */

enum { REASON_MAX = 512 };

/* A thread that held a lock of the allocator's or of LLVM's at the fork is not there to give it back, and the other
 * process waits for ever: seen with AddressSanitizer's allocator. So it gets a short time first, and is
 * tried again; a long one at last, since on a busy machine it may only be slow. */
static const unsigned seconds[] = {5, 20, 60};

static int answer; /* of the other process alone: LLVM's handler has no parameter */

static void give_reason(const char *reason)
{
	ssize_t n = write(answer, reason, strnlen(reason, REASON_MAX));
	_exit(n < 0);
}

static void ignore(LLVMDiagnosticInfoRef info, void *user)
{
	(void)info;
	(void)user;
}

BASE_NORETURN static void compile_and_exit(const Check *c, LLVMModuleRef trial, unsigned time, int out)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
	LLVMMemoryBufferRef buffer;
	char *message;
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		signal(crashes[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(nowhere, STDERR_FILENO);
	answer = out;
	alarm(time);
	LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(trial), ignore, NULL);
	LLVMResetFatalErrorHandler();
	LLVMInstallFatalErrorHandler(give_reason);
	LLVMTargetMachineEmitToMemoryBuffer(c->machine, trial, LLVMObjectFile, &message, &buffer);
	_exit(write(out, "", 1) != 1); /* LLVM came back */
}

/* What LLVM sets up once, under locks, is there before the fork: the other process would wait for ever for a
 * thread that was at it. So an empty module is compiled in this one. */
static void set_up(const Check *c)
{
	LLVMModuleRef empty = trial_module(c->module);
	LLVMMemoryBufferRef object;
	char *message;
	if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, empty, LLVMObjectFile, &message, &object))
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

typedef enum Outcome { MAKES_CODE, UNKNOWN, HANGS, REFUSES } Outcome;

/* reason: what LLVM says, of REASON_MAX + 1 bytes; "": it crashed. */
static Outcome compile_for(const Check *c, LLVMModuleRef trial, unsigned time, char *reason)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return UNKNOWN;
	pid_t child = fork();
	if (child == 0)
		compile_and_exit(c, trial, time, ends[1]);
	close(ends[1]);
	size_t len = child > 0 ? read_all(ends[0], reason, REASON_MAX) : 0;
	close(ends[0]);
	reason[len] = '\0';
	int status = child > 0 ? await(child) : 0;
	if (len)
		return reason[0] ? REFUSES : MAKES_CODE;
	if (!WIFSIGNALED(status))
		return UNKNOWN;
	return WTERMSIG(status) == SIGALRM ? HANGS : REFUSES;
}

static Outcome compile(const Check *c, LLVMModuleRef trial, char *reason)
{
	Outcome outcome = HANGS;
	for (size_t i = 0; i < ARRAY_LEN(seconds) && outcome == HANGS; i++)
		outcome = compile_for(c, trial, seconds[i], reason);
	return outcome;
}

static Outcome compile_sites(const Check *c, const Site *sites, uint32_t n, char *reason)
{
	LLVMModuleRef trial = trial_module(c->module);
	bool ok = true;
	for (uint32_t i = 0; i < n && ok; i++)
		ok = trial_add_call(trial, sites[i].call, sites[i].function);
	Outcome outcome = ok ? compile(c, trial, reason) : UNKNOWN;
	LLVMDisposeModule(trial);
	return outcome;
}

/* ---- the whole ---- */

static void report(const Check *c, const Site *s, const char *reason)
{
	Place place = place_of(c->d, LLVMGetMetadata(s->call, c->kind));
	Loc loc = {.pos = place.pos, .info = &place.info};
	size_t len;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(s->call), &len);
	Str cpu = attribute(s->function, "target-cpu"), features = attribute(s->function, "target-features");
	char *own_cpu = LLVMGetTargetMachineCPU(c->machine);
	char *own_features = LLVMGetTargetMachineFeatureString(c->machine);
	cpu = cpu.len ? cpu : str_of(own_cpu);
	features = features.len ? features : str_of(own_features);
	/* "Cannot select" goes on with addresses of this process. */
	bool told = *reason && strncmp(reason, "Cannot select", strlen("Cannot select")) != 0;
	diag_error(c->d, loc,
	           "'cir.call_llvm_intrinsic' op: LLVM has no code for '%.*s' with these arguments on CPU "
	           "'%.*s' with the "
	           "features '%.*s'%s%.*s",
	           (int)len, name, (int)cpu.len, cpu.data, (int)features.len, features.data, told ? ": " : "",
	           told ? (int)strcspn(reason, "\n") : 0, reason);
	LLVMDisposeMessage(own_cpu);
	LLVMDisposeMessage(own_features);
}

static bool check(Check *c, OomGuard *guard)
{
	char reason[REASON_MAX + 1];
	if (setjmp(guard->env)) {
		diag_failure(c->d, "out of memory");
		return false;
	}
	names_init(&c->seen, &c->mem);
	c->kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(c->module), PLACE_KIND, strlen(PLACE_KIND));
	find_sites(c);
	if (!c->sites.len)
		return true;
	set_up(c);
	if (compile_sites(c, c->sites.data, c->sites.len, reason) != REFUSES)
		return true;
	uint32_t errors = c->d->errors;
	for (uint32_t i = 0; i < c->sites.len && !diag_full(c->d); i++)
		if (compile_sites(c, &c->sites.data[i], 1, reason) == REFUSES)
			report(c, &c->sites.data[i], reason);
	return c->d->errors == errors;
}

bool intrinsics_check(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *d)
{
	OomGuard guard;
	Check c = {.module = module, .machine = machine, .d = d};
	if (!LLVMGetNamedMetadataNumOperands(module, PLACE_INTRINSICS))
		return true;
	arena_init(&c.mem);
	c.mem.oom = &guard;
	bool ok = check(&c, &guard);
	arena_free(&c.mem);
	return ok;
}
