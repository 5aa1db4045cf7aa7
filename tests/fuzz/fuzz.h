/* fuzz.h: what the fuzz targets share. Each target is one LLVMFuzzerTestOneInput; it is linked with
 * libFuzzer, or with replay.c, which runs it on files.
 *
 * Errors     what is wrong with circ ends the process: fuzz_fail(), or a sanitizer.
 * Threads    one.
 */
#ifndef CIRC_FUZZ_H
#define CIRC_FUZZ_H

#include "base/diag.h"
#include "ir/module.h"

/* A text is read into a module. What is reported goes to `d`, whose first error is kept in `message`. */
typedef struct FuzzModule {
	IrModule *m; /* NULL: the text was refused */
	Stage stage;
	Diags d;
	char message[300];
} FuzzModule;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Of 16 mutations, how many change bytes rather than the module (mutator.c). Each target has its own. */
extern const uint32_t fuzz_byte_mutations;

/* Reads and verifies. False: refused, and nothing is left to be closed. The text must outlive the module. */
bool fuzz_read(FuzzModule *f, Str text);
/* The same for what was printed, which the newest grammar has. */
bool fuzz_read_printed(FuzzModule *f, Str text);
void fuzz_close(FuzzModule *f);
/* Verifies again; a failure is a bug of `what`, and ends the process. */
void fuzz_verify(FuzzModule *f, Stage stage, const char *what);

/* Says what is wrong with circ, and aborts. */
BASE_NORETURN void fuzz_fail(const char *fmt, ...) BASE_PRINTF(1, 2);

#endif
