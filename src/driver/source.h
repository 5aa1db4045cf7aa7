/* driver/source.h: an input file as bytes. */
#ifndef CIRC_DRIVER_SOURCE_H
#define CIRC_DRIVER_SOURCE_H

#include "driver/report.h"

/* Reads a whole file; "-" is standard input. *text is malloc'ed, with a NUL behind it. False: reported; also
 * when the file cannot be CIR at a glance: nothing in it, a binary format, more than the reader takes. */
bool source_read(const char *path, Str *text, Report *r);

/* The same for a file of any kind. */
bool source_read_bytes(const char *path, Str *bytes, Report *r);

/* Of a regular file, if the reader takes that much; else 0. */
size_t source_size(const char *path);

/* For messages: the path, or "<stdin>". */
const char *source_name(const char *path);

#endif
