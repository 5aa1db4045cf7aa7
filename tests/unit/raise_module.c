/* A module that is in memory as LLVM's own, through the public interface: it is read, and left as it was. */
#include "test.h"

#include <circ/circ.h>

#include <llvm-c/Core.h>

static char said[1024];

static void hear(const CircDiagnostic *d, void *user)
{
	(void)user;
	snprintf(said, sizeof said, "%s: %s", d->file ? d->file : "", d->message);
}

static LLVMValueRef declare(LLVMModuleRef m, const char *name, LLVMTypeRef result, LLVMTypeRef *args,
                            unsigned n)
{
	return LLVMAddFunction(m, name, LLVMFunctionType(result, args, n, false));
}

/* try { work(); } catch (...) { } */
static LLVMModuleRef make_module(LLVMContextRef c)
{
	LLVMModuleRef m = LLVMModuleCreateWithNameInContext("made", c);
	LLVMTypeRef none = LLVMVoidTypeInContext(c), ptr = LLVMPointerTypeInContext(c, 0);
	LLVMTypeRef pair =
	    LLVMStructTypeInContext(c, (LLVMTypeRef[]){ptr, LLVMInt32TypeInContext(c)}, 2, false);
	LLVMTypeRef plain = LLVMFunctionType(none, NULL, 0, false),
	            takes = LLVMFunctionType(ptr, &ptr, 1, false);
	LLVMSetTarget(m, "x86_64-unknown-linux-gnu");
	LLVMValueRef work = declare(m, "work", none, NULL, 0),
	             end = declare(m, "__cxa_end_catch", none, NULL, 0);
	LLVMValueRef begin = declare(m, "__cxa_begin_catch", ptr, &ptr, 1),
	             f = declare(m, "f", none, NULL, 0);
	LLVMValueRef personality = declare(m, "__gxx_personality_v0", LLVMInt32TypeInContext(c), NULL, 0);
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, f, ""),
	                  pad = LLVMAppendBasicBlockInContext(c, f, ""),
	                  done = LLVMAppendBasicBlockInContext(c, f, "");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMSetPersonalityFn(f, personality);
	LLVMPositionBuilderAtEnd(b, entry);
	LLVMBuildInvoke2(b, plain, work, NULL, 0, done, pad, "");
	LLVMPositionBuilderAtEnd(b, pad);
	LLVMValueRef caught = LLVMBuildLandingPad(b, pair, NULL, 1, "");
	LLVMAddClause(caught, LLVMConstNull(ptr));
	LLVMValueRef exception = LLVMBuildExtractValue(b, caught, 0, "");
	LLVMBuildCall2(b, takes, begin, &exception, 1, "");
	LLVMBuildCall2(b, plain, end, NULL, 0, "");
	LLVMBuildBr(b, done);
	LLVMPositionBuilderAtEnd(b, done);
	LLVMBuildRetVoid(b);
	LLVMDisposeBuilder(b);
	return m;
}

TEST(a_module_of_llvm_is_read_and_stays_as_it_was)
{
	LLVMContextRef c = LLVMContextCreate();
	LLVMModuleRef theirs = make_module(c);
	char *before = LLVMPrintModuleToString(theirs);
	CircModule *m = circ_module_from_llvm_module("made", theirs, hear, NULL);
	char *after = LLVMPrintModuleToString(theirs);
	EXPECT(m != NULL);
	EXPECT(strcmp(before, after) == 0);
	LLVMDisposeMessage(before);
	LLVMDisposeMessage(after);
	LLVMDisposeModule(theirs);
	LLVMContextDispose(c);

	char *printed = NULL;
	char *object = NULL;
	size_t len = 0;
	EXPECT(circ_module_verify(m, CIRC_STAGE_ITANIUM));
	EXPECT(circ_module_print(m, 0, &printed, NULL));
	EXPECT(printed && strstr(printed, "circ.landingpad [unit]"));
	EXPECT(circ_module_emit_memory(m, NULL, CIRC_OBJECT, &object, &len) && len > 0);
	circ_free(printed);
	circ_free(object);
	circ_module_destroy(m);
}

TEST(what_does_not_verify_or_is_none_is_reported)
{
	LLVMContextRef c = LLVMContextCreate();
	LLVMModuleRef theirs = LLVMModuleCreateWithNameInContext("made", c);
	LLVMAppendBasicBlockInContext(c, declare(theirs, "f", LLVMVoidTypeInContext(c), NULL, 0), "");
	EXPECT(circ_module_from_llvm_module("made", theirs, hear, NULL) == NULL);
	EXPECT(strstr(said, "made: LLVM cannot read the module: ") != NULL);
	LLVMDisposeModule(theirs);
	LLVMContextDispose(c);
	EXPECT(circ_module_from_llvm_module(NULL, NULL, hear, NULL) == NULL);
	EXPECT(strstr(said, "module") != NULL && !strstr(said, "bytes"));
}
