#include "record.h"

#ifdef _MSC_VER /* no C library's headers are at hand */
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
_Noreturn void abort(void);
#else
#include <stdio.h>
#include <stdlib.h>
#endif

#ifdef _WIN32
#include "windows_api.h"

static void *open_file(void)
{
	char path[1024];
	if (!GetEnvironmentVariableA("CIRC_TRUTH", path, sizeof path))
		abort();
	return CreateFileA(path, FILE_APPEND_DATA, FILE_SHARE_ALL, NULL, OPEN_ALWAYS, 0, NULL);
}

static void append(const char *text, size_t n)
{
	static const char start[] = "{\"start\":true}\n"; /* of a process */
	static void *file;
	uint32_t written;
	if (!file) {
		file = open_file();
		append(start, sizeof start - 1);
	}
	if (!WriteFile(file, text, (uint32_t)n, &written, NULL) || written != n)
		abort();
}
#else
#include <fcntl.h>
#include <unistd.h>

static void append(const char *text, size_t n)
{
	static const char start[] =
	    "{\"start\":true}\n"; /* of a process, which may be a child of one that has the file */
	static int file = -1;
	static pid_t process;
	if (file < 0)
		file = open(getenv("CIRC_TRUTH"), O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (process != getpid()) {
		process = getpid();
		append(start, sizeof start - 1);
	}
	if (write(file, text, n) != (ssize_t)n)
		abort();
}
#endif

void record_add(Record *r, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(r->text + r->n, sizeof r->text - r->n, format, arguments);
	va_end(arguments);
	if (n < 0 || (size_t)n >= sizeof r->text - r->n)
		abort(); /* a line that is cut would be no record */
	r->n += (size_t)n;
}

void record_add_text(Record *r, const char *text)
{
	if (!text) {
		record_add(r, "null");
		return;
	}
	record_add(r, "\"");
	for (; *text; text++)
		record_add(r, *text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? "\\u%04x" : "%c",
		           (unsigned char)*text);
	record_add(r, "\"");
}

void record_write(Record *r)
{
	record_add(r, "\n");
	append(r->text, r->n);
	r->n = 0;
}

unsigned record_next(void)
{
	static unsigned last;
	return ++last;
}

void record_call(const char *name, uintptr_t pc, uintptr_t sp)
{
	Record r = {.n = 0};
	record_add(&r, "{\"call\":");
	record_add_text(&r, name);
	record_add(&r, ",\"pc\":%llu,\"sp\":%llu}", (unsigned long long)record_in_file(pc),
	           (unsigned long long)sp);
	record_write(&r);
}
