#include "driver/source.h"

#include "base/large_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FIRST_READ = 1 << 16, /* bytes, where the size is not known beforehand */
	GLANCE = 4096,        /* bytes that must not hold a NUL */
};
static const size_t source_max = INT32_MAX; /* limit of text_parse() */

const char *source_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

typedef struct Buffer {
	char *data;
	size_t len, cap;
} Buffer;

static bool grow(Buffer *b, size_t cap)
{
	char *data = realloc(b->data, cap + 1);
	if (!data)
		return false;
	large_pages(data, cap + 1, large_pages_time());
	b->data = data;
	b->cap = cap;
	return true;
}

/* One byte more than the size says is asked for, so that the end shows without growing. */
static bool read_all(int fd, Buffer *b)
{
	struct stat st;
	bool known = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size < source_max;
	if (!grow(b, known ? (size_t)st.st_size + 1 : FIRST_READ))
		return false;
	if (known)
		pages_ahead(b->data, b->data, b->data + b->cap, b->cap);
	while (b->len <= source_max) {
		if (b->len == b->cap && !grow(b, b->cap * 2))
			return false;
		ssize_t n = read(fd, b->data + b->len, b->cap - b->len);
		if (n == 0)
			return true;
		if (n > 0)
			b->len += (size_t)n;
		else if (errno != EINTR)
			return false;
	}
	errno = EFBIG;
	return false;
}

typedef struct Magic {
	const char *bytes;
	size_t len;
	const char *is;
} Magic;

#define MAGIC(bytes, is)                                                                                     \
	{                                                                                                    \
		bytes, sizeof(bytes) - 1, is                                                                 \
	}

static const Magic magics[] = {
    MAGIC("\177ELF", "an ELF file"),
    MAGIC("!<arch>\n", "an archive"),
    MAGIC("BC\xC0\xDE", "LLVM bitcode"),
    MAGIC("ML\xEFR", "MLIR bytecode"),
    MAGIC("\x64\x86", "a COFF object"),
    MAGIC("MZ", "a Windows program"),
    MAGIC("\xFD"
          "7zXZ",
          "compressed with xz"),
    MAGIC("\x1F\x8B", "compressed with gzip"),
    MAGIC("\x28\xB5\x2F\xFD", "compressed with zstd"),
    MAGIC("\xFF\xFE", "UTF-16"),
    MAGIC("\xFE\xFF", "UTF-16"),
};

/* What the bytes are if they are not text, or NULL. */
static const char *binary_kind(Str text)
{
	for (size_t i = 0; i < ARRAY_LEN(magics); i++)
		if (text.len >= magics[i].len && memcmp(text.data, magics[i].bytes, magics[i].len) == 0)
			return magics[i].is;
	return memchr(text.data, '\0', text.len < GLANCE ? text.len : GLANCE) ? "a binary file" : NULL;
}

/* An empty file is an empty module, but far more often the output of a generator that failed. */
static bool is_blank(Str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!strchr(" \t\r\n", text.data[i]))
			return false;
	return true;
}

static bool check_text(const char *name, Str text, Report *r)
{
	const char *kind = binary_kind(text);
	if (kind)
		report_file_error(r, name, "file is %s; expected CIR text", kind);
	else if (is_blank(text))
		report_file_error(r, name,
		                  "file is empty; expected CIR text (an empty module is 'module {}')");
	else
		return true;
	return false;
}

size_t source_size(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size < source_max
	           ? (size_t)st.st_size
	           : 0;
}

bool source_read_bytes(const char *path, Str *bytes, Report *r)
{
	bool standard = strcmp(path, "-") == 0;
	Buffer b = {0};
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && read_all(fd, &b);
	if (!ok && errno == EFBIG)
		report_file_error(r, source_name(path), "file is larger than 2 GiB");
	else if (!ok)
		report_failure(r, "cannot read '%s': %s", source_name(path), strerror(errno));
	if (fd >= 0 && !standard)
		close(fd);
	if (!ok) {
		free(b.data);
		return false;
	}
	b.data[b.len] = '\0';
	*bytes = (Str){b.data, b.len};
	return true;
}

bool source_read(const char *path, Str *text, Report *r)
{
	if (!source_read_bytes(path, text, r))
		return false;
	if (check_text(source_name(path), *text, r))
		return true;
	free((void *)(uintptr_t)text->data);
	*text = (Str){0};
	return false;
}
