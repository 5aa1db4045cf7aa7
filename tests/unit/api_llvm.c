/* Modules from LLVM IR, through the public interface. */
#include "test.h"

#include <circ/circ.h>

static char said[1024];

static void hear(const CircDiagnostic *d, void *user)
{
	(void)user;
	snprintf(said, sizeof said, "%s", d->message);
}

static const char text[] = "target triple = \"x86_64-unknown-linux-gnu\"\n"
                           "define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n";

TEST(text_of_llvm_becomes_a_module)
{
	CircModule *m = circ_module_from_llvm("a.ll", text, sizeof text - 1, hear, NULL);
	char *printed = NULL;
	EXPECT(m != NULL);
	EXPECT(circ_module_stage(m) == CIRC_STAGE_ITANIUM);
	EXPECT(circ_module_verify(m, CIRC_STAGE_ITANIUM));
	EXPECT(circ_module_print(m, 0, &printed, NULL));
	EXPECT(printed && strstr(printed, "cir.add nsw %arg0, %0 : !s32i"));
	circ_free(printed);
	circ_module_destroy(m);
}

TEST(what_llvm_cannot_read_is_reported)
{
	EXPECT(circ_module_from_llvm("b.ll", "define", 6, hear, NULL) == NULL);
	EXPECT(strstr(said, "b.ll:1:7: LLVM cannot read the module: ") != NULL);
	EXPECT(circ_module_from_llvm("c.bc", "BC\xC0\xDE\x35\x14", 6, hear, NULL) == NULL);
	EXPECT(strstr(said, "c.bc: LLVM cannot read the module: ") != NULL);
	EXPECT(circ_module_from_llvm("d.ll", "", 0, hear, NULL) == NULL);
	EXPECT(strstr(said, "d.ll: input is empty; expected LLVM IR") != NULL);
	EXPECT(circ_module_from_llvm(NULL, NULL, 0, hear, NULL) == NULL);
	EXPECT(strstr(said, "bytes") != NULL);
}
