/* driver/arguments.h: the arguments of the command line, one after the other, with those that files hold.
 *
 * A file of arguments ("response file", @FILE) is split as GNU tools and clang split it: at blanks, tabs and ends of lines; a
 * backslash takes the next byte as it is, in quotes, too; '...' and "..." keep blanks together, and "" is an empty argument.
 * Names in it are taken from the current folder. It may name others.
 *
 * Ownership  everything lives in the arena.
 * Errors     false: reported; the command line cannot be read on.
 */
#ifndef CIRC_DRIVER_ARGUMENTS_H
#define CIRC_DRIVER_ARGUMENTS_H

#include "base/vec.h"
#include "driver/report.h"

typedef VEC(char *) ArgumentList;
typedef struct ArgumentFile ArgumentFile;

typedef struct Arguments {
	ArgumentFile *innermost; /* what is being read */
	unsigned files;          /* that were opened */
	Arena *arena;
	Report *report;
} Arguments;

void arguments_init(Arguments *in, int argc, char **argv, Arena *arena, Report *r);

/* NULL: none is left. */
char *arguments_next(Arguments *in);

/* What the file holds comes next. */
bool arguments_open(Arguments *in, const char *path);

/* Adds what the text holds. */
void arguments_split(Str text, Arena *arena, ArgumentList *out);

#endif
