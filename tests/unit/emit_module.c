/* What LLVM reports, and how it is told. */
#include "test.h"

#include "emit/emit.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>

static char messages[4096];
static unsigned failures, errors;

static void remember(const CircDiagnostic *d, void *user)
{
	(void)user;
	failures += d->severity == CIRC_FAILURE;
	errors += d->severity == CIRC_ERROR;
	snprintf(messages + strlen(messages), sizeof messages - strlen(messages), "%s\n", d->message);
}

typedef struct Setup {
	Diags d;
	LLVMTargetMachineRef machine;
	LLVMContextRef context;
	LLVMModuleRef module;
} Setup;

static bool begin(Setup *s, const char *ir)
{
	EmitTarget target = {.triple = "x86_64-unknown-linux-gnu", .opt = '0', .pic = true};
	char *message = NULL;
	messages[0] = '\0';
	failures = errors = 0;
	diag_init(&s->d, remember, NULL);
	s->machine = emit_target_machine(&target, &s->d);
	s->context = emit_context(&s->d);
	s->module = NULL;
	LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "test.ll");
	bool ok = EXPECT(!LLVMParseIRInContext(s->context, text, &s->module, &message));
	if (!ok)
		printf("%s\n", message);
	LLVMDisposeMessage(message);
	return ok && EXPECT(s->machine != NULL);
}

static void end(Setup *s)
{
	emit_dispose(s->context, s->module, s->machine);
}

static char *bytes_of(Setup *s, EmitFormat format, size_t *len)
{
	EmitImage image;
	EXPECT(emit_image(s->module, s->machine, &(EmitTarget){.opt = '2'}, format, &image, &s->d));
	char *data = emit_image_take(&image, len);
	emit_image_destroy(&image);
	return data;
}

static const char answer[] = "define i32 @answer() {\n  ret i32 42\n}\n";

TEST(every_format_in_memory)
{
	static const struct {
		EmitFormat format;
		const char *begins;
	} formats[] = {{EMIT_LLVM_IR, "; ModuleID"},
	               {EMIT_BITCODE, "BC"},
	               {EMIT_ASSEMBLY, "\t."},
	               {EMIT_OBJECT, "\177ELF"}};
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		Setup s;
		size_t len;
		if (!begin(&s, answer))
			return;
		char *data = bytes_of(&s, formats[i].format, &len);
		EXPECT(data && len > 8 && memcmp(data, formats[i].begins, strlen(formats[i].begins)) == 0);
		free(data);
		end(&s);
	}
}

TEST(machine_describes_itself)
{
	Setup s;
	if (!begin(&s, answer))
		return;
	char *layout = emit_machine_data_layout(s.machine, &s.d);
	EXPECT_EQ(strncmp(layout, "e-m:e-", 6), 0);
	free(layout);
	end(&s);
}

TEST(triples_are_brought_to_normal_form)
{
	char *t = emit_triple("x86_64-linux-gnu"), *host = emit_triple(NULL);
	EXPECT_STR(t, "x86_64-unknown-linux-gnu");
	EXPECT(host && strchr(host, '-'));
	free(t);
	free(host);
}

TEST(a_broken_module_is_a_failure_of_ours)
{
	Setup s;
	if (!begin(&s, answer))
		return;
	LLVMValueRef f = LLVMGetNamedFunction(s.module, "answer");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(LLVMGetFirstBasicBlock(f)));
	EXPECT(!emit_verify(s.module, &s.d));
	EXPECT_EQ(failures, 1);
	EXPECT_CONTAINS(messages, "does not have terminator");
	end(&s);
}

TEST(errors_of_the_back_end_arrive)
{
	Setup s;
	EmitImage image;
	if (!begin(&s, "define void @f() {\n  call void asm sideeffect \"wibble\", \"\"()\n  ret void\n}\n"))
		return;
	EXPECT(!emit_image(s.module, s.machine, &(EmitTarget){.opt = '2'}, EMIT_OBJECT, &image, &s.d));
	EXPECT(s.d.errors >= 1);
	EXPECT_CONTAINS(messages, "'cir.asm' op is rejected by LLVM in line 1 of its text: ");
	EXPECT_CONTAINS(messages, "wibble");
	emit_image_destroy(&image);
	end(&s);
}

TEST(pipelines_run_at_every_level)
{
	for (const char *opt = "0123s"; *opt; opt++) {
		Setup s;
		if (!begin(&s, "define i32 @f() {\n  %p = alloca i32\n  store i32 1, ptr %p\n  %v = load "
		               "i32, ptr %p\n"
		               "  ret i32 %v\n}\n"))
			return;
		EXPECT(emit_optimize(s.module, s.machine, *opt, &s.d));
		char *text = LLVMPrintModuleToString(s.module);
		EXPECT_EQ(strstr(text, "alloca") != NULL, *opt == '0');
		LLVMDisposeMessage(text);
		end(&s);
	}
}

TEST(unknown_names_are_errors_of_the_input)
{
	static const EmitTarget wrong[] = {
	    {.triple = "x86_64-linux-gnu", .cpu = "wibble", .opt = '0'},
	    {.triple = "x86_64-linux-gnu", .features = "+wobble", .opt = '0'},
	    {.triple = "wubble", .opt = '0'},
	    {.triple = "riscv64-linux-gnu", .opt = '0'},
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		Diags d;
		messages[0] = '\0';
		failures = errors = 0;
		diag_init(&d, remember, NULL);
		EXPECT(emit_target_machine(&wrong[i], &d) == NULL);
		EXPECT_EQ(errors, 1);
		EXPECT_EQ(failures, 0);
		EXPECT_CONTAINS(messages, "unknown");
	}
}
