/* What is left out of a module that only the code generator reads. */
#include "test.h"

#include "lower/lower.h"
#include "text/parse.h"
#include "verify/verify.h"

#include <llvm-c/Core.h>

static const char text[] =
    "!p = !cir.ptr<!s32i>\n"
    "!r = !cir.struct<\"r\" {!s64i}>\n"
    "cir.func private @g(!p {llvm.noundef, llvm.nonnull, llvm.dereferenceable = 4 : i64,"
    " llvm.align = 4 : i64}, !s8i {llvm.noundef, llvm.signext})\n"
    "cir.func private @h(!cir.ptr<!r> {llvm.byval = !r, llvm.align = 16 : i64})\n"
    "cir.func @f(%p: !p {llvm.noalias, llvm.noundef}, %c: !s8i {llvm.signext}) {\n"
    "  cir.call @g(%p, %c) : (!p {llvm.nonnull}, !s8i {llvm.noundef, llvm.signext}) -> ()\n"
    "  cir.return\n"
    "}\n"
    "cir.func no_inline @plain() attributes {\"cir.target-cpu\" = \"x86-64\", \"cir.tune-cpu\" = \"generic\","
    " \"cir.target-features\" = \"+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87\"} {\n"
    "  cir.return\n"
    "}\n"
    "cir.func @other() attributes {\"cir.target-cpu\" = \"haswell\", \"cir.tune-cpu\" = \"generic\","
    " \"cir.target-features\" = \"+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87\"} {\n"
    "  cir.return\n"
    "}\n"
    "cir.func no_inline @optnone() attributes {optnone} {\n"
    "  cir.return\n"
    "}\n";

/* The LLVM IR of the text above, to be given to LLVMDisposeMessage(). */
static char *lowered(bool code_only, bool plain_cpu)
{
	Diags d;
	diag_init(&d, NULL, NULL);
	IrModule *m = ir_module_create();
	LLVMContextRef context = LLVMContextCreate();
	LowerOptions options = {
	    .triple = "x86_64-unknown-linux-gnu", .code_only = code_only, .plain_cpu = plain_cpu};
	char *ir = NULL;
	if (EXPECT(text_parse(m, "test.cir", STR(text), &d)) && EXPECT(ir_verify(m, STAGE_ITANIUM, &d))) {
		LLVMModuleRef module = lower_module(m, context, &options, &d);
		if (EXPECT(module != NULL)) {
			ir = LLVMPrintModuleToString(module);
			LLVMDisposeModule(module);
		}
	}
	LLVMContextDispose(context);
	ir_module_destroy(m);
	return ir;
}

TEST(hints_are_for_optimizers)
{
	char *ir = lowered(false, true);
	EXPECT_CONTAINS(ir, "void @f(ptr noalias noundef %0, i8 signext %1)");
	EXPECT_CONTAINS(ir, "void @g(ptr noundef nonnull align 4 dereferenceable(4), i8 noundef signext)");
	EXPECT_CONTAINS(ir, "call void @g(ptr nonnull %0, i8 noundef signext %1)");
	LLVMDisposeMessage(ir);
}

TEST(code_alone_needs_no_hints)
{
	char *ir = lowered(true, false);
	EXPECT_CONTAINS(ir, "void @f(ptr %0, i8 signext %1)");
	EXPECT_CONTAINS(ir, "void @g(ptr, i8 signext)");
	EXPECT_CONTAINS(ir, "void @h(ptr byval(%struct.r) align 16)");
	EXPECT_CONTAINS(ir, "call void @g(ptr %0, i8 signext %1)");
	LLVMDisposeMessage(ir);
}

#define FEATURES "\"target-features\"=\"+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87\""

TEST(what_a_cpu_has_anyway_is_not_said_of_it)
{
	char *ir = lowered(true, true);
	EXPECT_CONTAINS(ir, "attributes #0 = { uwtable }\n"); /* @f */
	EXPECT_CONTAINS(ir, "{ uwtable \"target-cpu\"=\"x86-64\" }");
	EXPECT_CONTAINS(ir, "{ uwtable \"target-cpu\"=\"haswell\" " FEATURES " \"tune-cpu\"=\"generic\" }");
	EXPECT_CONTAINS(ir, "{ noinline optnone uwtable }");
	LLVMDisposeMessage(ir);
}

TEST(a_machine_with_features_of_its_own_is_told_those_of_each_function)
{
	char *ir = lowered(true, false);
	EXPECT_CONTAINS(ir, "{ uwtable \"target-cpu\"=\"x86-64\" " FEATURES " \"tune-cpu\"=\"generic\" }");
	LLVMDisposeMessage(ir);
}
