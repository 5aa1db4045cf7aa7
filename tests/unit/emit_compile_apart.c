/* Code made in a process of its own (emit/llvm_gaps/compile_apart.h) when there is no process, or none that ends. The test has pipe2() and
 * alarm() of its own; alarm() is called in the other process alone. */
#include "test.h"

#include "emit/emit.h"
#include "emit/llvm_gaps/high_byte.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned processes, first_without, hanging;

int pipe2(int ends[2], int flags)
{
	if (++processes < first_without)
		return (int)syscall(SYS_pipe2, ends, flags);
	errno = EMFILE;
	return -1;
}

unsigned alarm(unsigned seconds)
{
	if (processes <= hanging)
		raise(SIGALRM); /* as if the time were over */
	return (unsigned)syscall(SYS_alarm, seconds);
}

static unsigned errors, notes;

static void count(const CircDiagnostic *d, void *user)
{
	(void)user;
	errors += d->severity == CIRC_ERROR;
	notes += d->severity == CIRC_NOTE;
}

/* The bytes are in sil and in dil, which only an instruction with a REX prefix can name, and none such can name ah. */
static const char refused[] = "define void @f(i32 %a, i8 %b) {\n"
                              "  call void asm sideeffect \"nop # $0\", \"{ah}\"(i8 %b)\n"
                              "  ret void\n"
                              "}\n"
                              "define void @g(i8 %a) {\n"
                              "  call void asm sideeffect \"nop # $0\", \"{ah}\"(i8 %a)\n"
                              "  ret void\n"
                              "}\n"
                              "!circ.high_bytes = !{!0}\n"
                              "!0 = !{}\n";

/* The first `hang` processes do not end, and from number `without` on there is none. */
static bool check(unsigned hang, unsigned without)
{
	EmitTarget target = {.triple = "x86_64-unknown-linux-gnu", .opt = '0'};
	Diags d;
	char *message = NULL;
	bool accepted = false;
	LLVMModuleRef module = NULL;
	diag_init(&d, count, NULL);
	errors = notes = processes = 0;
	hanging = hang;
	first_without = without;
	LLVMTargetMachineRef machine = emit_target_machine(&target, &d);
	LLVMContextRef context = emit_context(&d);
	LLVMMemoryBufferRef text =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(refused, sizeof refused - 1, "test.ll");
	if (EXPECT(machine != NULL) && EXPECT(!LLVMParseIRInContext(context, text, &module, &message)))
		accepted = high_byte_check(module, machine, &d);
	LLVMDisposeMessage(message);
	emit_dispose(context, module, machine);
	return accepted;
}

TEST(each_function_that_is_refused_is_told)
{
	EXPECT(!check(0, 1000));
	EXPECT_EQ(errors, 2);
}

TEST(nothing_is_known_without_a_process)
{
	EXPECT(check(0, 1));
	EXPECT_EQ(errors, 0);
	EXPECT_EQ(processes, 1);
}

/* The module is refused, of no function alone it is known: it must not be compiled in this process. */
TEST(a_module_refused_as_a_whole_is_refused)
{
	EXPECT(!check(0, 2));
	EXPECT_EQ(errors, 1);
	EXPECT_EQ(notes, 0);
	EXPECT_EQ(processes, 2);
}

/* A process may wait for a lock that nobody holds there: it is ended, and another one tried. */
TEST(a_process_that_hangs_is_tried_again)
{
	EXPECT(!check(2, 1000));
	EXPECT_EQ(errors, 2);
}

TEST(what_always_hangs_is_not_refused)
{
	EXPECT(check(3, 1000));
	EXPECT_EQ(errors, 0);
	EXPECT_EQ(processes, 3);
}

/* Time */

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Minutes of code generation. */
static LLVMModuleRef slow_module(LLVMContextRef context)
{
	char *message = NULL, text[16384];
	LLVMModuleRef module = NULL;
	int n = snprintf(text, sizeof text,
	                 "declare i4096 @llvm.smul.fix.sat.i4096(i4096, i4096, i32)\n"
	                 "define i4096 @f(i4096 %%v0) {\n");
	for (int i = 0; i < 100; i++)
		n += snprintf(
		    text + n, sizeof text - (size_t)n,
		    " %%v%d = call i4096 @llvm.smul.fix.sat.i4096(i4096 %%v%d, i4096 %%v%d, i32 %d)\n", i + 1,
		    i, i, i + 1);
	n += snprintf(text + n, sizeof text - (size_t)n, " ret i4096 %%v100\n}\n");
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, (size_t)n, "slow.ll");
	EXPECT(!LLVMParseIRInContext(context, buffer, &module, &message));
	LLVMDisposeMessage(message);
	return module;
}

static CompileOutcome compile_slow(CompileBudget *budget)
{
	EmitTarget target = {.triple = "x86_64-unknown-linux-gnu", .opt = '0'};
	char reason[COMPILE_REASON_MAX + 1];
	Diags d;
	diag_init(&d, count, NULL);
	LLVMTargetMachineRef machine = emit_target_machine(&target, &d);
	LLVMContextRef context = emit_context(&d);
	LLVMModuleRef module = slow_module(context);
	compile_apart_set_up(machine, module);
	CompileOutcome outcome = compile_apart(machine, module, budget, reason);
	emit_dispose(context, module, machine);
	return outcome;
}

/* It had a processor: another try would be as long. */
TEST(what_is_slow_is_tried_once_and_no_longer_than_allowed)
{
	CompileBudget budget = {.cpu_ms = 300, .clock_ms = 15000};
	processes = hanging = 0;
	first_without = 1000;
	EXPECT_EQ(compile_slow(&budget), COMPILE_HANGS);
	EXPECT_EQ(processes, 1);
	EXPECT(budget.cpu_ms <= 0);
	EXPECT(budget.clock_ms < 15000);
}

TEST(without_time_there_is_no_trial)
{
	CompileBudget none = {.cpu_ms = 0, .clock_ms = 15000}, late = {.cpu_ms = 5000, .clock_ms = -1};
	processes = hanging = 0;
	first_without = 1000;
	EXPECT_EQ(compile_slow(&none), COMPILE_UNKNOWN);
	EXPECT_EQ(compile_slow(&late), COMPILE_UNKNOWN);
	EXPECT_EQ(processes, 0);
}

/* The other process holds the writing end of a pipe as long as it lives. */
TEST(the_other_process_ends_with_this_one)
{
	int alive[2], begun[2];
	processes = hanging = 0;
	first_without = 1000;
	EXPECT(pipe(alive) == 0 && pipe(begun) == 0);
	pid_t parent = fork();
	if (parent == 0) {
		CompileBudget budget = {.cpu_ms = 60000, .clock_ms = 60000};
		close(alive[0]);
		EXPECT(write(begun[1], "", 1) == 1);
		compile_slow(&budget);
		_exit(0);
	}
	close(alive[1]);
	char byte;
	EXPECT(read(begun[0], &byte, 1) == 1);
	usleep(500000); /* it compiles in the other one by now */
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	int64_t begin = now_ms();
	struct pollfd end = {.fd = alive[0], .events = POLLIN};
	EXPECT(poll(&end, 1, 10000) == 1);
	EXPECT(now_ms() - begin < 2000);
	close(alive[0]);
	close(begun[0]);
	close(begun[1]);
}
