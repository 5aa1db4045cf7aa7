#include "fault.h"

#include "base/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The linker's names of what is wrapped (ld, --wrap). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t align, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
char *__real_realpath(const char *path, char *out);
FILE *__real_open_memstream(char **data, size_t *len);
char *__real_explain_demangle(const char *symbol);
void __real_free(void *p);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
int __wrap_posix_memalign(void **p, size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_asprintf(char **out, const char *fmt, ...);
char *__wrap_realpath(const char *path, char *out);
FILE *__wrap_open_memstream(char **data, size_t *len);
char *__wrap_explain_demangle(const char *symbol);
void __wrap_free(void *p);

/* What is atomic changes while circ's threads run; the rest does not. */
typedef struct State {
	bool armed;
	atomic_bool struck;
	FaultKind kind;
	FaultMode mode;
	unsigned long at;
	atomic_ulong count;
	atomic_long live;
} State;

static State *state; /* shared with forked processes */

__attribute__((constructor)) static void share(void)
{
	void *p = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		abort();
	state = p;
}

void fault_arm(FaultKind kind, unsigned long n, FaultMode mode)
{
	state->kind = kind;
	state->armed = true;
	state->struck = false;
	state->mode = mode;
	state->at = n;
	state->count = 0;
}

bool fault_disarm(void)
{
	state->armed = false;
	return state->struck;
}

unsigned long fault_count(void)
{
	return state->count;
}

long fault_live(void)
{
	return state->live;
}

void fault_set_live(long live)
{
	state->live = live;
}

static bool strikes(FaultKind kind)
{
	if (!state || !state->armed || state->kind != kind)
		return false;
	unsigned long number = ++state->count;
	bool now =
	    state->at && (number == state->at || (state->mode == FAULT_FROM_NOW && number > state->at));
	if (now) {
		state->struck = true;
		errno = kind == FAULT_MEMORY ? ENOMEM : EIO;
	}
	return now;
}

bool fault_strikes(void)
{
	return strikes(FAULT_MEMORY);
}

bool fault_system_strikes(void)
{
	return strikes(FAULT_SYSTEM);
}

static void *counted(void *p)
{
	state->live += p != NULL;
	return p;
}

void *__wrap_malloc(size_t size)
{
	return fault_strikes() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fault_strikes() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (fault_strikes())
		return NULL;
	void *grown = __real_realloc(p, size);
	return p ? grown : counted(grown);
}

int __wrap_posix_memalign(void **p, size_t align, size_t size)
{
	if (fault_strikes())
		return ENOMEM;
	int error = __real_posix_memalign(p, align, size);
	state->live += error == 0;
	return error;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return fault_strikes() ? NULL : counted(__real_aligned_alloc(align, size));
}

char *__wrap_strdup(const char *s)
{
	return fault_strikes() ? NULL : counted(__real_strdup(s));
}

char *__wrap_strndup(const char *s, size_t n)
{
	return fault_strikes() ? NULL : counted(__real_strndup(s, n));
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	if (fault_strikes())
		return -1;
	va_list ap;
	va_start(ap, fmt);
	int n = vasprintf(out, fmt, ap);
	va_end(ap);
	state->live += n >= 0;
	return n;
}

char *__wrap_realpath(const char *path, char *out)
{
	if (out)
		return __real_realpath(path, out);
	return fault_strikes() ? NULL : counted(__real_realpath(path, NULL));
}

/* *data is to be freed after the stream was closed. */
/* LLVM allocates, circ frees. */
char *__wrap_explain_demangle(const char *symbol)
{
	return counted(__real_explain_demangle(symbol));
}

FILE *__wrap_open_memstream(char **data, size_t *len)
{
	return fault_strikes() ? NULL : counted(__real_open_memstream(data, len));
}

void __wrap_free(void *p)
{
	state->live -= p != NULL;
	__real_free(p);
}
