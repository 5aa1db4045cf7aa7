#include "driver/depfile.h"

#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

/* NULL: no memory. */
static char *depfile_path(const Options *o, const char *output)
{
	if (o->depfile_name)
		return strdup(o->depfile_name);
	return path_with_suffix(output, ".d");
}

/* As make and ninja read names: a blank and '#' have a backslash before them, and so have the backslashes before a blank; '$' is
 * doubled. */
static void put_name(FILE *out, const char *name)
{
	for (const char *c = name; *c; c++) {
		if (*c == ' ' || *c == '\t' || *c == '#') {
			for (const char *b = c; b > name && b[-1] == '\\'; b--)
				fputc('\\', out);
			fputc('\\', out);
		} else if (*c == '$') {
			fputc('$', out);
		}
		fputc(*c, out);
	}
}

static void put_rule(FILE *out, const Options *o, const Input *input, const char *output)
{
	for (uint32_t i = 0; i < o->depfile_targets.len; i++) {
		const DepfileTarget *t = &o->depfile_targets.data[i];
		fputs(i ? " " : "", out);
		if (t->quoted)
			put_name(out, t->name);
		else
			fputs(t->name, out);
	}
	if (!o->depfile_targets.len)
		put_name(out, output);
	fputc(':', out);
	if (strcmp(input->path, "-") != 0) {
		fputc(' ', out);
		put_name(out, input->path);
	}
	if (o->eh_runtime) {
		fputc(' ', out);
		put_name(out, o->eh_runtime);
	}
	fputc('\n', out);
	if (o->eh_runtime && o->depfile_phony) {
		put_name(out, o->eh_runtime);
		fputs(":\n", out);
	}
}

static bool can_be_named(const char *name, Diags *d)
{
	size_t len = strlen(name);
	const char *why = strpbrk(name, "\n\r") ? "has a line break in it"
	                  : len && name[len - 1] == '\\'
	                      ? "ends with a backslash" /* which the rule goes on behind */
	                      : NULL;
	if (why)
		diag_error(d, (Loc){0}, "'%s' cannot be named in a rule of make ('-MD'), because it %s", name,
		           why);
	return !why;
}

static bool out_of_memory(Diags *d)
{
	diag_failure(d, "out of memory");
	return false;
}

bool depfile_write(const Options *o, const Input *input, const char *output, Diags *d)
{
	char *rule = NULL, *path = NULL;
	size_t len = 0;
	if (!can_be_named(input->path, d) || !can_be_named(output, d) ||
	    (o->eh_runtime && !can_be_named(o->eh_runtime, d)))
		return false;
	FILE *out = open_memstream(&rule, &len);
	if (!out)
		return out_of_memory(d);
	put_rule(out, o, input, output);
	bool ok = fclose(out) == 0 && (path = depfile_path(o, output));
	ok = ok ? emit_bytes(path, (Str){rule, len}, d) : out_of_memory(d);
	free(path);
	free(rule);
	return ok;
}
