/* base/base.h: what every file may use: invariant checks and small helpers.
 *
 * CHECK guards circ's own invariants and aborts in every build type; it is never used on input.
 */
#ifndef CIRC_BASE_BASE_H
#define CIRC_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#if defined(__GNUC__)
#define BASE_NORETURN         __attribute__((noreturn))
#define BASE_PRINTF(fmt, arg) __attribute__((format(printf, fmt, arg), nonnull(fmt)))
#define BASE_LIKELY(x)        __builtin_expect(!!(x), 1)
#define BASE_PREFETCH(p)      __builtin_prefetch(p) /* any address */
#else
#define BASE_NORETURN
#define BASE_PRINTF(fmt, arg)
#define BASE_LIKELY(x)   (x)
#define BASE_PREFETCH(p) ((void)0)
#endif

BASE_NORETURN void check_failed(const char *condition, const char *file, int line);

#define CHECK(cond) (BASE_LIKELY(cond) ? (void)0 : check_failed(#cond, __FILE__, __LINE__))

/* Bytes with a length: not NUL terminated, may hold any byte. Borrowed, never owned. */
typedef struct Str {
	const char *data;
	size_t len;
} Str;

#define STR(literal) ((Str){(literal), sizeof(literal) - 1})

static inline Str str_of(const char *nul_terminated)
{
	return (Str){nul_terminated, strlen(nul_terminated)};
}

static inline bool str_equal(Str a, Str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool str_begins_with(Str s, Str head)
{
	return s.len >= head.len && memcmp(s.data, head.data, head.len) == 0;
}

static inline bool str_is(Str s, const char *nul_terminated)
{
	for (size_t i = 0; i < s.len; i++)
		if (nul_terminated[i] != s.data[i] || !s.data[i])
			return false;
	return nul_terminated[s.len] == '\0';
}

#endif
