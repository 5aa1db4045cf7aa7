/* Round trip of every .cir file of the tree: what is printed reads back as the same module,
 * in the usual and in the generic form.
 *
 * Files that are no whole text (a RUN line begins with `not`, several texts stand in one file, parts of it
 * are taken from the design document) are passed over when they do not parse. CIRC_ROUNDTRIP_FILES, paths
 * separated by colons, takes the place of the tree. */
#include "test.h"

#include "text/parse.h"
#include "text/print/print.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static unsigned files_tried, files_skipped;

static void show(const CircDiagnostic *d, void *user)
{
	const char *path = user;
	if (path)
		printf("%s:%u:%u: %s\n", path, d->line, d->column, d->message);
}

static bool read_file(const char *path, Arena *a, Str *out)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	StrBuf text = {0};
	char chunk[65536];
	size_t n;
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_put(a, &text, (Str){chunk, n});
	bool ok = !ferror(f);
	fclose(f);
	*out = (Str){text.data, text.len};
	return ok;
}

/* Parses and prints; data NULL: it does not parse. path: for messages, or NULL for none. */
static Str reprint(Str text, unsigned flags, Arena *a, const char *path)
{
	IrModule *m = ir_module_create();
	StrBuf out = {0};
	Diags d;
	diag_init(&d, show, (void *)(uintptr_t)path);
	if (m && text_parse(m, "text", text, &d)) {
		text_print(m, flags, a, &out);
		buf_char(a, &out, '\0');
		out.len--;
	}
	ir_module_destroy(m);
	return (Str){out.data, out.len};
}

/* Says where two texts part. */
static void show_difference(const char *path, const char *what, Str x, Str y)
{
	size_t i = 0, line = 1, start = 0;
	while (i < x.len && i < y.len && x.data[i] == y.data[i]) {
		if (x.data[i++] == '\n') {
			line++;
			start = i;
		}
	}
	printf("%s: %s differs at line %zu:\n  %.*s\n  %.*s\n", path, what, line,
	       (int)strcspn(x.data + start, "\n"), x.data + start, (int)strcspn(y.data + start, "\n"),
	       y.data + start);
}

static void expect_same(const char *path, const char *what, Str first, Str again)
{
	if (!EXPECT(first.data && again.data))
		printf("%s: %s does not parse\n", path, what);
	else if (!EXPECT(str_equal(first, again)))
		show_difference(path, what, first, again);
}

static bool wrong_on_purpose(Str text)
{
	char *copy = strndup(text.data ? text.data : "", text.len);
	static const char *const signs[] = {"RUN: not ", "split-file", "// listing:", "// rejected"};
	bool wrong = false;
	for (size_t i = 0; copy && i < ARRAY_LEN(signs); i++)
		wrong |= strstr(copy, signs[i]) != NULL;
	free(copy);
	return wrong;
}

static void check_file(const char *path)
{
	Arena a;
	Str text;
	arena_init(&a);
	files_tried++;
	if (EXPECT(read_file(path, &a, &text))) {
		bool may_fail = wrong_on_purpose(text);
		Str printed = reprint(text, PRINT_LOCATIONS, &a, may_fail ? NULL : path);
		if (!printed.data && may_fail) {
			files_skipped++;
		} else if (EXPECT(printed.data != NULL)) {
			Str generic = reprint(printed, PRINT_LOCATIONS | PRINT_GENERIC, &a, path);
			expect_same(path, "the printed text", printed,
			            reprint(printed, PRINT_LOCATIONS, &a, path));
			expect_same(path, "the generic text", generic,
			            reprint(generic, PRINT_LOCATIONS | PRINT_GENERIC, &a, path));
			expect_same(path, "the text read from the generic one", printed,
			            reprint(generic, PRINT_LOCATIONS, &a, path));
		} else {
			printf("%s: does not parse\n", path);
		}
	}
	arena_free(&a);
}

static bool is_cir(const char *name)
{
	size_t n = strlen(name);
	return n > 4 && strcmp(name + n - 4, ".cir") == 0;
}

/* Folders of builds are not part of the tree; Inputs/ is what tests of the command read. */
static bool is_ours(const char *name)
{
	return name[0] != '.' && strncmp(name, "build", 5) != 0 && strcmp(name, "Inputs") != 0;
}

/* The depth of the tree of folders bounds the recursion. */
static void check_folder(const char *folder)
{
	char path[PATH_SIZE];
	DIR *dir = opendir(folder);
	if (!EXPECT(dir != NULL))
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		struct stat st;
		if (!is_ours(e->d_name) ||
		    snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path ||
		    lstat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode))
			check_folder(path);
		else if (S_ISREG(st.st_mode) && is_cir(e->d_name))
			check_file(path);
	}
	closedir(dir);
}

TEST(every_file_of_the_tree_reads_back_as_it_was_printed)
{
	const char *given = getenv("CIRC_ROUNDTRIP_FILES"), *tree = getenv("CIRC_SOURCE_DIR");
	if (given) {
		char *files = strdup(given), *rest = files;
		for (char *path; (path = strtok_r(rest, ":", &rest));)
			check_file(path);
		free(files);
	} else if (EXPECT(tree != NULL)) {
		check_folder(tree);
	}
	printf("%u files, %u of them not whole\n", files_tried, files_skipped);
	EXPECT(files_tried > files_skipped);
}
