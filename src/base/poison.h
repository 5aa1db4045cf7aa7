/* base/poison.h: under AddressSanitizer, memory of an allocator that nobody has been given is out of bounds. */
#ifndef CIRC_BASE_POISON_H
#define CIRC_BASE_POISON_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BASE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BASE_ASAN 1
#endif

#ifdef BASE_ASAN
#include <sanitizer/asan_interface.h>
#define BASE_POISON(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define BASE_UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#define BASE_IS_POISONED(p) __asan_address_is_poisoned(p)
enum { BASE_REDZONE = 16 }; /* bytes between objects, so that an overrun is seen */
#else
#define BASE_POISON(p, n)   ((void)(p), (void)(n))
#define BASE_UNPOISON(p, n) ((void)(p), (void)(n))
#define BASE_IS_POISONED(p) ((void)(p), 0)
enum { BASE_REDZONE = 0 };
#endif

#endif
