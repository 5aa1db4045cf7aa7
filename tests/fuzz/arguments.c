/* arguments.c: files of arguments (@FILE) and rules of make (-MD). An input is the text of such a file, to the first NUL; behind it two names for a rule, apart by
 * another NUL.
 *
 * What a text is split into is the same when it is quoted and split again; the options in it are accepted, or refused with a message; a rule
 * reads back, as make and ninja read it, as the names that it was made of. */
#include "fuzz.h"

#include "driver/arguments.h"
#include "driver/depfile.c"
#include "driver/options_check.h"

const uint32_t fuzz_byte_mutations = 16;

static void check_split(const ArgumentList *list, Arena *mem)
{
	StrBuf quoted = {0};
	ArgumentList again = {0};
	for (uint32_t i = 0; i < list->len; i++) {
		buf_put(mem, &quoted, *list->data[i] ? STR(" ") : STR(" ''"));
		for (const char *c = list->data[i]; *c; c++) {
			buf_char(mem, &quoted, '\\');
			buf_char(mem, &quoted, *c);
		}
	}
	arguments_split((Str){quoted.data, quoted.len}, mem, &again);
	if (again.len != list->len)
		fuzz_fail("%u arguments became %u", list->len, again.len);
	for (uint32_t i = 0; i < list->len; i++)
		if (strcmp(list->data[i], again.data[i]) != 0)
			fuzz_fail("'%s' became '%s'", list->data[i], again.data[i]);
}

/* Other files are not opened. */
static void check_options(const ArgumentList *list, Arena *mem, FILE *nowhere)
{
	Options o;
	Report r;
	char **argv = arena_array(mem, char *, (size_t)list->len + 2);
	int argc = 1;
	argv[0] = (char *)(uintptr_t) "circ";
	for (uint32_t i = 0; i < list->len; i++)
		if (list->data[i][0] != '@')
			argv[argc++] = list->data[i];
	report_init(&r);
	r.out = nowhere;
	bool ok = options_parse(&o, argc, argv, mem, &r);
	if (ok != !r.usage)
		fuzz_fail(ok ? "the command line is accepted, with an error" : "no error says why it is not");
	if (ok && !o.help && !o.version && options_check(&o, &r) == r.usage)
		fuzz_fail("the options are accepted with an error, or refused without one");
}

/* One name of a rule, to what ends it; *at stands behind. */
static const char *read_name(const char **at, Arena *mem)
{
	StrBuf name = {0};
	const char *c = *at;
	for (; *c && *c != ' ' && *c != '\t' && *c != '\n'; c++) {
		size_t backslashes = strspn(c, "\\");
		bool escapes = backslashes % 2 && c[backslashes] && strchr(" \t#", c[backslashes]);
		if (backslashes && c[backslashes] && strchr(" \t#", c[backslashes])) {
			for (size_t i = 0; i < backslashes / 2; i++)
				buf_char(mem, &name, '\\');
			if (!escapes) {
				c += backslashes;
				break;
			}
			c += backslashes;
		} else if (*c == '$') {
			c++;
		}
		buf_char(mem, &name, *c);
	}
	buf_char(mem, &name, '\0');
	*at = c;
	return name.data;
}

static void check_rule(const char *input, const char *output, Arena *mem)
{
	Options o = {0};
	Input in = {.path = input, .is_cir = true};
	Diags d;
	char *rule;
	size_t len;
	diag_init(&d, NULL, NULL);
	if (!*input || !*output || strcmp(input, "-") == 0 || !can_be_named(input, &d) ||
	    !can_be_named(output, &d))
		return;
	FILE *out = open_memstream(&rule, &len);
	if (!out)
		fuzz_fail("out of memory");
	put_rule(out, &o, &in, output);
	fclose(out);
	const char *at = rule, *target = read_name(&at, mem);
	size_t n = strlen(target);
	if (!n || target[n - 1] != ':' || strncmp(target, output, n - 1) != 0 || strlen(output) != n - 1 ||
	    *at != ' ')
		fuzz_fail("the target '%s' became '%s'", output, target);
	at++;
	const char *name = read_name(&at, mem);
	if (strcmp(name, input) != 0 || strcmp(at, "\n") != 0)
		fuzz_fail("the input '%s' became '%s'", input, name);
	free(rule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	Arena mem;
	ArgumentList list = {0};
	if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
		fuzz_fail("cannot open /dev/null");
	arena_init(&mem);
	const char *text = arena_copy(&mem, size ? (const char *)data : "", size), *end = text + size;
	const char *input = text + strlen(text) + 1;
	arguments_split(str_of(text), &mem, &list);
	check_split(&list, &mem);
	check_options(&list, &mem, nowhere);
	if (input < end)
		check_rule(input, input + strlen(input) + 1 < end ? input + strlen(input) + 1 : "out", &mem);
	arena_free(&mem);
	return 0;
}
