/* Thread-local variables: the directory by which the loader gives each thread its copy of what lies between
 * the two marks, and calls the callbacks in .CRT$XL. The linker takes the directory by its name. */
#include "runtime/windows/crt.h"

typedef struct TlsDirectory { /* IMAGE_TLS_DIRECTORY64 */
	const void *begin, *end;
	DWORD *index;
	const void *callbacks;
	DWORD zeros, flags;
} TlsDirectory;

extern DWORD _tls_index;
extern const TlsDirectory _tls_used;

DWORD _tls_index;

__attribute__((section(".tls"), used)) static char tls_begin;
__attribute__((section(".tls$ZZZ"), used)) static char tls_end;

CRT_ENTRY(".CRT$XLA") static const void *const first_callback[1];
CRT_ENTRY(".CRT$XLZ") static const void *const last_callback[1];

__attribute__((section(".rdata$T"), used)) const TlsDirectory _tls_used = {
    &tls_begin, &tls_end, &_tls_index, first_callback + 1, 0, 0,
};
