/* emit/output.h: bytes to a file that appears whole or not at all.
 *
 * The bytes go to an unnamed file in the folder of the target, which gets the target's name when they
 * are all there. Where the file system has no unnamed files (O_TMPFILE), a file `.circ-…` stands
 * beside the target for the time of writing.
 *   symbolic link        the file that it names in the end is replaced, the link stays
 *   existing file        replaced by a new file with its permissions; refused when it may not be written
 *   device, pipe, …      written to directly
 *   /dev/fd/N            that descriptor, written to where it stands; /dev/stdout, too, which is a link to one
 *   "-"                  standard output
 * Errors   false: a CIRC_FAILURE with the path and the system's words; the old file is
 *          untouched and nothing new is there.
 * Threads  no shared state.
 */
#ifndef CIRC_EMIT_OUTPUT_H
#define CIRC_EMIT_OUTPUT_H

#include "base/diag.h"

bool output_write(const char *path, Str bytes, bool executable, Diags *d);

/* Is the output a regular file, and the input the same one, under whatever name? */
bool output_replaces(const char *output, const char *input);

/* An open file without a name, in memory or in the folder for temporary files; -1 and
 * errno when there is none. */
int output_anonymous(void);

/* The whole of a file. data NULL: errno says why. Give it back with output_unmap(). */
Str output_map(int fd);
void output_unmap(Str bytes);

#endif
