/* replay FILE|FOLDER…: the target on each file, and on each file of each folder; in place of libFuzzer, whose
 * programs take the same arguments. Options of libFuzzer (-runs=0) are passed over. */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static unsigned long nfiles;

static void replay_file(const char *path, size_t size)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data = malloc(size ? size : 1); /* as large as the file, so that sanitizers see its end */
	if (!in || !data || fread(data, 1, size, in) != size) {
		fprintf(stderr, "replay: cannot read %s: %s\n", path, strerror(errno));
		exit(2);
	}
	fclose(in);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	nfiles++;
}

static void replay(const char *path);

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);
}

/* The depth of the tree of folders bounds the recursion. */
static void replay_folder(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, by_name);
	for (int i = 0; i < n; i++) {
		char *inside = NULL;
		if (entries[i]->d_name[0] != '.' && asprintf(&inside, "%s/%s", path, entries[i]->d_name) > 0)
			replay(inside);
		free(inside);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void replay(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	if (S_ISDIR(st.st_mode))
		replay_folder(path);
	else if (S_ISREG(st.st_mode))
		replay_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			replay(argv[i]);
	printf("%lu files\n", nfiles);
	return nfiles ? 0 : 2;
}
