/* circ/diagnostic.h: how the library reports what is wrong.
 *
 * The library never prints and never exits. Every problem is handed to the handler that the caller gave; a
 * function that fails has reported at least one error first.
 */
#ifndef CIRC_DIAGNOSTIC_H
#define CIRC_DIAGNOSTIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || !defined(__GNUC__)
#define CIRC_API
#else
#define CIRC_API __attribute__((visibility("default")))
#endif

typedef enum CircSeverity {
	CIRC_NOTE,    /* belongs to the error or warning before it */
	CIRC_REMARK,  /* what was done; nothing is wrong */
	CIRC_WARNING, /* the input is accepted */
	CIRC_ERROR,   /* the input is rejected: fault of the input (command: exit code 1) */
	CIRC_FAILURE, /* the system or LLVM failed, not the input (command: exit code 3) */
} CircSeverity;

/* One message. All pointers are borrowed and valid only during the call of the handler. */
typedef struct CircDiagnostic {
	CircSeverity severity;
	const char *file;        /* name given when the text was read; NULL when there is no place */
	uint32_t line, column;   /* from 1; 0 when unknown. The column counts bytes */
	const char *message;     /* one line, without severity, place or final newline; NUL terminated */
	const char *source_line; /* the line of text, not NUL terminated; NULL when there is none */
	size_t source_line_len;  /* bytes */
} CircDiagnostic;

/* user: the pointer given with the handler. Must not call back into the module that is being worked on. */
typedef void CircDiagnosticHandler(const CircDiagnostic *diagnostic, void *user);

#ifdef __cplusplus
}
#endif
#endif
