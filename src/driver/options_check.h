/* driver/options_check.h: do the options make sense together, and with the files they name? */
#ifndef CIRC_DRIVER_OPTIONS_CHECK_H
#define CIRC_DRIVER_OPTIONS_CHECK_H

#include "driver/options.h"

/* False: reported as wrong usage. */
bool options_check(const Options *o, Report *r);
/* Is the file none of the inputs? Asked of every output, also of those that get their names
 * late. False: reported as wrong usage. */
bool options_check_output(const Options *o, const char *path, Report *r);

#endif
