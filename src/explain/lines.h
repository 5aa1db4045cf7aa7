/* explain/lines.h: the line table of an object: from a place in its code to a place in the source.
 *
 * A reader of one format (line_dwarf.c, line_codeview.c) adds rows in any order; line_table_open() calls those that the object has
 * something for and sorts. A row counts from its place to the next row of its section.
 *
 *   ownership  lives in the Arena, and keeps nothing of the object but the names of its files
 *   errors     what cannot be read is reported as a warning and left out: the table is there all the same
 *   cost       n log n for n rows; a lookup is log n */
#ifndef CIRC_EXPLAIN_LINES_H
#define CIRC_EXPLAIN_LINES_H

#include "base/vec.h"
#include "circ/explain.h"
#include "explain/object/object.h"

typedef struct LineRow {
	uint64_t offset;
	uint32_t section;
	uint32_t file; /* index in LineTable.files */
	uint32_t line; /* 0: from here on nothing is known, as after the last row of a sequence */
	uint32_t column;
	uint32_t order; /* of two of one place the one that was added last counts; line_table_add() sets it */
} LineRow;

typedef struct LineTable {
	Arena *mem;
	VEC(LineRow) rows;
	VEC(const char *) files;
} LineTable;

/* Reads all line tables of the object (line_readers.c). */
void line_table_open(LineTable *t, const ObjectFile *o, Arena *mem);

/* Unknown: all zero. */
CircPlace line_table_find(const LineTable *t, ObjectPlace at);
/* Of a function or a funclet: its first row. What a funclet begins with may have none, and the row before it is other code's. */
CircPlace line_table_find_begin(const LineTable *t, ObjectPlace begin, uint64_t size);

/* For readers: a file gets the next index; equal ones are not looked for. */
uint32_t line_table_add_file(LineTable *t, Str path);
void line_table_add(LineTable *t, LineRow row);
/* Before anything is found. */
void line_table_sort(LineTable *t);

void line_dwarf_read(LineTable *t, const ObjectFile *o);    /* line_dwarf.c: .debug_line */
void line_codeview_read(LineTable *t, const ObjectFile *o); /* line_codeview.c: .debug$S */

#endif
