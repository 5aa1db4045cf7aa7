/* base/escape.h: names and messages without the bytes that a terminal obeys and that end the comment of an assembler.
 *
 * A control byte becomes a backslash and two hexadecimal digits, "\0A", as strings of CIR's text have it; so does
 * one of the second set (U+0080 to U+009F), byte by byte. All else stays, backslashes too: it is for the eye.
 */
#ifndef CIRC_BASE_ESCAPE_H
#define CIRC_BASE_ESCAPE_H

#include "base/arena.h"

/* Writes at most `size` bytes, the last of them NUL; no escape is cut in two. Returns the length that the whole
 * has, as snprintf() does. */
size_t escape_into(char *out, size_t size, Str text);

/* The text itself when there is nothing to escape. */
Str escape_name(Arena *a, Str text);

#endif
