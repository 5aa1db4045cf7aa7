/* runtime/eh/libc.h: what is used of the C library, declared here since not every target that clang compiles for has its
 * headers at hand (C17, 7.1.4). */
#ifndef CIRC_RUNTIME_EH_LIBC_H
#define CIRC_RUNTIME_EH_LIBC_H

#include <stddef.h>

void *malloc(size_t size);
void free(void *memory);
_Noreturn void abort(void);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *at, int byte, size_t n);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);

#endif
