/* interpret FILE [SEQUENCES [microsoft]]: runs test_0, test_1, … of a structured CIR file and prints what
 * tests/random/runtime.cpp prints for the compiled program, with microsoft: on windows-msvc. What a replaced exception's release prints begins
 * with '!'. */
#include "interpret.h"
#include "text/parse.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_diagnostic(const CircDiagnostic *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->message);
}

static bool run(Interp *in, const IrOp *test, unsigned sequence)
{
	ArenaMark mark = arena_mark(&in->mem);
	world_start(&in->world, sequence);
	in->guards = NULL;
	in->caller_catches = sequence % 4 != 3;
	memset(in->held, 0, sizeof in->held);
	in->handling = NULL;
	in->func = NULL;
	in->uncaught = 0;
	in->stopped = WAY_END;
	Way way = exec_function(in, test);
	if (way == WAY_END)
		printf(" returns %d\n", (int)in->result.i);
	else if (way == WAY_THROW && ir_symbol(ir_name(in->m, STR("own_act"))))
		own_print_escape(in, in->exception);
	else if (way == WAY_THROW)
		world_print_escape(in->exception);
	else if (way == WAY_TERMINATE)
		printf(" terminate\n");
	arena_release(&in->mem, mark);
	return way != WAY_FAILED;
}

static bool run_all(IrModule *m, unsigned sequences, bool microsoft)
{
	Interp in = {.m = m, .microsoft = microsoft};
	bool ok = true;
	arena_init(&in.mem);
	arena_init(&in.module);
	in.values = calloc(m->nvalues + 1, sizeof *in.values);
	for (unsigned t = 0; ok && in.values; t++) {
		char name[32];
		int len = snprintf(name, sizeof name, "test_%u", t);
		const IrOp *test = ir_symbol(ir_name(m, (Str){name, (size_t)len}));
		if (!test)
			break;
		for (unsigned s = 0; ok && s < sequences; s++) {
			printf("%u.%u:", t, s);
			ok = run(&in, test, s);
		}
	}
	ok = ok && in.values;
	free(in.values);
	arena_free(&in.module);
	arena_free(&in.mem);
	return ok;
}

static char *read_all(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		return NULL;
	char *data = NULL, chunk[65536];
	FILE *out = open_memstream(&data, len);
	for (size_t n; out && (n = fread(chunk, 1, sizeof chunk, in)) > 0;)
		fwrite(chunk, 1, n, out);
	fclose(in);
	if (out)
		fclose(out);
	return data;
}

int main(int argc, char **argv)
{
	size_t len;
	char *text = argc > 1 ? read_all(argv[1], &len) : NULL;
	if (!text) {
		fprintf(stderr, "usage: interpret FILE [SEQUENCES [microsoft]]\n");
		return 2;
	}
	IrModule *m = ir_module_create();
	if (!m)
		return 2;
	Diags d;
	diag_init(&d, print_diagnostic, NULL);
	bool ok = text_parse(m, argv[1], (Str){text, len}, &d) && ir_verify(m, STAGE_STRUCTURED, &d) &&
	          run_all(m, argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 8,
	                  argc > 3 && strcmp(argv[3], "microsoft") == 0);
	ir_module_destroy(m);
	free(text);
	return ok ? 0 : 1;
}
