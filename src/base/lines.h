/* base/lines.h: lines of a text, found once for many places: each costs the logarithm of their number.
 *
 * 	Lines lines = {.source = &m->source, .mem = mem};
 *	lines_find(&lines, offset, &line, &column);
 */
#ifndef CIRC_BASE_LINES_H
#define CIRC_BASE_LINES_H

#include "base/diag.h"
#include "base/vec.h"

typedef struct Lines {
	const Source *source;
	Arena *mem;
	VEC(uint32_t) begins; /* offsets, as far as somebody asked */
	bool all;
} Lines;

/* Line and column, from 1, of a byte offset. */
void lines_find(Lines *l, uint32_t offset, uint32_t *line, uint32_t *column);

/* Where a message about `loc` would be placed, as a LOC_FILE; false: nowhere. The source may be without a text. */
bool lines_place(Lines *l, Loc loc, LocInfo *out);

#endif
