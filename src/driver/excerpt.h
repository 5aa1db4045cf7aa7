/* driver/excerpt.h: the part of a source line that is shown under a message, fit for a terminal. */
#ifndef CIRC_DRIVER_EXCERPT_H
#define CIRC_DRIVER_EXCERPT_H

#include "base/base.h"

enum {
	EXCERPT_COLUMNS = 100, /* shown at most, besides the marks of a cut */
	EXCERPT_MAX = 8 * EXCERPT_COLUMNS + 16,
};

/* Writes the excerpt around the byte `offset` of the line, NUL terminated: tabs as blanks, bytes
 * that a terminal would not show as <1B>, the ends that are left out as "...". Returns the column,
 * from 0, where that byte is shown. */
size_t excerpt_make(Str line, size_t offset, char out[EXCERPT_MAX]);

#endif
