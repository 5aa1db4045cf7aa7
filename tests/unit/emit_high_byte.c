/* Code made in a process of its own (emit/compile_apart.h) when there is no process, or none that ends. The test has pipe2() and
 * alarm() of its own; alarm() is called in the other process alone. */
#include "test.h"

#include "emit/emit.h"
#include "emit/high_byte.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <signal.h>
#include <sys/syscall.h>
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
