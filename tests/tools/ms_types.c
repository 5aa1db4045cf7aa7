/* ms_types [--throw] FILE: the Microsoft counterpart of every Itanium type info in a module.
 *
 * A line per type info: its name, that of its descriptor, and the adjectives; with --throw also its ThrowInfo. What has none is
 * reported as the compiler would. Then, with --throw, the module with all tables. */
#include "abi/ms_type.h"
#include "text/parse.h"
#include "text/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const CircDiagnostic *diagnostic, void *user)
{
	(void)user;
	fprintf(stderr, "%u: %s\n", diagnostic->line, diagnostic->message);
}

static char *read_file(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rb");
	size_t cap = 1 << 24;
	char *text = in ? malloc(cap) : NULL;
	if (text)
		*len = fread(text, 1, cap, in);
	if (in)
		fclose(in);
	return text;
}

static void print_all(IrModule *m, Diags *d, bool throws)
{
	MsTypes types;
	ms_types_init(&types, m, d);
	IR_FOR_OPS (op, ir_module_block(m)) {
		Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
		MsCatch handler;
		if (!name || strncmp(name->text, "_ZTI", 4) != 0 ||
		    !ms_catch_type(&types, name, op->loc, &handler))
			continue;
		printf("%s %s %u", name->text, handler.descriptor->text, (unsigned)handler.adjectives);
		Name *table = throws ? ms_throw_info(&types, name, NULL, op->loc) : NULL;
		printf(" %s\n", table ? table->text : "-");
	}
}

int main(int argc, char **argv)
{
	bool throws = argc > 2 && strcmp(argv[1], "--throw") == 0;
	size_t len = 0;
	char *text = argc > 1 ? read_file(argv[argc - 1], &len) : NULL;
	IrModule *m = ir_module_create();
	Diags d;
	diag_init(&d, report, NULL);
	if (!text || !m) {
		fprintf(stderr, "cannot read the file\n");
		return 2;
	}
	d.limit = UINT32_MAX;
	if (text_parse(m, argv[argc - 1], (Str){text, len}, &d)) {
		print_all(m, &d, throws);
		if (throws) {
			StrBuf out = {0};
			Arena a;
			arena_init(&a);
			text_print(m, 0, &a, &out);
			fwrite(out.data, 1, out.len, stdout);
			arena_free(&a);
		}
	}
	ir_module_destroy(m);
	free(text);
	return d.errors ? 1 : 0;
}
