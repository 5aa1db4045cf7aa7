/* table.c: any bytes as a table of exceptions (lift/runtime.h): it is read, or errors say why not; what is read names a personality, and the
 * module that has it is the same for a copy of it. */
#include "fuzz.h"

#include "lift/runtime.h"

const uint32_t fuzz_byte_mutations = 10;

static void check_table(const LiftTable *t)
{
	if (!t->personalities.len)
		fuzz_fail("a table without a personality is accepted");
	for (uint32_t i = 0; i < t->fns.len; i++)
		if (!t->fns.data[i].name.len || t->fns.data[i].role == LIFT_NOTHING ||
		    t->fns.data[i].role >= LIFT_ROLES)
			fuzz_fail("a function of a table has no name, or no role");
	if (!t->circ && (t->compare.len || t->pads.len || t->selector.len))
		fuzz_fail("exceptions of C++ are compared by a function");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Source text = {"fuzz", {size ? (const char *)data : "", size}};
	LiftTable t = {0};
	Arena mem;
	Diags d;
	IrModule *m = ir_module_create();
	if (!m)
		fuzz_fail("out of memory");
	arena_init(&mem);
	diag_init(&d, NULL, NULL);
	bool ok = lift_read_table(&t, &text, &mem, &d);
	if (ok != (d.errors == 0))
		fuzz_fail(ok ? "errors were reported, but the table is accepted" : "no error was reported");
	if (ok)
		check_table(&t);
	bool kept = lift_set_table(m, &text, &d);
	if (kept != ok || (ok ? !str_equal(m->eh_table, text.text) : m->eh_table.len > 0))
		fuzz_fail("the module has another table");
	arena_free(&mem);
	ir_module_destroy(m);
	return 0;
}
