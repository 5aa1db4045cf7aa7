#include "driver/arguments.h"

#include "driver/source.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FILES_MAX = 2000
}; /* as GNU tools have it: files that name several others grow without going in a circle */

struct ArgumentFile {
	ArgumentFile *outer; /* that named it; NULL: the command line */
	char **argv;
	uint32_t argc, next;
	struct stat identity;
};

void arguments_init(Arguments *in, int argc, char **argv, Arena *arena, Report *r)
{
	ArgumentFile *line = arena_new(arena, ArgumentFile);
	*line = (ArgumentFile){.argv = argv, .argc = (uint32_t)argc, .next = 1};
	*in = (Arguments){.innermost = line, .arena = arena, .report = r};
}

char *arguments_next(Arguments *in)
{
	while (in->innermost->next >= in->innermost->argc) {
		if (!in->innermost->outer)
			return NULL;
		in->innermost = in->innermost->outer;
	}
	return in->innermost->argv[in->innermost->next++];
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Up to the end of the argument that begins at `at`. */
static size_t read_argument(Str text, size_t at, Arena *arena, StrBuf *out)
{
	char quote = '\0';
	for (; at < text.len && (quote || !is_space(text.data[at])); at++) {
		char c = text.data[at];
		if (c == '\\' && at + 1 < text.len)
			buf_char(arena, out, text.data[++at]);
		else if (quote && c == quote)
			quote = '\0';
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		else
			buf_char(arena, out, c);
	}
	buf_char(arena, out, '\0');
	return at;
}

void arguments_split(Str text, Arena *arena, ArgumentList *out)
{
	for (size_t at = 0; at < text.len;) {
		if (is_space(text.data[at])) {
			at++;
			continue;
		}
		StrBuf argument = {0};
		at = read_argument(text, at, arena, &argument);
		vec_push(arena, out, argument.data);
	}
}

static bool check_nesting(Arguments *in, const char *path, const struct stat *identity)
{
	for (const ArgumentFile *f = in->innermost; f->outer; f = f->outer)
		if (f->identity.st_dev == identity->st_dev && f->identity.st_ino == identity->st_ino) {
			report_usage(in->report,
			             "file of arguments '@%s' names itself, or a file that names it", path);
			return false;
		}
	if (++in->files <= FILES_MAX)
		return true;
	report_usage(in->report, "command line names more than %d files of arguments; '@%s' is one too many",
	             FILES_MAX, path);
	return false;
}

static bool check_file(Arguments *in, const char *path, struct stat *identity)
{
	if (stat(path, identity) == 0 && access(path, R_OK) == 0)
		return check_nesting(in, path, identity);
	report_failure(in->report,
	               "cannot read the file of arguments '@%s': %s; an input of that name is './@%s'", path,
	               strerror(errno), path);
	return false;
}

bool arguments_open(Arguments *in, const char *path)
{
	ArgumentFile *file = arena_new(in->arena, ArgumentFile);
	ArgumentList list = {0};
	Str text, mark = STR("\xEF\xBB\xBF"); /* of UTF-8, which some editors write */
	*file = (ArgumentFile){.outer = in->innermost};
	if (!check_file(in, path, &file->identity) || !source_read_bytes(path, &text, in->report))
		return false;
	bool is_text = !memchr(text.data, '\0', text.len);
	size_t skip = str_begins_with(text, mark) ? mark.len : 0;
	if (is_text)
		arguments_split((Str){text.data + skip, text.len - skip}, in->arena, &list);
	else
		report_usage(in->report,
		             "file of arguments '@%s' is not text in UTF-8; an input of that name is './@%s'",
		             path, path);
	free((void *)(uintptr_t)text.data);
	file->argv = list.data;
	file->argc = list.len;
	in->innermost = file;
	return is_text;
}
