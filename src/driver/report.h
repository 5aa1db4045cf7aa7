/* driver/report.h: messages on standard error, and the exit code they lead to. */
#ifndef CIRC_DRIVER_REPORT_H
#define CIRC_DRIVER_REPORT_H

#include "base/diag.h"

#include <stdio.h>

typedef struct Report {
	FILE *out;
	bool colour;
	uint32_t errors, failures;
	bool usage; /* the command line was wrong */
	char *kept; /* by report_open_buffer() */
	size_t nkept;
} Report;

void report_init(Report *r);

/* A report of the same looks whose messages are kept, for report_flush(). False: no memory. */
bool report_open_buffer(Report *r, const Report *like);
/* Prints what was kept on standard error, adds the counts, and gives the buffer back. */
void report_flush(Report *buffer, Report *to);

/* Messages of d are printed: each with its line of source and a caret. What they name as a remedy are options. */
void report_diagnostics(Report *r, Diags *d);

/* "circ: error: ..." about the command line. */
void report_usage(Report *r, const char *fmt, ...) BASE_PRINTF(2, 3);
/* "circ: error: ..." that is no fault of the input. */
void report_failure(Report *r, const char *fmt, ...) BASE_PRINTF(2, 3);
/* "FILE: error: ..." about an input file as a whole. */
void report_file_error(Report *r, const char *file, const char *fmt, ...) BASE_PRINTF(3, 4);
void report_warning(Report *r, const char *fmt, ...) BASE_PRINTF(2, 3);

/* Of design.md section 8: 0; 1: wrong input; 2: wrong usage; 3: the system or LLVM failed. */
int report_exit_code(const Report *r);

#endif
