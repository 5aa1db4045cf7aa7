/* link/runtime_folder.h: where the libraries are that circ brings along for the programs of a target.
 *
 * They are found from the place of this very code (libcirc.so, or the program that libcirc.a is part of), so
 * that a build folder and an installed tree may be moved.
 * Threads  no shared state.
 */
#ifndef CIRC_LINK_RUNTIME_FOLDER_H
#define CIRC_LINK_RUNTIME_FOLDER_H

#include "base/arena.h"

/* The first folder that holds `file`; NULL: none, and *looked_in names them all. */
const char *runtime_folder(const char *target, const char *file, Arena *a, const char **looked_in);

#endif
