/* Modules from LLVM IR, through the public interface. */
#include "test.h"

#include <circ/circ.h>

static char said[1024];

static void hear(const CircDiagnostic *d, void *user)
{
	(void)user;
	snprintf(said, sizeof said, "%s:%u:%u: %s", d->file ? d->file : "", d->line, d->column, d->message);
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
	EXPECT(strstr(said, "c.bc:0:0: LLVM cannot read the module: ") != NULL);
	EXPECT(circ_module_from_llvm("d.ll", "", 0, hear, NULL) == NULL);
	EXPECT(strstr(said, "d.ll:0:0: input is empty; expected LLVM IR") != NULL);
	EXPECT(circ_module_from_llvm(NULL, NULL, 0, hear, NULL) == NULL);
	EXPECT(strstr(said, "bytes") != NULL);
}

static const char foreign[] =
    "target triple = \"x86_64-unknown-linux-gnu\"\n"
    "declare void @work()\ndeclare i32 @other(...)\n"
    "define void @f() personality ptr @other {\n"
    "  invoke void @work() to label %done unwind label %pad\n"
    "pad:\n  %lp = landingpad { ptr, i32 } catch ptr null\n"
    "  %e = extractvalue { ptr, i32 } %lp, 0\n  call void @use(ptr %e)\n  ret void\n"
    "done:\n  ret void\n}\ndeclare void @use(ptr)\n";
static const char table[] = "personality other\nruntime circ 3\npads landed\n";

static CircModule *make_foreign(void)
{
	return circ_module_from_llvm("a.ll", foreign, sizeof foreign - 1, hear, NULL);
}

static bool makes_windows_object(CircModule *m)
{
	CircEmitOptions o = {.triple = "x86_64-pc-windows-msvc"};
	char *bytes = NULL;
	size_t len = 0;
	bool ok = circ_module_emit_memory(m, &o, CIRC_OBJECT, &bytes, &len);
	circ_free(bytes);
	return ok && len;
}

TEST(a_table_says_how_another_language_catches)
{
	CircModule *m = make_foreign();
	said[0] = '\0';
	EXPECT(!makes_windows_object(m));
	EXPECT(strstr(said, "has personality 'other', which is not that of C++; describe it by "
	                    "'circ_module_set_eh_runtime()'") != NULL);
	circ_module_destroy(m);
	m = make_foreign();
	EXPECT(circ_module_set_eh_runtime(m, "t", table, sizeof table - 1));
	CircModule *copy = circ_module_clone(m, hear, NULL);
	EXPECT(makes_windows_object(m));
	circ_module_destroy(m);
	EXPECT(makes_windows_object(copy)); /* has the table, too */
	circ_module_destroy(copy);
}

TEST(a_wrong_table_is_reported_and_not_kept)
{
	CircModule *m = make_foreign();
	EXPECT(!circ_module_set_eh_runtime(m, "t", "personality other\nbegin\n", 24));
	EXPECT(strstr(said, "'begin' needs a name") != NULL);
	EXPECT(!circ_module_set_eh_runtime(m, NULL, NULL, 3));
	EXPECT(!makes_windows_object(m));
	circ_module_destroy(m);
}
