/* ms_types [--throw | --translate] FILE: the Microsoft counterpart of every Itanium type info in a module.
 *
 * A line per type info: its name, that of its descriptor, and the adjectives; with --throw also its
 * ThrowInfo, and then the module with all tables. With --translate: the module, with Microsoft descriptors
 * for Itanium type infos. What cannot be done is reported as the compiler would. */
#include "msvc/rtti.h"
#include "text/parse.h"
#include "text/print/print.h"

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

static void print_types(IrModule *m, MsTypes *types, bool throws)
{
	IR_FOR_OPS (op, ir_module_block(m)) {
		Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
		MsCatch handler;
		if (!name || strncmp(name->text, "_ZTI", 4) != 0 ||
		    !ms_catch_type(types, name, op->loc, &handler))
			continue;
		printf("%s %s %u", name->text, handler.descriptor->text, (unsigned)handler.adjectives);
		Name *table = throws ? ms_throw_info(types, name, NULL, NULL, op->loc) : NULL;
		printf(" %s\n", table ? table->text : "-");
	}
}

static void print_module(IrModule *m)
{
	StrBuf out = {0};
	Arena a;
	arena_init(&a);
	text_print(m, 0, &a, &out);
	fwrite(out.data, 1, out.len, stdout);
	arena_free(&a);
}

static void run(IrModule *m, Diags *d, const char *option)
{
	MsTypes types;
	ms_types_init(&types, m, d);
	bool translate = strcmp(option, "--translate") == 0, throws = strcmp(option, "--throw") == 0;
	if (!translate)
		print_types(m, &types, throws);
	if (throws || (translate && ms_rtti_translate(&types)))
		print_module(m);
}

int main(int argc, char **argv)
{
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
	if (text_parse(m, argv[argc - 1], (Str){text, len}, &d))
		run(m, &d, argc > 2 ? argv[1] : "");
	ir_module_destroy(m);
	free(text);
	return d.errors ? 1 : 0;
}
